import { defineFunction, optional, required } from '../define.ts';
import { flattenJson } from '../values/flatten-json.ts';
import { JsonTree, parseJson } from '../values/json.ts';

export const flattenJsonFunction = defineFunction({
  name: 'flatten_json',
  description:
    'Parses JSON and makes one object without objects inside: {"a": {"b": 1}} becomes a_b. The result goes into set_fields(to_map(…)).',
  params: [
    required('value', 'String', 'The text.'),
    required(
      'array_handler',
      'String',
      'What to do with lists: ignore leaves them out, json writes them as text, flatten numbers their elements.',
    ),
    optional('stringify', 'Boolean', 'Whether to write all values as text; false if it is left out.'),
  ],
  returns: 'JsonNode',
  call: (_, value, arrays, stringify = false) => {
    const parsed = parseJson(value);
    return new JsonTree(parsed === undefined ? new Map() : flattenJson(parsed.value, arrays, stringify));
  },
});
