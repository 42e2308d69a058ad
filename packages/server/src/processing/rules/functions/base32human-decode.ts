import { defineFunction, optional, required } from '../define.ts';
import { decodedText } from '../values/encodings.ts';

export const base32humanDecodeFunction = defineFunction({
  name: 'base32human_decode',
  description: 'Decodes Base32 (letters and the digits 2 to 7) to a text.',
  params: [
    required('value', 'String', 'The encoded text.'),
    optional('omit_padding', 'Boolean', 'Accepted: padding may always be missing.'),
  ],
  returns: 'String',
  call: (_, value) => decodedText(value, 'base32human'),
});
