import { defineFunction, optional, required } from '../define.ts';
import { fieldNames, removeField } from '../message-fields.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';

export const removeFieldFunction = defineFunction({
  name: 'remove_field',
  description:
    'Removes a field, or all fields whose names match a regular expression. message, source, timestamp and level stay.',
  params: [
    required('field', 'String', 'The name of the field, or a regular expression for names.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
    optional(
      'invert',
      'Boolean',
      'Whether to keep these fields and remove all others; false if it is left out.',
    ),
  ],
  returns: 'Void',
  hasEffect: true,
  checkConstants: (constants) => patternProblems(constants, 'field'),
  call: (context, field, message = context.current, isInverted = false) => {
    const { regex } = javaRegex(`^(?:${field})$`);
    for (const name of fieldNames(message.message))
      if ((name === field || regex.test(name)) !== isInverted) removeField(message.message, name);
    context.changed();
  },
});
