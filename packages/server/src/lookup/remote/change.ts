import { InvalidError } from '#core/index.ts';
import { type LookupAnswer, listOf } from '../answer.ts';

/** What rules can do to a key of a table. */
export type LookupChange =
  | { readonly kind: 'set'; readonly value: LookupEntryValue; readonly ttlMs?: number | undefined }
  | { readonly kind: 'add'; readonly texts: readonly string[]; readonly keepsDuplicates: boolean }
  | { readonly kind: 'remove'; readonly texts: readonly string[] }
  | { readonly kind: 'clear' }
  | { readonly kind: 'ttl'; readonly ttlMs: number };

/** One value, or a list of texts. */
export type LookupEntryValue = string | number | boolean | readonly string[];

const MAX_TEXT_LENGTH = 10_000;
const MAX_LIST_LENGTH = 1000;
/** An entry of an index of PostgreSQL has at most 2704, with the id of the adapter. */
const MAX_KEY_BYTES = 2500;
const MAX_BYTES_OF_UNIT = 3;
/** What a change, and each text in it, costs beside its characters. */
const CHANGE_BYTES = 500;
const TEXT_BYTES = 50;

/** Undefined: the key can be one of a lookup table. */
export function problemOfKey(key: string): string | undefined {
  // Databases take none. Whoever sends a message chooses the key: that must not look like a failure of the adapter.
  if (key.includes('\0')) return 'a key of a lookup table has no NUL character (U+0000)';
  if (key.length * MAX_BYTES_OF_UNIT <= MAX_KEY_BYTES) return undefined;
  const bytes = Buffer.byteLength(key);
  if (bytes <= MAX_KEY_BYTES) return undefined;
  return `a key of a lookup table has at most ${MAX_KEY_BYTES} bytes, not ${bytes}`;
}

/** Throws an `InvalidError` for what cannot be one, with its place in the request. */
export function requireKey(key: string, path = 'key'): void {
  const problem = problemOfKey(key);
  if (problem !== undefined) throw new InvalidError(problem, { path });
}

/** About how much memory a change takes while it waits. */
export function bytesOfChange(key: string, change: LookupChange): number {
  const texts = change.kind === 'set' ? textsOf(change.value) : 'texts' in change ? change.texts : [];
  return texts.reduce((sum, { length }) => sum + TEXT_BYTES + 2 * length, CHANGE_BYTES + 2 * key.length);
}

/** The value of a key after a change; undefined: it has none. Throws, with a text for people, for a value that is too large. */
export function changedValue(
  before: LookupEntryValue | undefined,
  change: LookupChange,
): LookupEntryValue | undefined {
  switch (change.kind) {
    case 'set':
      return checked(change.value);
    case 'add':
      return checked(withTexts(textsOf(before), change.texts, change.keepsDuplicates));
    case 'remove': {
      const removed = new Set(change.texts);
      return before === undefined ? undefined : textsOf(before).filter((text) => !removed.has(text));
    }
    case 'clear':
      return undefined;
    case 'ttl':
      return before;
  }
}

/** What a change leaves of a key whose value is not known cannot be told before it is made. */
export function isIndependent({ kind }: LookupChange): boolean {
  return kind === 'set' || kind === 'clear';
}

export function entryValueOf(answer: LookupAnswer): LookupEntryValue | undefined {
  const list = listOf(answer);
  if (list !== undefined) return list;
  const { single } = answer;
  return single === null || typeof single === 'object' ? undefined : single;
}

function withTexts(before: readonly string[], added: readonly string[], keepsDuplicates: boolean) {
  return keepsDuplicates ? [...before, ...added] : [...new Set([...before, ...added])];
}

function textsOf(value: LookupEntryValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [String(value)];
}

function checked(value: LookupEntryValue): LookupEntryValue {
  const texts = typeof value === 'object' ? value : [value];
  if (texts.length > MAX_LIST_LENGTH)
    throw new Error(`a list of a lookup table has at most ${MAX_LIST_LENGTH} texts, not ${texts.length}`);
  const long = texts.find((text) => typeof text === 'string' && text.length > MAX_TEXT_LENGTH);
  if (long !== undefined)
    throw new Error(
      `a text of a lookup table has at most ${MAX_TEXT_LENGTH} characters, not ${String(long).length}`,
    );
  return value;
}
