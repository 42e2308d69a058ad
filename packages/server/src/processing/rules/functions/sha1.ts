import { hash } from 'node:crypto';
import { defineFunction, required } from '../define.ts';

export const sha1Function = defineFunction({
  name: 'sha1',
  description: 'The SHA-1 of a text, in hexadecimal digits.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => hash('sha1', value),
});
