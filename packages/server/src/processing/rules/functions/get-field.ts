import { defineFunction, optional, required } from '../define.ts';
import { readerOf } from '../message-fields.ts';

export const getFieldFunction = defineFunction({
  name: 'get_field',
  description: 'The value of a field whose name is computed.',
  params: [
    required('field', 'String', 'The name of the field.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Object',
  passesOn: true,
  call: ({ current }, field, message = current) => readerOf(field)(message.message),
});
