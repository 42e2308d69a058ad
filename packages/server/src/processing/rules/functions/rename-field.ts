import { defineFunction, optional, required } from '../define.ts';
import { cleanFieldName, readerOf, removeField, writeField } from '../message-fields.ts';

export const renameFieldFunction = defineFunction({
  name: 'rename_field',
  description: 'Gives a field another name. Does nothing if the message does not have it.',
  params: [
    required('old_field', 'String', 'The name it has.'),
    required('new_field', 'String', 'The name it gets.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, oldField, newField, message = context.current) => {
    const value = readerOf(oldField)(message.message);
    if (value === undefined || oldField === cleanFieldName(newField)) return;
    // Written first: a value that the new name cannot have stays where it is.
    if (!writeField(message.message, newField, value)) return;
    removeField(message.message, oldField);
    context.changed();
  },
});
