import { largeSizeOf, textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';

export const toStringFunction = defineFunction({
  name: 'to_string',
  description: 'Converts a value to text.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional('default', 'String', 'The result for a missing value; an empty text if it is left out.'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result, whatever the default is; false if it is left out.',
    ),
  ],
  returns: 'String',
  passesOn: true,
  call: (context, value, fallback = '', defaultToNull = false) => {
    if (value === undefined) return defaultToNull ? undefined : fallback;
    if (typeof value === 'string') return value;
    const text = textOf(value);
    context.made(largeSizeOf(text));
    return text;
  },
});
