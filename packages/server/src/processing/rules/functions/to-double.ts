import { defineFunction, nullable, optional } from '../define.ts';
import { doubleOf } from '../values/conversions.ts';

export const toDoubleFunction = defineFunction({
  name: 'to_double',
  description: 'Converts a value to a number with a fraction.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'Double', 'The result for what is missing or not a number; 0 if it is left out.'),
  ],
  returns: 'Double',
  call: (_, value, fallback = 0) => doubleOf(value) ?? fallback,
});
