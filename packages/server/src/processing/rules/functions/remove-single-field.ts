import { defineFunction, optional, required } from '../define.ts';
import { removeField } from '../message-fields.ts';

export const removeSingleFieldFunction = defineFunction({
  name: 'remove_single_field',
  description: 'Removes the field with exactly this name. message, source, timestamp and level stay.',
  params: [
    required('field', 'String', 'The name of the field.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, field, message = context.current) => {
    removeField(message.message, field);
    context.changed();
  },
});
