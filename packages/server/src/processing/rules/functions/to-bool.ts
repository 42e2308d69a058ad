import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';

export const toBoolFunction = defineFunction({
  name: 'to_bool',
  description: 'Converts a value to true or false: true is true and the text "true" in any case.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'Boolean', 'The result for a missing value; false if it is left out.'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result, whatever the default is; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, fallback = false, defaultToNull = false) => {
    if (value === undefined) return defaultToNull ? undefined : fallback;
    return textOf(value).toLowerCase() === 'true';
  },
});
