import { defineFunction, required } from '../define.ts';

export const uncapitalizeFunction = defineFunction({
  name: 'uncapitalize',
  description: 'Writes the first letter in lower case.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => value.charAt(0).toLowerCase() + value.slice(1),
});
