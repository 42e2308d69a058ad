import { safeTextLength } from '#streams/index.ts';
import { quickSearch } from '../../rules/index.ts';
import { defineExtractorType, extractorRegex, regexField } from '../extractor-type.ts';

export const regex = defineExtractorType({
  id: 'regex',
  wireType: 'org.graylog2.inputs.extractors.RegexExtractor',
  name: 'Regular expression',
  description: 'Looks for a regular expression and takes what its first group matches.',
  fields: {
    regex_value: regexField({
      humanName: 'Regular expression',
      description: 'The first group, in parentheses, is what is taken.',
    }),
  },
  create(_, { regex_value: expression }) {
    const compiled = extractorRegex(expression);
    const search = quickSearch(compiled.regex);
    const withPositions = new RegExp(search, `${search.flags}d`);
    const [group = -1] = compiled.groups;
    return {
      safeLength: (limitMs) => safeTextLength(search, limitMs),
      extract(text) {
        const found = withPositions.exec(text)?.indices?.[group];
        if (found === undefined) return [];
        const [begin, end] = found;
        return [{ field: undefined, value: text.slice(begin, end), begin, end }];
      },
    };
  },
});
