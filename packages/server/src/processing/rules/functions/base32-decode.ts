import { defineFunction, optional, required } from '../define.ts';
import { decodedText } from '../values/encodings.ts';

export const base32DecodeFunction = defineFunction({
  name: 'base32_decode',
  description: 'Decodes Base32 (with the extended hexadecimal alphabet) to a text.',
  params: [
    required('value', 'String', 'The encoded text.'),
    optional('omit_padding', 'Boolean', 'Accepted: padding may always be missing.'),
  ],
  returns: 'String',
  call: (_, value) => decodedText(value, 'base32'),
});
