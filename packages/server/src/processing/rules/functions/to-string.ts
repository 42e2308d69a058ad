import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';

export const toStringFunction = defineFunction({
  name: 'to_string',
  description: 'Converts a value to text.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'String', 'The result for a missing value; an empty text if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, fallback = '') => (value === undefined ? fallback : textOf(value)),
});
