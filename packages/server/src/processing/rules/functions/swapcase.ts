import { defineFunction, required } from '../define.ts';

export const swapcaseFunction = defineFunction({
  name: 'swapcase',
  description: 'Writes upper case letters in lower case, and the other way round.',
  params: [required('value', 'String', 'The text.')],
  returns: 'String',
  call: (_, value) =>
    value.replaceAll(/\p{L}/gu, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
});
