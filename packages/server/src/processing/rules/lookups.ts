import { isMap, type Long, textOf, type Value, type ValueMap, WholeDouble } from '@millrace/rules';
import { valueOfJson } from './values/json.ts';

/** The lookup tables, as rules see them. Answers are JSON. */
export interface RuleLookups {
  /** At once, from memory. Undefined: there is no table of this name. */
  lookup(table: string, key: string): RuleLookupAnswer | undefined;
  /** Changes a key, and says what it has now. Undefined: there is no table of this name that rules may change. */
  change?(table: string, key: string, change: RuleLookupChange): RuleLookupAnswer | undefined;
}

/** What rules can do to a key. */
export type RuleLookupChange =
  | {
      readonly kind: 'set';
      readonly value: string | number | boolean | readonly string[];
      readonly ttlMs?: number | undefined;
    }
  | { readonly kind: 'add'; readonly texts: readonly string[]; readonly keepsDuplicates: boolean }
  | { readonly kind: 'remove'; readonly texts: readonly string[] }
  | { readonly kind: 'clear' }
  | { readonly kind: 'ttl'; readonly ttlMs: number };

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

/** The single value of a key; nothing for a table that does not exist and for a key that is not there. */
export function lookedUpSingle(context: LookupContext, table: string, key: Value): Value {
  return valueOfJson(answerOf(context, table, key)?.single);
}

/** The multi value of a key. */
export function lookedUpMulti(context: LookupContext, table: string, key: Value): ValueMap | undefined {
  const multi = valueOfJson(answerOf(context, table, key)?.multi);
  return isMap(multi) ? multi : undefined;
}

/** Whether a key has a value of any kind. */
export function isLookedUp(context: LookupContext, table: string, key: Value): boolean {
  const answer = answerOf(context, table, key);
  return valueOfJson(answer?.single) !== undefined || isMap(valueOfJson(answer?.multi));
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

/** What a key has after a change; nothing for a table that rules cannot change. */
export function changed(
  { environment }: LookupContext,
  table: string,
  key: Value,
  change: RuleLookupChange,
): { readonly single: Value; readonly list: readonly Value[] | undefined } {
  const answer = key === undefined ? undefined : environment.lookups?.change?.(table, textOf(key), change);
  return { single: valueOfJson(answer?.single), list: answer && listOf(answer) };
}

/** A value as tables store it: numbers and booleans as they are, integers that JSON cannot have and all else as texts. */
export function storable(value: Exclude<Value, undefined>): string | number | boolean {
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  return value instanceof WholeDouble ? value.value : textOf(value);
}

const MAX_SECONDS = 1e9;

/** Throws for a time that is none. */
export function ttlMsOf(seconds: Long): number {
  const number = Number(seconds);
  if (number < 1 || number > MAX_SECONDS)
    throw new Error(`a time to live has between 1 and ${MAX_SECONDS} seconds, not ${number}`);
  return number * 1000;
}
