import { defineFunction, nullable, optional } from '../define.ts';
import { doubleOf, isDouble } from '../values/conversions.ts';

export const isDoubleFunction = defineFunction({
  name: 'is_double',
  description: 'Whether a value is a number with a fraction.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional(
      'attemptConversion',
      'Boolean',
      'Whether a text of a number counts, too; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, converts = false) => isDouble(value) || (converts && doubleOf(value) !== undefined),
});
