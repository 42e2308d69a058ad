import { defineFunction, nullable } from '../define.ts';

export const isNotNullFunction = defineFunction({
  name: 'is_not_null',
  description: 'Whether a value is there.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value !== undefined,
});
