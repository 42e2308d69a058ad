import { defineFunction, optional, required } from '../define.ts';
import { hasField } from '../message-fields.ts';

export const hasFieldFunction = defineFunction({
  name: 'has_field',
  description: 'Whether the message has the field.',
  params: [
    required('field', 'String', 'The name of the field.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Boolean',
  call: ({ current }, field, message = current) => hasField(message.message, field),
});
