import { defineFunction, required } from '../define.ts';
import { murmur32 } from '../values/checksums.ts';

export const murmur332Function = defineFunction({
  name: 'murmur3_32',
  description: 'The MurmurHash3 of a text, 32 bits in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => murmur32(value),
});
