import { defineFunction, required } from '../define.ts';
import { lookedUpSingle } from '../lookups.ts';

export const lookupAllFunction = defineFunction({
  name: 'lookup_all',
  description:
    'Looks up the single values of several keys in a lookup table. Keys without a value are left out.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('keys', 'List', 'The keys.'),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, keys) =>
    keys.map((key) => lookedUpSingle(context, table, key)).filter((value) => value !== undefined),
});
