import { defineFunction, nullable } from '../define.ts';

export const isBoolFunction = defineFunction({
  name: 'is_bool',
  description: 'Whether a value is true or false.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => typeof value === 'boolean',
});
