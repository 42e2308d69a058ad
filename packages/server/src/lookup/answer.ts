/** As in JSON. */
export type LookupValue = string | number | boolean | null | readonly LookupValue[] | LookupObject;
export interface LookupObject {
  readonly [name: string]: LookupValue;
}

/** What a table says about a key. Null: nothing. */
export interface LookupAnswer {
  readonly single: LookupValue;
  readonly multi: LookupObject | null;
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
