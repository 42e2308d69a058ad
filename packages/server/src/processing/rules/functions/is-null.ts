import { defineFunction, nullable } from '../define.ts';

export const isNullFunction = defineFunction({
  name: 'is_null',
  description: 'Whether a value is missing.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value === undefined,
});
