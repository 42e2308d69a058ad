import { defineFunction, optional, required } from '../define.ts';
import { decodedText } from '../values/encodings.ts';

export const base64DecodeFunction = defineFunction({
  name: 'base64_decode',
  description: 'Decodes Base64 to a text.',
  params: [
    required('value', 'String', 'The encoded text.'),
    optional('omit_padding', 'Boolean', 'Accepted: padding may always be missing.'),
  ],
  returns: 'String',
  call: (_, value) => decodedText(value, 'base64'),
});
