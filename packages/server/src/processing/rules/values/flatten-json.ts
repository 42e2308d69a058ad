import { isList, isMap, textOf, type Value } from '@millrace/rules';
import { MAX_FIELDS, MAX_NAME_LENGTH } from '../message-limits.ts';
import { jsonText } from './json.ts';

const HANDLERS: ReadonlySet<string> = new Set(['ignore', 'json', 'flatten']);

/** One map without maps inside: the keys are the paths, joined by `_`. Throws for more than a message can have. */
export function flattenJson(value: Value, arrays: string, stringify: boolean): Map<string, Value> {
  if (!HANDLERS.has(arrays)) {
    throw new Error(`"${arrays}" is not a way to handle lists; use ignore, json or flatten`);
  }
  const flat = new Map<string, Value>();
  // The next one is the last of them.
  const open: [string, Value][] = isMap(value) ? [...value].reverse() : [['value', value]];
  const add = (path: string, entries: Iterable<readonly [string | number, Value]>) => {
    // The paths inside would only get longer, all of them together without bound.
    if (path.length > MAX_NAME_LENGTH) {
      throw new Error(
        `the path "${path.slice(0, 60)}…" has more than ${MAX_NAME_LENGTH} characters; ` +
          'read what you need with select_jsonpath()',
      );
    }
    for (const [key, inner] of [...entries].reverse()) open.push([`${path}_${key}`, inner]);
  };
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, each] = entry;
    if (isMap(each)) add(path, each);
    else if (isList(each)) {
      if (arrays === 'json') flat.set(path, jsonText(each));
      if (arrays === 'flatten') add(path, each.entries());
    } else if (each !== undefined) flat.set(path, stringify ? textOf(each) : each);
    if (flat.size > MAX_FIELDS) {
      throw new Error(
        `the JSON has more than ${MAX_FIELDS} values; read those you need with select_jsonpath()`,
      );
    }
  }
  return flat;
}
