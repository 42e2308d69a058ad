import { textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { changed } from '../lookups.ts';

export const lookupAddStringListFunction = defineFunction({
  name: 'lookup_add_string_list',
  description:
    'Adds texts to the list of a key in a lookup table that rules can change. Returns the new list.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
    required('value', 'List', 'The texts to add.'),
    optional(
      'keep_duplicates',
      'Boolean',
      'Whether texts may be in the list twice; false if it is left out.',
    ),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, key, texts, keepsDuplicates = false) =>
    changed(context, table, key, { kind: 'add', texts: texts.map(textOf), keepsDuplicates }).list,
});
