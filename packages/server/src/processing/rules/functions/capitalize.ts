import { defineFunction, required } from '../define.ts';

export const capitalizeFunction = defineFunction({
  name: 'capitalize',
  description: 'Writes the first letter in upper case.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) => value.charAt(0).toUpperCase() + value.slice(1),
});
