import { defineFunction, nullable, optional } from '../define.ts';
import { isLong, longOfValue } from '../values/conversions.ts';

export const isLongFunction = defineFunction({
  name: 'is_long',
  description: 'Whether a value is an integer.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional(
      'attemptConversion',
      'Boolean',
      'Whether a text of an integer counts, too; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, converts = false) =>
    isLong(value) || (converts && typeof value === 'string' && longOfValue(value) !== undefined),
});
