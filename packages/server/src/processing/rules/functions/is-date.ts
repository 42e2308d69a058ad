import { DateTime } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const isDateFunction = defineFunction({
  name: 'is_date',
  description: 'Whether a value is a date.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value instanceof DateTime,
});
