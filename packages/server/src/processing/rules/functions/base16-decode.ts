import { defineFunction, optional, required } from '../define.ts';
import { decodedText } from '../values/encodings.ts';

export const base16DecodeFunction = defineFunction({
  name: 'base16_decode',
  description: 'Decodes hexadecimal digits to a text.',
  params: [
    required('value', 'String', 'The digits.'),
    optional('omit_padding', 'Boolean', 'Accepted for symmetry: this encoding has no padding.'),
  ],
  returns: 'String',
  call: (_, value) => decodedText(value, 'base16'),
});
