import { isList, type Value } from '@millrace/rules';
import { defineFunction, nullable, required } from '../define.ts';
import { lookedUpSingle } from '../lookups.ts';
import { JsonTree } from '../values/json.ts';

export const lookupAllFunction = defineFunction({
  name: 'lookup_all',
  description:
    'Looks up the single values of several keys in a lookup table. Keys without a value are left out.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('keys', 'Object', 'A list of keys, or one key.'),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, keys) =>
    keysOf(keys)
      .map((key) => lookedUpSingle(context, table, key))
      .filter((value) => value !== undefined),
});

function keysOf(keys: Value): readonly Value[] {
  const value = keys instanceof JsonTree ? keys.value : keys;
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}
