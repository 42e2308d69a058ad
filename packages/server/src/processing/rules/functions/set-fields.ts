import { defineFunction, optional, required } from '../define.ts';
import { writeField } from '../message-fields.ts';

export const setFieldsFunction = defineFunction({
  name: 'set_fields',
  description: 'Sets a field for every entry of a map.',
  params: [
    required('fields', 'Map', 'Names and values.'),
    optional('prefix', 'String', 'Put before every name.'),
    optional('suffix', 'String', 'Put after every name.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
    optional('clean_fields', 'Boolean', 'Names are always made valid; this changes nothing.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, fields, prefix = '', suffix = '', message = context.current) => {
    fields.forEach((value, field) => {
      writeField(message.message, prefix + field + suffix, value);
    });
    context.changed();
  },
});
