import { isMap, textOf, type Value, type ValueMap } from '@millrace/rules';
import { valueOfJson } from './values/json.ts';

/** The lookup tables, as rules see them. Answers are JSON. */
export interface RuleLookups {
  /** At once, from memory. Undefined: there is no table of this name. */
  lookup(table: string, key: string): { readonly single: unknown; readonly multi: unknown } | undefined;
}

/** The part of a rule's context that it takes to look something up. */
interface LookupContext {
  readonly environment: { readonly lookups?: RuleLookups | undefined };
}

/** What a table says about a key; nothing for a table that does not exist and for a key that is not there. */
export function lookedUp(
  { environment }: LookupContext,
  table: string,
  key: Value,
): { readonly single: Value; readonly multi: ValueMap | undefined } {
  const answer = key === undefined ? undefined : environment.lookups?.lookup(table, textOf(key));
  const multi = valueOfJson(answer?.multi);
  return { single: valueOfJson(answer?.single), multi: isMap(multi) ? multi : undefined };
}

/** The list of a key; undefined: it has none. */
export function lookedUpList(
  context: LookupContext,
  table: string,
  key: Value,
): readonly Value[] | undefined {
  const list = lookedUp(context, table, key).multi?.get('value');
  return Array.isArray(list) ? list : undefined;
}
