/**
 * Whether a regular expression is one of RE2's. It is checked here and not by an engine, so that the editor in the
 * browser, the server and ClickHouse say the same, and so that what RE2 leaves out (it could take for ever) is called
 * by its name.
 */

export interface RegexProblem {
  /** Continues the sentence "The regular expression … ". */
  readonly message: string;
  readonly suggestion: string;
}

const DIALECT =
  'Regular expressions are those of RE2; put a backslash in front of a character that is meant as text.';
const MAX_REPETITIONS = 1000;

/** What stands behind `(?`, of other dialects. */
const UNSUPPORTED_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^\(\?[=!]/, 'looks ahead'],
  [/^\(\?<[=!]/, 'looks behind'],
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

/** A problem is thrown inside and caught at the border: the pattern is read by several functions. */
class Refused {
  readonly problem: RegexProblem;
  constructor(message: string, suggestion = DIALECT) {
    this.problem = { message, suggestion };
  }
}

/**
 * `size`: how many characters, classes and groups the engines make of it, each as often as it is repeated, up to
 * where the problem is. What they need to compile it grows with that, not with its length.
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
    if (error instanceof Refused) return { problem: error.problem, size: reader.size };
    throw error;
  }
}

/** Brackets that are open, from the outermost. */
interface Level {
  /** How often the largest repetition in it repeats something. */
  repetitions: number;
  /** The same for what stands in front; undefined when there is nothing to repeat. */
  atom: number | undefined;
  size: number;
  /** Of what stands in front. */
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
      throw new Refused('is empty.', 'Write a pattern between the slashes, or put the text in quotes.');
    while (this.#position < this.#source.length) this.#step();
    if (this.#levels.length > 1)
      throw new Refused('has a "(" that is not closed.', 'Close it with ")", or write \\(.');
  }

  #level(): Level {
    return this.#levels.at(-1) as Level;
  }

  /** Something that can be repeated. */
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
      const suggestion = unsupported[1].startsWith('looks')
        ? 'Write what must not or must be there as a clause of its own: a AND NOT /b/.'
        : DIALECT;
      throw new Refused(`${unsupported[1]} ("${rest.slice(0, 3)}"), which RE2 does not do.`, suggestion);
    }
    const start = this.#take(GROUP_START);
    if (start === undefined || (start[0] === '(' && this.#source.startsWith('?', this.#position)))
      throw new Refused(`has a group that is not known: "${rest}".`);
    const name = start.groups?.name;
    if (name !== undefined && this.#names.has(name))
      throw new Refused(`has two groups with the name "${name}".`);
    if (name !== undefined) this.#names.add(name);
    // Flags alone, `(?i)`, are no group and nothing to repeat.
    if (start.groups?.flags === undefined) this.#levels.push(newLevel());
    else this.#level().atom = undefined;
  }

  #closeGroup(): void {
    if (this.#levels.length === 1)
      throw new Refused('has a ")" that closes nothing.', 'Leave it out, or write \\).');
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
      throw new Refused(`has "${operator}" with nothing to repeat in front of it.`);
    const { least, comma, most } = found.groups ?? {};
    const upper = comma === undefined || most === '' ? Number(least ?? 1) : Number(most);
    if (Math.max(Number(least ?? 0), upper) * current.atom > MAX_REPETITIONS)
      throw new Refused(
        `repeats something more than ${MAX_REPETITIONS} times with "${operator}".`,
        'Repeat less, or write + or *.',
      );
    if (upper < Number(least ?? 0))
      throw new Refused(`has a repetition that ends before it begins: "${operator}".`);
    current.repetitions = Math.max(current.repetitions, upper * current.atom);
    current.size += current.atomSize * Math.max(0, upper - 1);
    const next = this.#take(REPETITION);
    if (next !== undefined)
      throw new Refused(
        `repeats a repetition: "${operator}${next[0]}".`,
        'Leave one out, or put the first in brackets.',
      );
    // What comes next stands behind something that may not be repeated again, but this was checked just now.
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

  #badEscape(): Refused {
    const pair = this.#source.slice(this.#position, this.#position + 2);
    if (/\\[1-9k]/.test(pair))
      return new Refused(
        `refers back to a group ("${pair}"), which RE2 does not do.`,
        'Write the text again, or search for less.',
      );
    return new Refused(`has an escape that is not known: "${pair}".`);
  }

  #readClass(): void {
    this.#position++;
    if (this.#source[this.#position] === '^') this.#position++;
    let isFirst = true;
    while (isFirst || this.#source[this.#position] !== ']') {
      if (this.#position >= this.#source.length)
        throw new Refused('has a "[" that is not closed.', 'Close it with "]", or write \\[.');
      isFirst = false;
      this.#readClassItem();
    }
    this.#position++;
  }

  #readClassItem(): void {
    // Without a name behind it the engines do not agree on it.
    if (this.#source.startsWith('[:', this.#position)) {
      if (this.#take(CLASS_NAME) === undefined)
        throw new Refused(
          `names a class that is not known: "${this.#source.slice(this.#position, this.#position + 10)}".`,
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
      throw new Refused(`has a range that ends in a class: "-${this.#source.slice(start, this.#position)}".`);
    if (high < low)
      throw new Refused(
        'has a range in [ ] that ends before it begins.',
        'Write the smaller character first.',
      );
  }

  /** Its code point; undefined for classes like \d. */
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
