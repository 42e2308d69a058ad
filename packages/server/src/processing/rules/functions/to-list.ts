import { isList } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';
import { JsonTree } from '../values/json.ts';

export const toListFunction = defineFunction({
  name: 'to_list',
  description: 'Converts a JSON list to a list. Other values give an empty list.',
  params: [
    nullable('value', 'Object', 'A list, or the result of parse_json().'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result instead of an empty list; false if it is left out.',
    ),
  ],
  returns: 'List',
  passesOn: true,
  call: (_, value, defaultToNull = false) => {
    if (value === undefined && defaultToNull) return undefined;
    const inner = value instanceof JsonTree ? value.value : value;
    return isList(inner) ? inner : [];
  },
});
