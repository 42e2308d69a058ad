import { field, types } from '#core/index.ts';
import { ALWAYS_SAFE, defineExtractorType } from '../extractor-type.ts';

export const substring = defineExtractorType({
  id: 'substring',
  wireType: 'org.graylog2.inputs.extractors.SubstringExtractor',
  name: 'Substring',
  description: 'Takes the characters between two positions. A text that is too short is left alone.',
  fields: {
    begin_index: field(types.integer({ min: 0 }), {
      humanName: 'Begin index',
      description: 'The position of the first character, from 0.',
    }),
    end_index: field(types.integer({ min: 0 }), {
      humanName: 'End index',
      description: 'The position after the last character.',
    }),
  },
  create: (_, { begin_index: begin, end_index: end }) => ({
    safeLength: ALWAYS_SAFE,
    extract: (text) =>
      begin < end && end <= text.length
        ? [{ field: undefined, value: text.slice(begin, end), begin, end }]
        : [],
  }),
});
