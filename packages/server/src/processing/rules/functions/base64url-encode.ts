import { requireTextLength } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const base64urlEncodeFunction = defineFunction({
  name: 'base64url_encode',
  description: 'Encodes a text in the Base64 of URLs.',
  params: [
    required('value', 'String', 'The text.'),
    optional('omit_padding', 'Boolean', 'Whether to leave out the = at the end; false if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, omitPadding = false) => {
    requireTextLength(value.length * 2);
    const encoded = Buffer.from(value).toString('base64url');
    return omitPadding ? encoded : encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=');
  },
});
