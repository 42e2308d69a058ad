import { crc32 as crc } from 'node:zlib';
import { defineFunction, required } from '../define.ts';

export const crc32Function = defineFunction({
  name: 'crc32',
  description: 'The CRC32 of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => crc(value).toString(16).padStart(8, '0'),
});
