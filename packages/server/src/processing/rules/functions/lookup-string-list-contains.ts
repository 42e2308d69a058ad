import { textOf } from '@millrace/rules';
import { defineFunction, nullable, required } from '../define.ts';
import { lookedUpList } from '../lookups.ts';

export const lookupStringListContainsFunction = defineFunction({
  name: 'lookup_string_list_contains',
  description: 'Whether the list of texts of a key in a lookup table contains a text.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('key', 'Object', 'The key.'),
    nullable('value', 'Object', 'The text.'),
  ],
  returns: 'Boolean',
  hasEffect: true,
  call: (context, table, key, value) => {
    if (value === undefined) return false;
    const wanted = textOf(value);
    return lookedUpList(context, table, key)?.some((each) => textOf(each) === wanted) ?? false;
  },
});
