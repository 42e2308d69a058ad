import { textOf } from '@millrace/rules';
import { defineFunction, required } from '../define.ts';
import { selectJsonPath } from '../values/json-path.ts';

export const selectJsonpathFunction = defineFunction({
  name: 'select_jsonpath',
  description: 'Reads values from parsed JSON by their paths.',
  params: [
    required('json', 'JsonNode', 'What parse_json() returned.'),
    required('paths', 'Map', 'Names and paths: {user: "$.request.user", first: "$.items[0]"}'),
  ],
  returns: 'Map',
  call: (_, json, paths) => {
    const found = new Map<string, ReturnType<typeof selectJsonPath>>();
    for (const [name, path] of paths) {
      const value = selectJsonPath(json.value, textOf(path));
      if (value !== undefined) found.set(name, value);
    }
    return found;
  },
});
