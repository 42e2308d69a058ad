import { requireTextLength } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const base64EncodeFunction = defineFunction({
  name: 'base64_encode',
  description: 'Encodes a text in Base64.',
  params: [
    required('value', 'String', 'The text.'),
    optional('omit_padding', 'Boolean', 'Whether to leave out the = at the end; false if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, omitPadding = false) => {
    requireTextLength(value.length * 2);
    const encoded = Buffer.from(value).toString('base64');
    return omitPadding ? encoded.replace(/=+$/, '') : encoded;
  },
});
