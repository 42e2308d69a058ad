import { defineFunction, optional, required } from '../define.ts';
import { encodeUrlPart } from '../values/encodings.ts';

export const urlencodeFunction = defineFunction({
  name: 'urlencode',
  description: "Encodes a text as a value of a URL's query: a space becomes +.",
  params: [
    required('value', 'String', 'The text.'),
    optional(
      'charset',
      'String',
      'The character set; UTF-8 if it is left out, and the only one for characters outside of Latin-1.',
    ),
  ],
  returns: 'String',
  call: (_, value, charset = 'UTF-8') => encodeUrlPart(value, charset),
});
