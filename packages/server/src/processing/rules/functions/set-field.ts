import { defineFunction, nullable, optional, required } from '../define.ts';
import { writeField, writerOf } from '../message-fields.ts';

export const setFieldFunction = defineFunction({
  name: 'set_field',
  description: 'Sets a field of the message. An empty text and a missing value change nothing.',
  params: [
    required(
      'field',
      'String',
      'The name of the field. Other characters than letters, digits, _, - and . become _.',
    ),
    nullable('value', 'Object', 'The new value.'),
    optional('prefix', 'String', 'Put before the name.'),
    optional('suffix', 'String', 'Put after the name.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
    optional('default', 'Object', 'The value to set if the other one is missing.'),
    optional('clean_field', 'Boolean', 'Names are always made valid; this changes nothing.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (
    context,
    field,
    value,
    prefix = '',
    suffix = '',
    message = context.current,
    fallback = undefined,
  ) => {
    writeField(message.message, prefix + field + suffix, value ?? fallback);
    context.changed();
  },
  compile: ([field, value, prefix, suffix, message, fallback]) => {
    const isSimple = field?.isConstant === true && typeof field.constant === 'string';
    const hasMore = prefix !== undefined || suffix !== undefined || message !== undefined;
    if (!isSimple || hasMore || fallback !== undefined || value === undefined) return undefined;
    const write = writerOf(String(field.constant));
    const { evaluate } = value;
    return (context) => {
      const written = evaluate(context);
      write(context.current.message, written);
      context.changed();
      return undefined;
    };
  },
});
