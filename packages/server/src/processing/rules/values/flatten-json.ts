import { isList, isMap, textOf, type Value } from '@millrace/rules';
import { jsonText } from './json.ts';

const HANDLERS: ReadonlySet<string> = new Set(['ignore', 'json', 'flatten']);

/** One map without maps inside: the keys are the paths, joined by `_`. */
export function flattenJson(value: Value, arrays: string, stringify: boolean): Map<string, Value> {
  if (!HANDLERS.has(arrays)) {
    throw new Error(`"${arrays}" is not a way to handle lists; use ignore, json or flatten`);
  }
  const flat = new Map<string, Value>();
  const open: [string, Value][] = isMap(value) ? [...value] : [['value', value]];
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const [path, each] = entry;
    if (isMap(each))
      open.unshift(...[...each].map(([key, inner]): [string, Value] => [`${path}_${key}`, inner]));
    else if (isList(each)) {
      if (arrays === 'json') flat.set(path, jsonText(each));
      if (arrays === 'flatten')
        open.unshift(...each.map((inner, index): [string, Value] => [`${path}_${index}`, inner]));
    } else if (each !== undefined) flat.set(path, stringify ? textOf(each) : each);
  }
  return flat;
}
