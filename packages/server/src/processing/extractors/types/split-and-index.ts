import { field, types } from '#core/index.ts';
import { ALWAYS_SAFE, defineExtractorType } from '../extractor-type.ts';

export const splitAndIndex = defineExtractorType({
  id: 'split_and_index',
  wireType: 'org.graylog2.inputs.extractors.SplitAndIndexExtractor',
  name: 'Split & Index',
  description: 'Splits the text and takes one of the parts.',
  fields: {
    split_by: field(types.text(), {
      humanName: 'Split by',
      description: 'What is between the parts; not a regular expression.',
    }),
    index: field(types.integer({ min: 1 }), {
      humanName: 'Target index',
      description: 'Which part to take, from 1.',
    }),
  },
  create: (_, { split_by: separator, index }) => ({
    safeLength: ALWAYS_SAFE,
    extract(text) {
      let begin = 0;
      for (let part = 1; part < index; part++) {
        const at = text.indexOf(separator, begin);
        if (at < 0) return [];
        begin = at + separator.length;
      }
      const next = text.indexOf(separator, begin);
      const end = next < 0 ? text.length : next;
      return end > begin ? [{ field: undefined, value: text.slice(begin, end), begin, end }] : [];
    },
  }),
});
