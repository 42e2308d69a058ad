/** As in JSON. */
export type LookupValue = string | number | boolean | null | readonly LookupValue[] | LookupObject;
export interface LookupObject {
  readonly [name: string]: LookupValue;
}

/** What a table says about a key. Null: nothing. */
export interface LookupAnswer {
  readonly single: LookupValue;
  readonly multi: LookupObject | null;
  /** The list of texts, where it is not `value` of the multi value. */
  readonly list?: readonly string[];
}

export const NO_ANSWER: LookupAnswer = { single: null, multi: null };

/** A text, number or boolean is the single value, and `value` of the multi value. A list has no single value. */
export function answerOf(value: LookupValue): LookupAnswer {
  if (value === null) return NO_ANSWER;
  if (Array.isArray(value)) return { single: null, multi: { value } };
  if (typeof value === 'object') return { single: null, multi: value as LookupObject };
  return { single: value, multi: { value } };
}

export function isEmptyAnswer({ single, multi }: LookupAnswer): boolean {
  return single === null && multi === null;
}

/** The list of texts of an answer; undefined: it has none. */
export function listOf({ multi, list }: LookupAnswer): readonly string[] | undefined {
  if (list !== undefined) return list;
  const value = multi?.value;
  return Array.isArray(value) ? value.map(textOf) : undefined;
}

function textOf(value: LookupValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
