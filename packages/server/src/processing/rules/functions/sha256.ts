import { hash } from 'node:crypto';
import { defineFunction, required } from '../define.ts';

export const sha256Function = defineFunction({
  name: 'sha256',
  description: 'The SHA-256 of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => hash('sha256', value),
});
