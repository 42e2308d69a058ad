import { defineFunction, nullable } from '../define.ts';

export const isStringFunction = defineFunction({
  name: 'is_string',
  description: 'Whether a value is a text.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => typeof value === 'string',
});
