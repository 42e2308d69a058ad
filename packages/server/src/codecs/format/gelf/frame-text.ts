import type { FieldValue } from '#core/index.ts';
import { exactNumber, JsonSyntaxError, MAX_JSON_DEPTH, nestedJsonAt } from '../json/exact-json.ts';
import { GelfFailure } from './failure.ts';

const TOO_DEEP = new GelfFailure('too_deep', `a field is nested deeper than ${MAX_JSON_DEPTH} levels`);
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COLON = 0x3a;
const ESCAPED_NAME_CHARACTER = /\\u00(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/i;
const MAX_SEARCHED_CHARACTERS = 256 * 1024;

/**
 * The text of a parsed message, to look up what `JSON.parse` does not keep: the digits of long integers and the
 * text of nested values. Reused for every message.
 */
export class FrameText {
  #text = '';
  #start = 0;
  #end = 0;
  #searched = 0;
  /** Not known before it is asked for. */
  #escapes: boolean | undefined = undefined;
  readonly #numberAt = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

  /** The message is `text[start, end)`. */
  set(text: string, start: number, end: number): void {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#searched = 0;
    this.#escapes = undefined;
  }

  unknown(): void {
    this.set('', 0, 0);
  }

  /**
   * The exact value of a number beyond 2^53, of an object or of an array that is the member `key` of the
   * message. Undefined when the member cannot be found with certainty.
   */
  exactValue(key: string, parsed: unknown): FieldValue | GelfFailure | undefined {
    const length = this.#end - this.#start;
    // Each look-up searches the text. A message full of such values must not take quadratic time.
    this.#searched += length;
    if (this.#searched > MAX_SEARCHED_CHARACTERS) return undefined;
    // A slice costs nothing and keeps searches out of other messages.
    if (length < this.#text.length) {
      this.#text = this.#text.slice(this.#start, this.#end);
      this.#start = 0;
      this.#end = length;
    }
    const at = this.#valueAt(key);
    if (at < 0) return undefined;
    return typeof parsed === 'number' ? this.#numberOf(at, parsed) : this.#nestedOf(at, parsed);
  }

  /** The position of the member's value when only one place is possible, else -1. */
  #valueAt(key: string): number {
    if (this.#mayHoldEscapedKeys()) return -1;
    const first = this.#next(key, 0);
    const second = first < 0 ? -1 : this.#next(key, first);
    if (second < 0) return first;
    // The last member of a name counts, unless it belongs to an object inside.
    if (this.#mayHoldObjects()) return -1;
    let last = second;
    for (let next = second; next >= 0; next = this.#next(key, next)) last = next;
    return last;
  }

  /** The position of the value of the next member of that name, here or in an object inside; -1 if there is none. */
  #next(key: string, from: number): number {
    const text = this.#text;
    // The search leaves out the quote and the underscore: a rare first character is found far faster.
    const left = key.length > 1 ? 1 : 0;
    const needle = `${key.slice(left)}"`;
    for (let found = text.indexOf(needle, from); found >= 0; found = text.indexOf(needle, found + 1)) {
      const quote = found - left - 1;
      if (text.charCodeAt(quote) !== QUOTE || text.charCodeAt(quote + 1) !== key.charCodeAt(0)) continue;
      // A quote after a backslash is part of a longer key or of a text.
      if (text.charCodeAt(quote - 1) === BACKSLASH) continue;
      const colon = this.#skipSpace(found + needle.length);
      // Otherwise it is a text that equals the key.
      if (text.charCodeAt(colon) === COLON) return this.#skipSpace(colon + 1);
    }
    return -1;
  }

  #skipSpace(from: number): number {
    let at = from;
    // `JSON.parse` allows no other white space than this.
    while (this.#text.charCodeAt(at) <= 0x20) at += 1;
    return at;
  }

  /** Whether a letter, digit, dot, dash or underscore is written as an escape, so that the search may miss a key. */
  #mayHoldEscapedKeys(): boolean {
    this.#escapes ??= this.#text.includes('\\u00') && ESCAPED_NAME_CHARACTER.test(this.#text);
    return this.#escapes;
  }

  /** Whether an object with members may be inside: a brace, then a quote or white space. */
  #mayHoldObjects(): boolean {
    let brace = this.#text.indexOf('{', 1);
    while (brace >= 0) {
      const next = this.#text.charCodeAt(brace + 1);
      if (next === QUOTE || next <= 0x20) return true;
      brace = this.#text.indexOf('{', brace + 1);
    }
    return false;
  }

  #numberOf(at: number, parsed: number): FieldValue | undefined {
    this.#numberAt.lastIndex = at;
    const match = this.#numberAt.exec(this.#text);
    if (match === null || Number(match[0]) !== parsed) return undefined;
    return exactNumber(match[0], match[1] === undefined && match[2] === undefined);
  }

  #nestedOf(at: number, parsed: unknown): string | GelfFailure | undefined {
    if (!isShallow(parsed, MAX_JSON_DEPTH)) return TOO_DEEP;
    const compact = JSON.stringify(parsed);
    if (this.#text.startsWith(compact, at)) return compact;
    if (this.#text.charAt(at) !== compact.charAt(0)) return undefined;
    try {
      return nestedJsonAt(this.#text, at);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return undefined;
      throw error;
    }
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(member, levels - 1)) return false;
  }
  return true;
}
