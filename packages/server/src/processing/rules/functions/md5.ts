import { hash } from 'node:crypto';
import { defineFunction, required } from '../define.ts';

export const md5Function = defineFunction({
  name: 'md5',
  description: 'The MD5 of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => hash('md5', value),
});
