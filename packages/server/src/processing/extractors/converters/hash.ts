import { hash as digest } from 'node:crypto';
import { definePlainConverter } from '../converter.ts';

export const hash = definePlainConverter(
  { id: 'hash', name: 'Hash', description: 'The MD5 of the text, in hexadecimal digits.' },
  { kind: 'value', convert: (text) => digest('md5', text) },
);
