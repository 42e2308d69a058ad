/**
 * A JSON reader for the cases `JSON.parse` cannot serve: it keeps every digit of long numbers, gives nested objects and
 * arrays as their text, and forgives what careless senders do (raw control characters inside strings, a comma before a
 * closing bracket, null bytes after the end, numbers that JSON does not have). It is several times slower than
 * `JSON.parse`, so it runs only when that failed or when something in the message asks for it.
 */

/** The text of an object or array within the document: no white space between tokens, numbers as sent. */
export class NestedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number as it was written, of a member that is wanted as text. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Integers beyond 2^53 are bigints within 64 bits; what no number can hold exactly is text. */
export type ExactValue = string | number | bigint | boolean | null | NestedJson;

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly kind: 'syntax' | 'not-object' | 'too-deep';

  constructor(kind: 'syntax' | 'not-object' | 'too-deep', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Deeper nesting is refused: no honest message has it, and readers of the text may be recursive. */
export const MAX_JSON_DEPTH = 100;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
// biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters are what it looks for
const RAW_CONTROL = /[\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; escapes are matched to be left alone
const ESCAPE_OR_RAW_CONTROL = /\\[\s\S]|[\u0000-\u001f]/g;

const NOT_NUMBERS = ['NaN', 'Infinity', '-Infinity'];

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The exact value of a JSON number. */
export function exactNumber(text: string, isInteger: boolean): number | bigint | string {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  if (!isInteger) return Number.isFinite(number) ? number : text;
  // Past 64 bits; 20 characters are the longest that may still fit, and BigInt is quadratic in its input.
  if (text.length > 20) return text;
  const exact = BigInt(text);
  return exact >= MIN_INT64 && exact <= MAX_INT64 ? exact : text;
}

/**
 * The members of a JSON object, in order; of two with the same name the last one counts, as in `JSON.parse`.
 * Throws `JsonSyntaxError` when the text is not one JSON object.
 */
export function parseExactObject(text: string): Map<string, ExactValue> {
  const reader = new ExactReader(text);
  const { members, end } = reader.firstObject(() => reader.value());
  if (end < text.length) throw reader.unexpected();
  return members;
}

/**
 * The same of the first JSON object of the text, and where it ends, white space and null bytes included. Numbers of the
 * members in `asWritten` are `WrittenNumber`s.
 */
export function firstExactObject(
  text: string,
  asWritten: ReadonlySet<string>,
): FirstObject<ExactValue | WrittenNumber> {
  const reader = new ExactReader(text);
  return reader.firstObject((name) => (asWritten.has(name) ? reader.writtenValue() : reader.value()));
}

export interface FirstObject<Value> {
  readonly members: Map<string, Value>;
  readonly end: number;
}

/** The text of the object or array that begins at `position`. Throws `JsonSyntaxError`. */
export function nestedJsonAt(text: string, position: number): string {
  return new ExactReader(text, position).nested();
}

class ExactReader {
  readonly #text: string;
  readonly #numberAt = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  #at: number;

  constructor(text: string, position = 0) {
    this.#text = text;
    this.#at = position;
  }

  nested(): string {
    return this.#nestedText(1);
  }

  firstObject<Value>(readValue: (name: string) => Value): FirstObject<Value> {
    this.#skipSpace();
    if (this.#peek() !== OPEN_BRACE) throw new JsonSyntaxError('not-object', 'it is not a JSON object');
    const members = new Map<string, Value>();
    this.#members(CLOSE_BRACE, () => {
      const name = this.#string();
      this.#colon();
      members.set(name, readValue(name));
    });
    this.#skipSpace();
    while (this.#peek() === 0) this.#at += 1;
    return { members, end: this.#at };
  }

  /** Everything from the opening bracket to the closing one, `member` for each thing between the commas. */
  #members(close: number, member: () => void): void {
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#peek() === close) break;
      member();
      this.#skipSpace();
      if (this.#peek() === COMMA) this.#at += 1;
      else if (this.#peek() !== close) throw this.unexpected();
    }
    this.#at += 1;
  }

  writtenValue(): ExactValue | WrittenNumber {
    this.#skipSpace();
    const sign = this.#peek() === MINUS ? 1 : 0;
    const digit = this.#text.charCodeAt(this.#at + sign);
    const isNumber = digit >= 0x30 && digit <= 0x39;
    return isNumber ? new WrittenNumber(this.#number().text) : this.value();
  }

  value(): ExactValue {
    this.#skipSpace();
    const first = this.#peek();
    if (first === QUOTE) return this.#string();
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return new NestedJson(this.#nestedText(1));
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    if (this.#word('null')) return null;
    const word = this.#notANumber();
    if (word !== undefined) return word;
    const number = this.#number();
    return exactNumber(number.text, number.isInteger);
  }

  #nestedText(depth: number): string {
    if (depth > MAX_JSON_DEPTH) {
      throw new JsonSyntaxError('too-deep', `it is nested deeper than ${MAX_JSON_DEPTH} levels`);
    }
    const parts: string[] = [];
    if (this.#peek() === OPEN_BRACE) {
      this.#members(CLOSE_BRACE, () => {
        const name = this.#stringText();
        this.#colon();
        parts.push(`${name}:${this.#valueText(depth)}`);
      });
      return `{${parts.join(',')}}`;
    }
    this.#members(CLOSE_BRACKET, () => parts.push(this.#valueText(depth)));
    return `[${parts.join(',')}]`;
  }

  #valueText(depth: number): string {
    this.#skipSpace();
    const first = this.#peek();
    if (first === QUOTE) return this.#stringText();
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return this.#nestedText(depth + 1);
    if (this.#word('true')) return 'true';
    if (this.#word('false')) return 'false';
    if (this.#word('null')) return 'null';
    const word = this.#notANumber();
    return word === undefined ? this.#number().text : `"${word}"`;
  }

  /** What JavaScript and Python write for numbers that JSON does not have. */
  #notANumber(): string | undefined {
    return NOT_NUMBERS.find((word) => this.#word(word));
  }

  #number(): { text: string; isInteger: boolean } {
    this.#numberAt.lastIndex = this.#at;
    const match = this.#numberAt.exec(this.#text);
    if (match === null) throw this.unexpected();
    this.#at = this.#numberAt.lastIndex;
    return { text: match[0], isInteger: match[1] === undefined && match[2] === undefined };
  }

  #string(): string {
    const text = this.#stringText();
    return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
  }

  /** A string with its quotes, made valid: raw control characters escaped, escapes checked. */
  #stringText(): string {
    if (this.#peek() !== QUOTE) throw this.unexpected();
    const start = this.#at;
    const end = this.#closingQuote(start);
    this.#at = end + 1;
    let text = this.#text.slice(start, end + 1);
    if (RAW_CONTROL.test(text)) {
      text = text.replace(ESCAPE_OR_RAW_CONTROL, (found) =>
        found.charCodeAt(0) === BACKSLASH ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
    if (text.includes('\\')) this.#checkEscapes(text, start);
    return text;
  }

  #closingQuote(start: number): number {
    let quote = this.#text.indexOf('"', start + 1);
    while (quote >= 0) {
      let backslashes = 0;
      while (this.#text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return quote;
      quote = this.#text.indexOf('"', quote + 1);
    }
    throw new JsonSyntaxError('syntax', `the string at position ${start} has no end`);
  }

  #checkEscapes(text: string, start: number): void {
    try {
      JSON.parse(text);
    } catch {
      throw new JsonSyntaxError('syntax', `the string at position ${start} has a bad escape`);
    }
  }

  #colon(): void {
    this.#skipSpace();
    if (this.#peek() !== COLON) throw this.unexpected();
    this.#at += 1;
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#peek();
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  /** NaN at the end of the text. */
  #peek(): number {
    return this.#text.charCodeAt(this.#at);
  }

  unexpected(): JsonSyntaxError {
    if (this.#at >= this.#text.length) return new JsonSyntaxError('syntax', 'the JSON text ends too early');
    const found = JSON.stringify(this.#text.slice(this.#at, this.#at + 1));
    return new JsonSyntaxError('syntax', `unexpected ${found} at position ${this.#at}`);
  }
}
