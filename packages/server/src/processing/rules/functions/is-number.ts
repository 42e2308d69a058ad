import { defineFunction, nullable, optional } from '../define.ts';
import { doubleOf, isDouble, isLong } from '../values/conversions.ts';

export const isNumberFunction = defineFunction({
  name: 'is_number',
  description: 'Whether a value is a number.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional(
      'attemptConversion',
      'Boolean',
      'Whether a text of a number counts, too; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, converts = false) =>
    isLong(value) || isDouble(value) || (converts && doubleOf(value) !== undefined),
});
