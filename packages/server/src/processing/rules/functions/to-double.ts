import { defineFunction, nullable, optional } from '../define.ts';
import { doubleOf } from '../values/conversions.ts';

export const toDoubleFunction = defineFunction({
  name: 'to_double',
  description: 'Converts a value to a number with a fraction.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'Double', 'The result for what is missing or not a number; 0 if it is left out.'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result, whatever the default is; false if it is left out.',
    ),
  ],
  returns: 'Double',
  call: (_, value, fallback = 0, defaultToNull = false) =>
    value === undefined && defaultToNull ? undefined : (doubleOf(value) ?? fallback),
});
