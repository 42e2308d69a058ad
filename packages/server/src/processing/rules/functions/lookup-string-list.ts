import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional, required } from '../define.ts';
import { lookedUpList } from '../lookups.ts';

export const lookupStringListFunction = defineFunction({
  name: 'lookup_string_list',
  description: 'Looks up the list of texts of a key in a lookup table.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('key', 'Object', 'The key.'),
    optional('default', 'List', 'The result if the key has no list; an empty one if it is left out.'),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, key, fallback = []) => lookedUpList(context, table, key)?.map(textOf) ?? fallback,
});
