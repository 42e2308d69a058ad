import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';

export const toBoolFunction = defineFunction({
  name: 'to_bool',
  description: 'Converts a value to true or false: true is true and the text "true" in any case.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'Boolean', 'The result for a missing value; false if it is left out.'),
  ],
  returns: 'Boolean',
  call: (_, value, fallback = false) =>
    value === undefined ? fallback : textOf(value).toLowerCase() === 'true',
});
