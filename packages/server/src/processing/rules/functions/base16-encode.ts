import { requireTextLength } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const base16EncodeFunction = defineFunction({
  name: 'base16_encode',
  description: 'Encodes a text in hexadecimal digits.',
  params: [
    required('value', 'String', 'The text.'),
    optional('omit_padding', 'Boolean', 'Accepted for symmetry: this encoding has no padding.'),
  ],
  returns: 'String',
  call: (_, value) => {
    requireTextLength(value.length * 2);
    return Buffer.from(value).toString('hex').toUpperCase();
  },
});
