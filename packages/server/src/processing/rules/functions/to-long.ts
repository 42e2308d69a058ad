import { defineFunction, nullable, optional } from '../define.ts';
import { longOfValue } from '../values/conversions.ts';

export const toLongFunction = defineFunction({
  name: 'to_long',
  description:
    'Converts a value to an integer of 64 bits. A fraction is cut off, a date becomes milliseconds.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'Long', 'The result for what is missing or not a number; 0 if it is left out.'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result, whatever the default is; false if it is left out.',
    ),
  ],
  returns: 'Long',
  call: (_, value, fallback = 0, defaultToNull = false) =>
    value === undefined && defaultToNull ? undefined : (longOfValue(value) ?? fallback),
});
