import { defineFunction, optional } from '../define.ts';
import { fieldNames, readerOf, removeField, writeField } from '../message-fields.ts';

export const normalizeFieldsFunction = defineFunction({
  name: 'normalize_fields',
  description: 'Writes the names of all fields in lower case.',
  params: [optional('message', 'Message', 'The message; the current one if it is left out.')],
  returns: 'Void',
  hasEffect: true,
  call: (context, message = context.current) => {
    for (const name of fieldNames(message.message)) {
      if (name === name.toLowerCase()) continue;
      const value = readerOf(name)(message.message);
      if (!writeField(message.message, name.toLowerCase(), value)) continue;
      removeField(message.message, name);
      context.changed();
    }
  },
});
