import { defineFunction, optional, required } from '../define.ts';
import { decodedText } from '../values/encodings.ts';

export const base64urlDecodeFunction = defineFunction({
  name: 'base64url_decode',
  description: 'Decodes the Base64 of URLs to a text.',
  params: [
    required('value', 'String', 'The encoded text.'),
    optional('omit_padding', 'Boolean', 'Accepted: padding may always be missing.'),
  ],
  returns: 'String',
  call: (_, value) => decodedText(value, 'base64url'),
});
