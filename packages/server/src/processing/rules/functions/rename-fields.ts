import { textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { renameField } from '../message-fields.ts';

export const renameFieldsFunction = defineFunction({
  name: 'rename_fields',
  description: 'Gives fields other names. Those that the message does not have are left out.',
  params: [
    required('fields', 'Map', 'The names that they have, with the names that they get.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, fields, message = context.current) => {
    for (const [oldName, newName] of fields) renameField(message.message, oldName, textOf(newName));
    context.changed();
  },
});
