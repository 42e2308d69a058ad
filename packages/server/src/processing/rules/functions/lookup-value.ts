import { defineFunction, nullable, optional, required } from '../define.ts';
import { lookedUpSingle } from '../lookups.ts';

export const lookupValueFunction = defineFunction({
  name: 'lookup_value',
  description: 'Looks up the single value of a key in a lookup table.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('key', 'Object', 'The key.'),
    optional('default', 'Object', 'The result if neither the key nor the table has a value.'),
  ],
  returns: 'Object',
  hasEffect: true,
  call: (context, table, key, fallback) => lookedUpSingle(context, table, key) ?? fallback,
});
