import { isMap } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';
import { JsonTree } from '../values/json.ts';

export const toMapFunction = defineFunction({
  name: 'to_map',
  description: 'Converts a JSON object to a map. Other values give an empty map.',
  params: [
    nullable('value', 'Object', 'A map, or the result of parse_json().'),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result instead of an empty map; false if it is left out.',
    ),
  ],
  returns: 'Map',
  passesOn: true,
  call: (_, value, defaultToNull = false) => {
    if (value === undefined && defaultToNull) return undefined;
    const inner = value instanceof JsonTree ? value.value : value;
    return isMap(inner) ? inner : new Map();
  },
});
