import { defineFunction, nullable } from '../define.ts';
import { isDouble } from '../values/conversions.ts';

export const isDoubleFunction = defineFunction({
  name: 'is_double',
  description: 'Whether a value is a number with a fraction.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => isDouble(value),
});
