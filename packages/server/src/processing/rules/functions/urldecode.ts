import { defineFunction, optional, required } from '../define.ts';
import { decodeUrlPart } from '../values/encodings.ts';

export const urldecodeFunction = defineFunction({
  name: 'urldecode',
  description: "Decodes a value of a URL's query: + becomes a space.",
  params: [
    required('value', 'String', 'The encoded text.'),
    optional('charset', 'String', 'The character set; UTF-8 if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, charset = 'UTF-8') => decodeUrlPart(value, charset),
});
