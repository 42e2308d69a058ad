import type { FieldValue } from '#core/index.ts';
import { exactNumber, JsonSyntaxError, MAX_JSON_DEPTH, nestedJsonAt } from '../json/exact-json.ts';
import { GelfFailure } from './failure.ts';

const TOO_DEEP = new GelfFailure('too_deep', `a field is nested deeper than ${MAX_JSON_DEPTH} levels`);
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
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
  readonly #numberAt = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

  /** The message is `text[start, end)`. */
  set(text: string, start: number, end: number): void {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#searched = 0;
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
    // The search leaves out the quote and the underscore: a rare first character is found far faster.
    const needle = `${key.slice(1)}":`;
    const found = this.#find(key, needle, 0);
    if (found < 0) return -1;
    let at = found + needle.length;
    // Without nested objects there is only one member of that name.
    if (this.#mayHoldObjects() && this.#find(key, needle, at) >= 0) return -1;
    // `JSON.parse` allows no other white space than this.
    while (this.#text.charCodeAt(at) <= 0x20) at += 1;
    return at;
  }

  #find(key: string, needle: string, from: number): number {
    const text = this.#text;
    let found = text.indexOf(needle, from);
    while (found >= 0) {
      const complete =
        text.charCodeAt(found - 1) === key.charCodeAt(0) && text.charCodeAt(found - 2) === QUOTE;
      // A quote after a backslash is part of a longer key.
      if (complete && text.charCodeAt(found - 3) !== BACKSLASH) return found;
      found = text.indexOf(needle, found + 1);
    }
    return -1;
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
