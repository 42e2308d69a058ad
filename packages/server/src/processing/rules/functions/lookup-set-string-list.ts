import { textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { changed, ttlMsOf } from '../lookups.ts';

export const lookupSetStringListFunction = defineFunction({
  name: 'lookup_set_string_list',
  description:
    'Sets the list of texts of a key in a lookup table that rules can change. Returns the new list.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
    required('value', 'List', 'The texts.'),
    optional('ttl', 'Long', 'Seconds after which it is forgotten; never if it is left out.'),
  ],
  returns: 'List',
  hasEffect: true,
  call: (context, table, key, texts, ttl) =>
    changed(context, table, key, {
      kind: 'set',
      value: texts.map(textOf),
      ttlMs: ttl === undefined ? undefined : ttlMsOf(ttl),
    }).list,
});
