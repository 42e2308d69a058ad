import type { MessageValue } from '../context.ts';
import { defineFunction, optional } from '../define.ts';
import { fieldNames, readerOf, removeField } from '../message-fields.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';

export const removeStringFieldsByValueFunction = defineFunction({
  name: 'remove_string_fields_by_value',
  description:
    'Removes the fields whose value is one of these texts, or matches a regular expression as a whole. Numbers and other values stay, and so do message, source, timestamp and level.',
  params: [
    optional('pattern', 'String', 'A regular expression for the whole value.'),
    optional('values', 'List', 'The texts.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (context, pattern, values = [], { message }: MessageValue = context.current) => {
    const texts = new Set(values);
    const regex = pattern === undefined ? undefined : javaRegex(`^(?:${pattern})$`).regex;
    for (const name of fieldNames(message)) {
      const value = readerOf(name)(message);
      if (typeof value !== 'string') continue;
      if (texts.has(value) || regex?.test(value) === true) removeField(message, name);
    }
    context.changed();
  },
});
