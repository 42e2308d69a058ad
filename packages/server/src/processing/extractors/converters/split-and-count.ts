import { field, types } from '#core/index.ts';
import { defineConverter } from '../converter.ts';

export const splitAndCount = defineConverter({
  id: 'split_and_count',
  name: 'Split & Count',
  description: 'How many parts the text has; 0 for a text without the separator.',
  fields: {
    split_by: field(types.text(), {
      humanName: 'Split by',
      description: 'What is between the parts; not a regular expression.',
    }),
  },
  create: (_, { split_by: separator }) => ({
    kind: 'value',
    convert(text) {
      if (!text.includes(separator)) return 0;
      let end = text.length;
      // Empty parts at the end do not count.
      while (end > 0 && text.endsWith(separator, end)) end -= separator.length;
      let parts = end > 0 ? 1 : 0;
      for (let at = text.indexOf(separator); at >= 0 && at < end; parts++) {
        at = text.indexOf(separator, at + separator.length);
      }
      return parts;
    },
  }),
});
