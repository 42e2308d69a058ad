import { isList, textOf, type Value } from '@millrace/rules';
import type { PipelineContext } from '../context.ts';
import { defineFunction, optional, required } from '../define.ts';
import { JsonTree, parsedBy } from '../values/json.ts';
import { selectJsonPath } from '../values/json-path.ts';

export const selectJsonpathFunction = defineFunction({
  name: 'select_jsonpath',
  description: 'Reads values from parsed JSON by their paths.',
  params: [
    required('json', 'Object', 'What parse_json() returned, or the text of JSON.'),
    required('paths', 'Map', 'Names and paths: {user: "$.request.user", first: "$.items[0]"}'),
    optional('exclude_empty_arrays', 'Boolean', 'Whether to leave out empty lists.'),
  ],
  returns: 'Map',
  call: (context, given, paths, excludeEmpty = false) => {
    const json = treeOf(context, given);
    if (json === undefined) return new Map();
    const found = new Map<string, ReturnType<typeof selectJsonPath>>();
    for (const [name, path] of paths) {
      const value = selectJsonPath(json.value, textOf(path));
      if (value === undefined || (excludeEmpty && isList(value) && value.length === 0)) continue;
      found.set(name, value);
    }
    return found;
  },
});

/** Undefined: a text that is not JSON. */
function treeOf(context: PipelineContext, given: Value): { readonly value: Value } | undefined {
  if (given instanceof JsonTree) return given;
  if (typeof given === 'string') return parsedBy(context, given);
  throw new Error('json is neither a tree of parse_json() nor a text');
}
