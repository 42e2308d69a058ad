import { defineFunction, optional, required } from '../define.ts';
import { JsonTree, parsedBy } from '../values/json.ts';

export const parseJsonFunction = defineFunction({
  name: 'parse_json',
  description: 'Parses JSON. A text that is not JSON gives an empty object.',
  params: [
    required('value', 'String', 'The text.'),
    optional('depth', 'Long', 'Accepted and ignored: objects are parsed to the end.'),
  ],
  returns: 'JsonNode',
  call: (context, value) => new JsonTree(parsedBy(context, value)?.value ?? new Map()),
});
