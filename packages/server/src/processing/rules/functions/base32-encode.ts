import { defineFunction, optional, required } from '../define.ts';
import { encodeBase32 } from '../values/encodings.ts';

export const base32EncodeFunction = defineFunction({
  name: 'base32_encode',
  description: 'Encodes a text in Base32 (with the extended hexadecimal alphabet).',
  params: [
    required('value', 'String', 'The text.'),
    optional('omit_padding', 'Boolean', 'Whether to leave out the = at the end; false if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, omitPadding = false) => encodeBase32(value, 'base32', omitPadding),
});
