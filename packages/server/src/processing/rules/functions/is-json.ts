import { defineFunction, nullable } from '../define.ts';
import { JsonTree } from '../values/json.ts';

export const isJsonFunction = defineFunction({
  name: 'is_json',
  description: 'Whether a value is parsed JSON, as parse_json() makes it.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value instanceof JsonTree,
});
