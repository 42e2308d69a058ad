import { textOf } from '@millrace/rules';
import { defineFunction, optional } from '../define.ts';
import { fieldNames, removeField } from '../message-fields.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';

export const removeMultipleFieldsFunction = defineFunction({
  name: 'remove_multiple_fields',
  description:
    'Removes fields by their names, or by a regular expression for names. message, source, timestamp and level stay.',
  params: [
    optional('pattern', 'String', 'A regular expression that is found in the names of the fields to remove.'),
    optional('names', 'List', 'The names of the fields to remove.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (context, pattern, names = [], message = context.current) => {
    for (const name of names) removeField(message.message, textOf(name));
    if (pattern !== undefined) {
      const { regex } = javaRegex(pattern);
      for (const name of fieldNames(message.message))
        if (regex.test(name)) removeField(message.message, name);
    }
    context.changed();
  },
});
