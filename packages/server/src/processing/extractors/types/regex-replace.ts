import { field, types } from '#core/index.ts';
import { safeTextLength } from '#streams/index.ts';
import { replaceMatches } from '../../rules/index.ts';
import { defineExtractorType, extractorRegex, regexField } from '../extractor-type.ts';

export const regexReplace = defineExtractorType({
  id: 'regex_replace',
  wireType: 'org.graylog2.inputs.extractors.RegexReplaceExtractor',
  name: 'Replace with regular expression',
  description: 'Replaces what a regular expression matches and takes the text that results.',
  fields: {
    regex: regexField({ humanName: 'Regular expression', description: 'What to replace.' }),
    replacement: field(types.text({ minLength: 0 }), {
      humanName: 'Replacement',
      description: 'What to put there; $1 is the first group. Empty: what matches is removed.',
      default: '$1',
      emptyIsValue: true,
    }),
    replace_all: field(types.boolean(), {
      humanName: 'Replace all occurrences',
      description: 'Whether to replace every match, not only the first one.',
      default: false,
    }),
  },
  create(_, { regex: expression, replacement, replace_all: replaceAll }) {
    const compiled = extractorRegex(expression);
    const withPositions = new RegExp(compiled.regex, `${compiled.regex.flags}d`);
    const [group = -1] = compiled.groups;
    return {
      safeLength: (limitMs) => safeTextLength(compiled.regex, limitMs / 2),
      extract(text) {
        const found = withPositions.exec(text);
        if (found === null) return [];
        const [begin, end] = found.indices?.[group] ?? [-1, -1];
        const value = replaceMatches(text, compiled, replacement, replaceAll);
        return [{ field: undefined, value, begin, end }];
      },
    };
  },
});
