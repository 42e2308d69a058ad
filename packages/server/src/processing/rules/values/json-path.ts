/**
 * Paths into JSON, as JsonPath writes them: `$.a.b`, `$['a b']`, `$.list[0]`, `$.list[-1]`, `$.list[0:2]`,
 * `$.list[*].name`, `$..name`. A path that may lead to several values gives a list.
 */
import { isList, isMap, type Value } from '@millrace/rules';
import { BoundedMap } from '#core/index.ts';
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';

type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'all' }
  | { readonly kind: 'deep' };

const TOKEN =
  /\.\.|\.?\*|\.([^.[\]'"\s*]+)|\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+)|(-?\d*):(-?\d*)|\*)\s*\]|^([^.[\]'"\s*$]+)/y;
const paths = new BoundedMap<string, readonly Step[]>({ maxEntries: 1000 });
/** A path with `..` may lead everywhere. */
const MAX_VALUES = 10_000;

/** Undefined: the path leads nowhere. Throws for a text that is not a path. */
export function selectJsonPath(root: Value, path: string): Value {
  let steps = paths.get(path);
  if (steps === undefined) {
    steps = readPath(path);
    if (path.length <= MAX_REMEMBERED_LENGTH) paths.set(path, steps);
  }
  const isDefinite = steps.every(({ kind }) => kind === 'key' || kind === 'index');
  let values: Value[] = [root];
  for (const step of steps) {
    const found: Value[] = [];
    for (const value of values) {
      for (const each of follow(value, step)) found.push(each);
      if (found.length > MAX_VALUES)
        throw new Error(`the path ${path.slice(0, 100)} leads to more than ${MAX_VALUES} values`);
    }
    values = found;
  }
  return isDefinite ? values[0] : values;
}

function readPath(path: string): readonly Step[] {
  const steps: Step[] = [];
  const text = path.trim();
  TOKEN.lastIndex = text.startsWith('$') ? 1 : 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null)
      throw new Error(`"${path.slice(0, 100)}" is not a JSON path: look at character ${at + 1}`);
    const [whole, name, single, double, index, from, to, first] = token;
    const key = name ?? single ?? double ?? first;
    if (whole === '..') {
      steps.push({ kind: 'deep' });
      const next = /\w/.test(text.charAt(TOKEN.lastIndex)) ? TOKEN.lastIndex - 1 : TOKEN.lastIndex;
      TOKEN.lastIndex = next;
    } else if (key !== undefined) steps.push({ kind: 'key', key: key.replaceAll(/\\(.)/g, '$1') });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (from !== undefined) steps.push({ kind: 'slice', from: bound(from), to: bound(to) });
    else steps.push({ kind: 'all' });
  }
  return steps;
}

function bound(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

function follow(value: Value, step: Step): Value[] {
  switch (step.kind) {
    case 'key':
      return isMap(value) && value.has(step.key) ? [value.get(step.key)] : [];
    case 'index':
      return isList(value) && value.at(step.index) !== undefined ? [value.at(step.index)] : [];
    case 'slice':
      return isList(value) ? value.slice(step.from, step.to) : [];
    case 'all':
      return isList(value) ? [...value] : isMap(value) ? [...value.values()] : [];
    case 'deep':
      return everything(value);
  }
}

const NOTHING: readonly Value[] = [];

/** The value and all that is inside of it. */
function everything(root: Value): Value[] {
  const all: Value[] = [];
  const open: Value[] = [root];
  while (open.length > 0 && all.length <= MAX_VALUES) {
    // The next one is the last of them.
    const value = open.pop();
    all.push(value);
    const inner = isList(value) ? value : isMap(value) ? [...value.values()] : NOTHING;
    for (let index = inner.length - 1; index >= 0; index--) open.push(inner[index]);
  }
  return all;
}
