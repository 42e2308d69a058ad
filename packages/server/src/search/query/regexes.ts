/**
 * Regular expressions: RE2's in both evaluators, so linear in time. ClickHouse's `match` lets `.` match line breaks,
 * therefore the predicate does too.
 */
import { RE2JS } from 're2js';
import { VALUE_SEPARATOR } from './words.ts';

/** About what the engine compiles before it refuses; a program of this size is never written by hand. */
const MAX_PROGRAM_SIZE = 20_000;

export interface CompiledRegex {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** Undefined for what RE2 does not understand or what is too large. */
export function compileRegex(source: string): CompiledRegex | undefined {
  try {
    const compiled = RE2JS.compile(source, RE2JS.DOTALL);
    return compiled.programSize() <= MAX_PROGRAM_SIZE ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/**
 * How a regular expression is looked for anywhere in a message, where all values stand in one text.
 * `joined`: this one, which never reaches from one value into the next, in the joined text.
 * `pieces`: in each piece of the joined text.
 * `values`: in each value itself, since it asks what is beside a match: a value that stands in the message
 * is not repeated in the joined text, where it has other neighbours.
 */
export type RegexScope =
  | { readonly type: 'joined'; readonly source: string }
  | { readonly type: 'pieces' | 'values' };

export function regexScope(source: string): RegexScope {
  const reader = new ScopeReader(source);
  const rewritten = reader.read();
  if (reader.asksForNeighbours) return { type: 'values' };
  return rewritten === undefined ? { type: 'pieces' } : { type: 'joined', source: rewritten };
}

const NO_SEPARATOR = `[^${VALUE_SEPARATOR}]`;
const REWRITTEN_ESCAPES: Readonly<Record<string, string>> = {
  W: `[^0-9A-Za-z_${VALUE_SEPARATOR}]`,
  D: `[^0-9${VALUE_SEPARATOR}]`,
  S: `[^\t\n\f\r ${VALUE_SEPARATOR}]`,
};

/** Reads a pattern that is known to be RE2's. What it does not know for certain it takes for the worse. */
class ScopeReader {
  asksForNeighbours = false;
  readonly #source: string;
  #position = 0;
  #isCertain = true;

  constructor(source: string) {
    this.#source = source;
    // Flags that change what `.` matches; names of groups are never so short.
    if (/\(\?[imsU]*-?[imsU]*s/.test(source) || source.includes(VALUE_SEPARATOR)) this.#isCertain = false;
  }

  read(): string | undefined {
    let rewritten = '';
    while (this.#position < this.#source.length) rewritten += this.#step();
    return this.#isCertain ? rewritten : undefined;
  }

  #step(): string {
    const character = this.#source[this.#position] ?? '';
    switch (character) {
      case '\\':
        return this.#escape();
      case '[':
        return this.#class();
      case '^':
      case '$':
        this.asksForNeighbours = true;
        break;
      case '.':
        this.#position++;
        return NO_SEPARATOR;
    }
    this.#position++;
    return character;
  }

  #escape(): string {
    const letter = this.#source[this.#position + 1] ?? '';
    this.#position += 2;
    if (/[bBAzQ]/.test(letter)) this.asksForNeighbours = true;
    if (/[xpPE0-9]/.test(letter)) this.#isCertain = false;
    return REWRITTEN_ESCAPES[letter] ?? `\\${letter}`;
  }

  #class(): string {
    const start = this.#position;
    const isNegated = this.#source[start + 1] === '^';
    const first = start + (isNegated ? 2 : 1);
    let end = this.#source[first] === ']' ? first + 1 : first;
    while (end < this.#source.length && this.#source[end] !== ']') {
      if (this.#source.startsWith('[:', end)) end = Math.max(this.#source.indexOf(':]', end), end) + 1;
      end += this.#source[end] === '\\' ? 2 : 1;
    }
    this.#position = end + 1;
    const inside = this.#source.slice(first, end);
    // Classes in classes, codes, and ranges that begin among the control characters could have the separator in them.
    if (/\\[^\]^[.\\/-]|\[:|\p{Cc}/u.test(inside.replaceAll(/\\[dws]/g, ''))) this.#isCertain = false;
    if (!isNegated) return `[${inside}]`;
    if (/^[\]-]/.test(inside)) this.#isCertain = false;
    return `[^${VALUE_SEPARATOR}${inside}]`;
  }
}
