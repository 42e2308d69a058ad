import { defineFunction, required } from '../define.ts';
import { crc32c as crc } from '../values/checksums.ts';

export const crc32cFunction = defineFunction({
  name: 'crc32c',
  description: 'The CRC32C (Castagnoli) of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => crc(value).toString(16).padStart(8, '0'),
});
