import { field, types } from '#core/index.ts';
import { safeTextLength } from '#streams/index.ts';
import { compileGrok } from '../../rules/index.ts';
import { defineExtractorType, type Extracted, MAX_PATTERN_LENGTH } from '../extractor-type.ts';

/** Throws `PatternError` when it is created: which patterns there are is known only then. */
export const grok = defineExtractorType({
  id: 'grok',
  wireType: 'org.graylog2.inputs.extractors.GrokExtractor',
  name: 'Grok pattern',
  description: 'Looks for a grok pattern; each of its names is a field.',
  fields: {
    grok_pattern: field(types.text({ maxLength: MAX_PATTERN_LENGTH, multiline: true }), {
      humanName: 'Grok pattern',
      description: 'For example %{IP:client} %{WORD:method} %{NUMBER:code;int}.',
    }),
    named_captures_only: field(types.boolean(), {
      humanName: 'Named captures only',
      description: 'Whether patterns without a field name give no field.',
      default: false,
    }),
  },
  create({ grokPatterns }, { grok_pattern: pattern, named_captures_only: onlyNamed }) {
    const compiled = compileGrok(pattern, grokPatterns);
    return {
      safeLength: (limitMs) => safeTextLength(compiled.regex, limitMs),
      extract(text) {
        const found = compiled.match(text, onlyNamed);
        const pieces: Extracted[] = [];
        for (const [name, value] of found ?? []) {
          if (value !== '') pieces.push({ field: name, value, begin: -1, end: -1 });
        }
        return pieces;
      },
    };
  },
});
