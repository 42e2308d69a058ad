import { isMap } from '@millrace/rules';
import { defineFunction, nullable, optional, required } from '../define.ts';
import { lookedUpMulti } from '../lookups.ts';

export const lookupFunction = defineFunction({
  name: 'lookup',
  description: 'Looks up all values of a key in a lookup table.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('key', 'Object', 'The key.'),
    optional('default', 'Object', 'The result if neither the key nor the table has a value.'),
  ],
  returns: 'Map',
  hasEffect: true,
  call: (context, table, key, fallback) =>
    lookedUpMulti(context, table, key) ?? (isMap(fallback) ? fallback : undefined),
});
