/**
 * Checks whether a regular expression is valid in RE2. It has its own parser, so that the editor in the browser, the
 * server and ClickHouse agree, and so that errors can name the features that RE2 does not support.
 */

export interface RegexProblem {
  /** Continues the sentence "The regular expression … ". */
  readonly message: string;
  readonly suggestion: string;
}

const DIALECT = 'Use the syntax of RE2, and write a backslash before a character that is meant as text.';
const MAX_REPETITIONS = 1000;

/** Groups of other dialects that start with `(?`. */
const UNSUPPORTED_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^\(\?[=!]/, 'uses look-ahead'],
  [/^\(\?<[=!]/, 'uses look-behind'],
  [/^\(\?>/, 'has an atomic group'],
  [/^\(\?#/, 'has a comment'],
  [/^\(\?(?:R|\d|&|P[=>]|\()/, 'refers to another of its groups'],
];
const GROUP_START =
  /\((?:\?(?:P?<(?<name>\w+)>|(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?:|(?<flags>(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)\))))?/y;
const REPETITION = /(?:[*+?]|\{(?<least>\d+)(?<comma>,)?(?<most>\d*)\})\??/y;
const ESCAPE =
  /\\(?:[afnrtvdDsSwWAbBz]|x[0-9a-fA-F]{2}|x\{[0-9a-fA-F]{1,6}\}|0[0-7]{0,2}|[1-7][0-7]{1,2}|[pP][A-Z]|[pP]\{\^?[A-Z]\w*\}|[^\p{L}\p{N}\u0080-\u{10ffff}])/uy;
const CLASS_ESCAPE =
  /\\(?:[afnrtvdDsSwW]|x[0-9a-fA-F]{2}|x\{[0-9a-fA-F]{1,6}\}|0[0-7]{0,2}|[1-7][0-7]{1,2}|[pP][A-Z]|[pP]\{\^?[A-Z]\w*\}|[^\p{L}\p{N}\u0080-\u{10ffff}])/uy;
const CLASS_NAME =
  /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y;

/** Thrown inside the reader and caught by `checkRegex`. */
class InvalidRegex {
  readonly problem: RegexProblem;
  constructor(message: string, suggestion = DIALECT) {
    this.problem = { message, suggestion };
  }
}

/**
 * `size`: the number of characters, classes and groups up to the problem, multiplied by their repetitions. The cost to
 * compile an expression grows with its size, not with its length.
 */
export function checkRegex(source: string): {
  readonly problem: RegexProblem | undefined;
  readonly size: number;
} {
  const reader = new RegexReader(source);
  try {
    reader.read();
    return { problem: undefined, size: reader.size };
  } catch (error) {
    if (error instanceof InvalidRegex) return { problem: error.problem, size: reader.size };
    throw error;
  }
}

/** One level of nested groups. */
interface Level {
  /** The largest number of repetitions in it. */
  repetitions: number;
  /** The same for the preceding atom; undefined when there is nothing to repeat. */
  atom: number | undefined;
  size: number;
  /** The size of the preceding atom. */
  atomSize: number;
}

function newLevel(): Level {
  return { repetitions: 1, atom: undefined, size: 0, atomSize: 0 };
}

class RegexReader {
  readonly #source: string;
  readonly #names = new Set<string>();
  readonly #levels: Level[] = [newLevel()];
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#position;
    const found = form.exec(this.#source);
    if (found !== null) this.#position += found[0].length;
    return found ?? undefined;
  }

  get size(): number {
    return this.#levels.reduce((sum, { size }) => sum + size, 0);
  }

  read(): void {
    if (this.#source === '')
      throw new InvalidRegex('is empty.', 'Write a pattern between the slashes, or put the text in quotes.');
    while (this.#position < this.#source.length) this.#step();
    if (this.#levels.length > 1)
      throw new InvalidRegex('has a "(" that is not closed.', 'Close it with ")", or write \\(.');
  }

  #level(): Level {
    return this.#levels.at(-1) as Level;
  }

  /** Adds something that can be repeated. */
  #addAtom(size = 1): void {
    const level = this.#level();
    level.atom = 1;
    level.atomSize = size;
    level.size += size;
  }

  #step(): void {
    switch (this.#source[this.#position]) {
      case '(':
        this.#openGroup();
        return;
      case ')':
        this.#closeGroup();
        return;
      case '|':
        this.#position++;
        this.#level().atom = undefined;
        return;
      case '[':
        this.#readClass();
        this.#addAtom();
        return;
      case '\\':
        this.#readEscape();
        return;
      default:
        if (!this.#readRepetition()) {
          this.#position += (this.#source.codePointAt(this.#position) as number) > 0xffff ? 2 : 1;
          this.#addAtom();
        }
    }
  }

  #openGroup(): void {
    const rest = this.#source.slice(this.#position, this.#position + 8);
    const unsupported = UNSUPPORTED_GROUPS.find(([form]) => form.test(rest));
    if (unsupported !== undefined) {
      const suggestion = unsupported[1].startsWith('uses look')
        ? 'Write the condition as a separate clause, for example a AND NOT /b/.'
        : DIALECT;
      throw new InvalidRegex(
        `${unsupported[1]} ("${rest.slice(0, 3)}"), which RE2 does not support.`,
        suggestion,
      );
    }
    const start = this.#take(GROUP_START);
    if (start === undefined || (start[0] === '(' && this.#source.startsWith('?', this.#position)))
      throw new InvalidRegex(`has an unknown group: "${rest}".`);
    const name = start.groups?.name;
    if (name !== undefined && this.#names.has(name))
      throw new InvalidRegex(`has two groups with the name "${name}".`);
    if (name !== undefined) this.#names.add(name);
    // Flags such as `(?i)` are not a group and cannot be repeated.
    if (start.groups?.flags === undefined) this.#levels.push(newLevel());
    else this.#level().atom = undefined;
  }

  #closeGroup(): void {
    if (this.#levels.length === 1)
      throw new InvalidRegex('has a ")" that closes nothing.', 'Remove it, or write \\).');
    const inner = this.#levels.pop() as Level;
    this.#position++;
    const outer = this.#level();
    this.#addAtom(inner.size + 1);
    outer.atom = inner.repetitions;
    outer.repetitions = Math.max(outer.repetitions, inner.repetitions);
  }

  #readRepetition(): boolean {
    const found = this.#take(REPETITION);
    if (found === undefined) return false;
    const [operator] = found;
    const current = this.#level();
    if (current.atom === undefined)
      throw new InvalidRegex(`has "${operator}" with nothing before it to repeat.`);
    const { least, comma, most } = found.groups ?? {};
    const upper = comma === undefined || most === '' ? Number(least ?? 1) : Number(most);
    if (Math.max(Number(least ?? 0), upper) * current.atom > MAX_REPETITIONS)
      throw new InvalidRegex(
        `repeats something more than ${MAX_REPETITIONS} times with "${operator}".`,
        'Use fewer repetitions, or write + or *.',
      );
    if (upper < Number(least ?? 0))
      throw new InvalidRegex(`has a repetition that ends before it starts: "${operator}".`);
    current.repetitions = Math.max(current.repetitions, upper * current.atom);
    current.size += current.atomSize * Math.max(0, upper - 1);
    const next = this.#take(REPETITION);
    if (next !== undefined)
      throw new InvalidRegex(
        `repeats a repetition: "${operator}${next[0]}".`,
        'Remove one, or put the first in brackets.',
      );
    return true;
  }

  #readEscape(): void {
    if (this.#source.startsWith('\\Q', this.#position)) {
      const end = this.#source.indexOf('\\E', this.#position);
      const text = this.#source.slice(this.#position + 2, end === -1 ? undefined : end);
      this.#position += text.length + (end === -1 ? 2 : 4);
      this.#addAtom(text.length);
      if (text === '') this.#level().atom = undefined;
      return;
    }
    if (this.#take(ESCAPE) === undefined) throw this.#badEscape();
    this.#addAtom();
  }

  #badEscape(): InvalidRegex {
    const pair = this.#source.slice(this.#position, this.#position + 2);
    if (/\\[1-9k]/.test(pair))
      return new InvalidRegex(
        `has a back reference ("${pair}"), which RE2 does not support.`,
        'Write the text again, or use a simpler expression.',
      );
    return new InvalidRegex(`has an unknown escape: "${pair}".`);
  }

  #readClass(): void {
    this.#position++;
    if (this.#source[this.#position] === '^') this.#position++;
    let isFirst = true;
    while (isFirst || this.#source[this.#position] !== ']') {
      if (this.#position >= this.#source.length)
        throw new InvalidRegex('has a "[" that is not closed.', 'Close it with "]", or write \\[.');
      isFirst = false;
      this.#readClassItem();
    }
    this.#position++;
  }

  #readClassItem(): void {
    // The engines disagree about `[:` without a class name.
    if (this.#source.startsWith('[:', this.#position)) {
      if (this.#take(CLASS_NAME) === undefined)
        throw new InvalidRegex(
          `has an unknown character class: "${this.#source.slice(this.#position, this.#position + 10)}".`,
        );
      return;
    }
    const low = this.#readClassCharacter();
    if (low === undefined || this.#source[this.#position] !== '-' || this.#source[this.#position + 1] === ']')
      return;
    if (this.#position + 1 >= this.#source.length) return;
    this.#position++;
    const start = this.#position;
    const high = this.#readClassCharacter();
    if (high === undefined)
      throw new InvalidRegex(
        `has a range that ends in a class: "-${this.#source.slice(start, this.#position)}".`,
      );
    if (high < low)
      throw new InvalidRegex(
        'has a range in [ ] that ends before it starts.',
        'Write the smaller character first.',
      );
  }

  /** Its code point; undefined for classes such as \d. */
  #readClassCharacter(): number | undefined {
    const start = this.#position;
    if (this.#source[start] !== '\\') {
      const code = this.#source.codePointAt(start) as number;
      this.#position += code > 0xffff ? 2 : 1;
      return code;
    }
    if (this.#take(CLASS_ESCAPE) === undefined) throw this.#badEscape();
    return escapedCharacter(this.#source.slice(start + 1, this.#position));
  }
}

const CONTROL: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

function escapedCharacter(pair: string): number | undefined {
  if (/^[dDsSwWpP]/.test(pair)) return undefined;
  if (pair.startsWith('x')) return Number.parseInt(pair.replaceAll(/[x{}]/g, ''), 16);
  if (/^[0-7]/.test(pair)) return Number.parseInt(pair, 8);
  return CONTROL[pair] ?? pair.codePointAt(0);
}
