import { hash } from 'node:crypto';
import { defineFunction, required } from '../define.ts';

export const sha512Function = defineFunction({
  name: 'sha512',
  description: 'The SHA-512 of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => hash('sha512', value),
});
