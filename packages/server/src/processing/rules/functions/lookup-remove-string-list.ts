import { textOf } from '@millrace/rules';
import { defineFunction, required } from '../define.ts';
import { changed } from '../lookups.ts';

export const lookupRemoveStringListFunction = defineFunction({
  name: 'lookup_remove_string_list',
  description:
    'Removes texts from the list of a key in a lookup table that rules can change. Returns the new list.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
    required('value', 'List', 'The texts to remove.'),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, key, texts) =>
    changed(context, table, key, { kind: 'remove', texts: texts.map(textOf) }).list,
});
