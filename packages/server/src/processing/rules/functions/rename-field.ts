import { defineFunction, optional, required } from '../define.ts';
import { renameField } from '../message-fields.ts';

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
    if (renameField(message.message, oldField, newField)) context.changed();
  },
});
