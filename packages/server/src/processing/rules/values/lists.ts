import { isList, type Value } from '@millrace/rules';
import { JsonTree, parseJson } from './json.ts';

/** A list, or the JSON text of one: fields of messages have no lists. What is missing is an empty one. */
export function listOf(value: Value): readonly Value[] {
  const inner = value instanceof JsonTree ? value.value : value;
  if (inner === undefined) return [];
  if (isList(inner)) return inner;
  const parsed = typeof inner === 'string' && inner.startsWith('[') ? parseJson(inner)?.value : undefined;
  if (isList(parsed)) return parsed;
  throw new Error('the elements are not a list');
}
