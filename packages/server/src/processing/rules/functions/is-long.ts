import { defineFunction, nullable } from '../define.ts';
import { isLong } from '../values/conversions.ts';

export const isLongFunction = defineFunction({
  name: 'is_long',
  description: 'Whether a value is an integer.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => isLong(value),
});
