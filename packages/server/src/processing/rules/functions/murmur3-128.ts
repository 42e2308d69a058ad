import { defineFunction, required } from '../define.ts';
import { murmur128 } from '../values/checksums.ts';

export const murmur3128Function = defineFunction({
  name: 'murmur3_128',
  description: 'The MurmurHash3 of a text, 128 bits in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => murmur128(value),
});
