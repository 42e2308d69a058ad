import { defineFunction, optional, required } from '../define.ts';

export const lengthFunction = defineFunction({
  name: 'length',
  description: 'The length of a text, in characters or in bytes of UTF-8.',
  params: [
    required('value', 'String', 'The text.'),
    optional('bytes', 'Boolean', 'Whether to count bytes; false if it is left out.'),
  ],
  returns: 'Long',
  call: (_, value, bytes = false) => (bytes ? Buffer.byteLength(value) : value.length),
});
