import { defineFunction, nullable } from '../define.ts';
import { isDouble, isLong } from '../values/conversions.ts';

export const isNumberFunction = defineFunction({
  name: 'is_number',
  description: 'Whether a value is a number.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => isLong(value) || isDouble(value),
});
