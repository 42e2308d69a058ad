import { isMap } from '@millrace/rules';
import { defineFunction, required } from '../define.ts';
import { JsonTree } from '../values/json.ts';

export const toMapFunction = defineFunction({
  name: 'to_map',
  description: 'Converts a JSON object to a map. Other values have no result.',
  params: [required('value', 'Object', 'A map, or the result of parse_json().')],
  returns: 'Map',
  call: (_, value) => {
    const inner = value instanceof JsonTree ? value.value : value;
    return isMap(inner) ? inner : undefined;
  },
});
