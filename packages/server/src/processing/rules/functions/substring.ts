import { defineFunction, optional, required } from '../define.ts';

export const substringFunction = defineFunction({
  name: 'substring',
  description: 'A part of a text. Negative positions count from its end.',
  params: [
    required('value', 'String', 'The text.'),
    required('start', 'Long', 'The position of the first character, from 0.'),
    optional(
      'indexEnd',
      'Long',
      'The position after the last character; the end of the text if it is left out.',
    ),
  ],
  returns: 'String',
  call: (_, value, start, end) => value.slice(Number(start), end === undefined ? undefined : Number(end)),
});
