/**
 * Regular expressions. Both evaluators use RE2, which is linear in time. In ClickHouse's `match`, `.` matches line
 * breaks, so the predicate does the same.
 */
import { RE2JS } from 're2js';
import { VALUE_SEPARATOR } from './words.ts';

/** About the size at which the engine refuses to compile. */
const MAX_PROGRAM_SIZE = 20_000;

export interface CompiledRegex {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** Undefined for an expression that is invalid in RE2 or too large. */
export function compileRegex(source: string): CompiledRegex | undefined {
  try {
    const compiled = RE2JS.compile(source, RE2JS.DOTALL);
    return compiled.programSize() <= MAX_PROGRAM_SIZE ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/**
 * How to search all values of a message, which are joined in one text, for a regular expression.
 * `joined`: search the joined text for the rewritten `source`, which never matches across two values.
 * `pieces`: search each piece of the joined text.
 * `values`: search each value by itself, because the expression depends on what surrounds a match. A value that
 * the message contains is not repeated in the joined text, so there it has other neighbours.
 */
export type RegexScope =
  | { readonly type: 'joined'; readonly source: string }
  | { readonly type: 'pieces' | 'values' };

export function regexScope(source: string): RegexScope {
  const reader = new ScopeReader(source);
  const rewritten = reader.read();
  if (reader.dependsOnNeighbours) return { type: 'values' };
  return rewritten === undefined ? { type: 'pieces' } : { type: 'joined', source: rewritten };
}

const NO_SEPARATOR = `[^${VALUE_SEPARATOR}]`;
const REWRITTEN_ESCAPES: Readonly<Record<string, string>> = {
  W: `[^0-9A-Za-z_${VALUE_SEPARATOR}]`,
  D: `[^0-9${VALUE_SEPARATOR}]`,
  S: `[^\t\n\f\r ${VALUE_SEPARATOR}]`,
};

/** Rewrites a valid RE2 pattern so that it does not match the separator; gives up whenever that is not certain. */
class ScopeReader {
  dependsOnNeighbours = false;
  readonly #source: string;
  #position = 0;
  #canRewrite = true;

  constructor(source: string) {
    this.#source = source;
    // Flags that change what `.` matches. The name of a group cannot look like this.
    if (/\(\?[imsU]*-?[imsU]*s/.test(source) || source.includes(VALUE_SEPARATOR)) this.#canRewrite = false;
  }

  read(): string | undefined {
    let rewritten = '';
    while (this.#position < this.#source.length) rewritten += this.#step();
    return this.#canRewrite ? rewritten : undefined;
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
        this.dependsOnNeighbours = true;
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
    if (/[bBAzQ]/.test(letter)) this.dependsOnNeighbours = true;
    if (/[xpPE0-9]/.test(letter)) this.#canRewrite = false;
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
    // Nested classes, character codes, and ranges that start with a control character may include the separator.
    if (/\\[^\]^[.\\/-]|\[:|\p{Cc}/u.test(inside.replaceAll(/\\[dws]/g, ''))) this.#canRewrite = false;
    if (!isNegated) return `[${inside}]`;
    if (/^[\]-]/.test(inside)) this.#canRewrite = false;
    return `[^${VALUE_SEPARATOR}${inside}]`;
  }
}
