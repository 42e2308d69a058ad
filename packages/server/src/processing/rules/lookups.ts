import { isMap, textOf, type Value, type ValueMap } from '@millrace/rules';
import { valueOfJson } from './values/json.ts';

/** The lookup tables, as rules see them. Answers are JSON. */
export interface RuleLookups {
  /** At once, from memory. Undefined: there is no table of this name. */
  lookup(table: string, key: string): RuleLookupAnswer | undefined;
}

export interface RuleLookupAnswer {
  readonly single: unknown;
  readonly multi: unknown;
  /** The list of texts, where it is not `value` of the multi value. */
  readonly list?: readonly string[];
}

/** The part of a rule's context that it takes to look something up. */
interface LookupContext {
  readonly environment: { readonly lookups?: RuleLookups | undefined };
}

/** What a table says about a key; nothing for a table that does not exist and for a key that is not there. */
export function lookedUp(
  context: LookupContext,
  table: string,
  key: Value,
): { readonly single: Value; readonly multi: ValueMap | undefined } {
  const answer = answerOf(context, table, key);
  const multi = valueOfJson(answer?.multi);
  return { single: valueOfJson(answer?.single), multi: isMap(multi) ? multi : undefined };
}

/** The list of a key; undefined: it has none. */
export function lookedUpList(
  context: LookupContext,
  table: string,
  key: Value,
): readonly Value[] | undefined {
  const answer = answerOf(context, table, key);
  return answer && listOf(answer);
}

export function listOf({ list, multi }: RuleLookupAnswer): readonly Value[] | undefined {
  if (list !== undefined) return list;
  const values = valueOfJson(multi);
  const value = isMap(values) ? values.get('value') : undefined;
  return Array.isArray(value) ? value : undefined;
}

function answerOf({ environment }: LookupContext, table: string, key: Value): RuleLookupAnswer | undefined {
  return key === undefined ? undefined : environment.lookups?.lookup(table, textOf(key));
}
