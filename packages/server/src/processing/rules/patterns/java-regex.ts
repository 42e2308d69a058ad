/**
 * Regular expressions of rules and grok patterns. Users write Java's; this translates them to JavaScript's, in `v`
 * mode. What JavaScript does not have is expressed by what it has: an atomic group, and a possessive repetition, is a
 * look-ahead with a group and a reference to it; a flag in the middle is a group to the end of its group.
 *
 * Flags at the start become flags of the whole expression, not a group, and groups that ignore case are written out: V8
 * does not match them rightly, see `withoutIgnoreCaseGroups`.
 */
import { withoutIgnoreCaseGroups } from '#core/index.ts';

/** The expression is not valid. `position` counts from 1. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

export interface JavaRegex {
  readonly regex: RegExp;
  /** Names of the groups that the user gave names, with their numbers in `regex`. */
  readonly names: ReadonlyMap<string, number>;
  /** The numbers in `regex` of the groups, in the user's order. */
  readonly groups: readonly number[];
}

const HORIZONTAL = ' \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
const SPACE = ' \\t\\n\\v\\f\\r';
/** Classes that are the same inside and outside of brackets. */
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: '[a-zA-Z_0-9]',
  W: '[^a-zA-Z_0-9]',
  s: `[${SPACE}]`,
  S: `[^${SPACE}]`,
  h: `[${HORIZONTAL}]`,
  H: `[^${HORIZONTAL}]`,
  v: '[\\n\\v\\f\\r\\x85\\u2028\\u2029]',
  V: '[^\\n\\v\\f\\r\\x85\\u2028\\u2029]',
};
const OUTSIDE_ESCAPES: Readonly<Record<string, string>> = {
  b: '\\b',
  B: '\\B',
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  R: '(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])',
};
const CHARACTERS: Readonly<Record<string, string>> = {
  t: '\\t',
  n: '\\n',
  r: '\\r',
  f: '\\f',
  a: '\\x07',
  e: '\\x1b',
};
const NAMED_CLASSES: Readonly<Record<string, string>> = {
  lower: 'a-z',
  upper: 'A-Z',
  ascii: '\\x00-\\x7f',
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  punct: '!-\\/:-@\\[-`\\{-~',
  graph: '!-~',
  print: ' -~',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9a-fA-F',
  space: SPACE,
  word: 'a-zA-Z_0-9',
};
const FLAGS = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})/;
/** Java reads the two as one character. */
const SURROGATE_PAIR = /^\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i;
const MAX_LENGTH = 100_000;
/** V8 takes a time that grows with the square of their number. */
const MAX_GROUPS = 2000;

export function compileJavaRegex(expression: string): JavaRegex {
  if (expression.length > MAX_LENGTH) {
    throw new PatternError(`the expression has more than ${MAX_LENGTH} characters`, MAX_LENGTH);
  }
  try {
    const { text, names, count, flags } = new Translator(expression).translate();
    const { source, numbers } = withoutNames(text);
    const groups = Array.from({ length: count }, (_, index) => numbers.get(`u${index + 1}`) ?? 0);
    const regex = new RegExp(withoutIgnoreCaseGroups(source, `v${flags}`), `v${flags}`);
    // V8 says only here that it is too large. The empty text before it matches at once: nothing is searched without a limit.
    new RegExp(`|${regex.source}`, regex.flags).exec('');
    return {
      regex,
      groups,
      names: new Map([...names].map(([name, number]) => [name, groups[number - 1] ?? 0])),
    };
  } catch (error) {
    if (error instanceof PatternError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new PatternError(reason.replace(/^Invalid regular expression: [\s\S]*: (?=[^:]*$)/, ''), 1);
  }
}

/** The same expression, for all matches in a text one after the other. */
export function everyMatchOf({ regex }: JavaRegex): RegExp {
  return new RegExp(regex, `${regex.flags}g`);
}

const NAMED = /\\k<(\w+)>|\\[\s\S]|\(\?<(\w+)>/g;

/** The same with numbers: for every match, named groups cost an object. */
function withoutNames(text: string): {
  readonly source: string;
  readonly numbers: ReadonlyMap<string, number>;
} {
  const numbers = new Map<string, number>();
  for (const [, , group] of text.matchAll(NAMED)) {
    if (group !== undefined) numbers.set(group, numbers.size + 1);
  }
  const source = text.replaceAll(NAMED, (whole, reference?: string, group?: string) => {
    if (reference !== undefined) return `(?:\\${numbers.get(reference)})`;
    return group === undefined ? whole : '(';
  });
  return { source, numbers };
}

class Translator {
  readonly #source: string;
  #at = 0;
  #out: string[] = [];
  /** Where in `#out` the last piece begins that a quantifier may repeat; -1: there is none. */
  #atom = -1;
  /** Open groups: where they begin in `#out`, and how many flag groups must be closed with them. */
  readonly #open: { readonly start: number; flagGroups: number; readonly closing: string }[] = [];
  /** The user's names, with the user's numbers. */
  readonly #names = new Map<string, number>();
  /** The user's groups are called u1, u2 and so on. */
  #count = 0;
  #atomicCount = 0;
  #flagGroups = 0;
  /** Of the whole expression. */
  readonly #flags = new Set<string>();

  constructor(source: string) {
    this.#source = source;
  }

  translate() {
    while (this.#at < this.#source.length) this.#next();
    if (this.#open.length > 0) throw this.#error('a group is not closed');
    this.#out.push(')'.repeat(this.#flagGroups));
    return {
      text: this.#out.join(''),
      names: this.#names,
      count: this.#count,
      flags: [...this.#flags].join(''),
    };
  }

  #error(message: string): PatternError {
    return new PatternError(message, this.#at + 1);
  }

  #next(): void {
    const letter = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    const quantifier = QUANTIFIER.exec(this.#source.slice(this.#at, this.#at + 40))?.[0];
    if (quantifier !== undefined) this.#quantifier(quantifier);
    else if (letter === '(') this.#group();
    else if (letter === ')') this.#close();
    else if (letter === '[') this.#emit(this.#class());
    else if (letter === '\\') this.#escape();
    else {
      this.#at += letter.length;
      if (letter === '|') this.#emit('|', false);
      else if (letter === '^') this.#emit('^', false);
      else if (letter === '$') this.#emit('(?=\\n?$)', false);
      else if (letter === '.') this.#emit('.');
      else this.#emit(literal(letter));
    }
  }

  #emit(text: string, isAtom = true): void {
    this.#atom = isAtom ? this.#out.length : -1;
    this.#out.push(text);
  }

  #quantifier(text: string): void {
    if (this.#atom < 0) throw this.#error(`${text} has nothing to repeat`);
    this.#at += text.length;
    const mode = this.#source.charAt(this.#at);
    if (mode === '+') {
      this.#at += 1;
      this.#out.push(text);
      this.#makeAtomic(this.#atom);
      return;
    }
    if (mode === '?') this.#at += 1;
    this.#out.push(mode === '?' ? `${text}?` : text);
    this.#atom = -1;
  }

  /** What begins at `start` matches in one way only: what a look-ahead has found stays. */
  #makeAtomic(start: number): void {
    const name = `a${this.#atomicCount++}`;
    this.#requireFewGroups();
    this.#out[start] = `(?:(?=(?<${name}>${this.#out[start] ?? ''}`;
    this.#out.push(`))\\k<${name}>)`);
    this.#atom = start;
  }

  #requireFewGroups(): void {
    if (this.#count + this.#atomicCount > MAX_GROUPS)
      throw this.#error(`the expression has more than ${MAX_GROUPS} groups`);
  }

  #group(): void {
    const rest = this.#source.slice(this.#at, this.#at + 200);
    const flags = FLAGS.exec(rest);
    const name = /^\(\?P?<([a-zA-Z_][a-zA-Z0-9_]*)>/.exec(rest);
    const start = this.#out.length;
    if (flags !== null) {
      this.#flagged(flags, start);
    } else if (name !== null) {
      this.#at += name[0].length;
      if (this.#names.has(name[1] ?? '')) throw this.#error(`two groups have the name ${name[1]}`);
      this.#names.set(name[1] ?? '', this.#count + 1);
      this.#capture(start);
    } else if (rest.startsWith('(?>')) {
      this.#at += 3;
      this.#begin(start, '', 'atomic');
    } else if (/^\(\?(?:[=!]|<[=!])/.test(rest)) {
      const opening = /^\(\?<?[=!]/.exec(rest)?.[0] ?? '';
      this.#at += opening.length;
      this.#begin(start, opening);
    } else if (rest.startsWith('(?')) {
      throw this.#error(`${rest.slice(0, 3)} is not supported`);
    } else {
      this.#at += 1;
      this.#capture(start);
    }
  }

  #capture(start: number): void {
    this.#count += 1;
    this.#requireFewGroups();
    this.#begin(start, `(?<u${this.#count}>`);
  }

  #begin(start: number, opening: string, closing = ')'): void {
    this.#out.push(opening);
    this.#open.push({ start, flagGroups: 0, closing });
    this.#atom = -1;
  }

  #flagged([whole, on = '', off = '', end]: RegExpExecArray, start: number): void {
    // Java's `u` is how JavaScript ignores case. `d` and `U` change what other parts match; off, they change nothing.
    const unsupported = /[^imsu]/.exec(on) ?? /[^imsudU]/.exec(off);
    if (unsupported !== null)
      throw this.#error(`the flag "${unsupported[0]}" is not supported; use i, m or s`);
    this.#at += whole.length;
    const added = [...new Set(on.replaceAll('u', ''))].join('');
    const removed = [...new Set(off.replaceAll(/[udU]/g, ''))]
      .filter((flag) => !added.includes(flag))
      .join('');
    const opening = added + removed === '' ? '(?:' : `(?${added}${removed === '' ? '' : `-${removed}`}:`;
    if (end === ':') {
      this.#begin(start, opening);
      return;
    }
    if (this.#out.length === 0 && removed === '') {
      for (const flag of added) this.#flags.add(flag);
      return;
    }
    const group = this.#open.at(-1);
    if (group === undefined) this.#flagGroups += 1;
    else group.flagGroups += 1;
    this.#emit(opening, false);
  }

  #close(): void {
    const group = this.#open.pop();
    if (group === undefined) throw this.#error('there is no group to close');
    this.#at += 1;
    this.#out.push(')'.repeat(group.flagGroups));
    if (group.closing === 'atomic') {
      this.#makeAtomic(group.start);
      return;
    }
    this.#out.push(')');
    this.#atom = group.start;
  }

  #escape(): void {
    const letter = this.#source.charAt(this.#at + 1);
    const outside = own(OUTSIDE_ESCAPES, letter);
    if (letter === 'Q') {
      this.#quote();
      return;
    }
    if (outside !== undefined) {
      this.#at += 2;
      this.#emit(outside, letter === 'R');
      return;
    }
    const reference = /^\\(?:([1-9]\d*)|k<([a-zA-Z_]\w*)>)/.exec(this.#source.slice(this.#at, this.#at + 60));
    if (reference !== null) {
      this.#reference(reference);
      return;
    }
    this.#emit(this.#character());
  }

  #reference([whole, number, name]: RegExpExecArray): void {
    const group = name === undefined ? Number(number) : this.#names.get(name);
    if (group === undefined || group > this.#count)
      throw this.#error(`${whole} refers to a group that is not there`);
    this.#at += whole.length;
    this.#emit(`\\k<u${group}>`);
  }

  #quote(): void {
    const end = this.#source.indexOf('\\E', this.#at);
    const text = this.#source.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    for (const letter of text) this.#emit(literal(letter));
  }

  /** An escaped character or class, inside or outside of brackets. */
  #character(): string {
    const rest = this.#source.slice(this.#at, this.#at + 80);
    const letter = rest.charAt(1);
    const simple = own(CLASS_ESCAPES, letter) ?? own(CHARACTERS, letter);
    if (simple !== undefined) return this.#take(2, simple);
    const pair = SURROGATE_PAIR.exec(rest);
    if (pair !== null) {
      const units = [pair[1], pair[2]].map((unit) => Number.parseInt(unit ?? '', 16));
      return this.#take(pair[0].length, literal(String.fromCharCode(...units)));
    }
    const code = /^\\(?:x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|0([0-3]?[0-7]{1,2}))/.exec(
      rest,
    );
    if (code !== null) {
      const number =
        code[4] === undefined
          ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16)
          : Number.parseInt(code[4], 8);
      return this.#take(code[0].length, `\\u{${number.toString(16)}}`);
    }
    const property = /^\\([pP])(?:\{(?:Is|In|java)?([A-Za-z_]+)\}|([A-Z]))/.exec(rest);
    if (property !== null) return this.#take(property[0].length, propertyClass(property));
    if (letter === '') throw this.#error('the expression ends with a backslash');
    if (/[A-Za-z0-9]/.test(letter)) throw this.#error(`\\${letter} has no meaning`);
    return this.#take(2, literal(letter));
  }

  #take(length: number, text: string): string {
    this.#at += length;
    return text;
  }

  /** A class in brackets, with classes inside of it and intersections. */
  #class(): string {
    this.#at += 1;
    const parts = ['['];
    if (this.#source.charAt(this.#at) === '^') {
      parts.push('^');
      this.#at += 1;
    }
    const operands: string[][] = [[]];
    let isFirst = true;
    for (;;) {
      const letter = this.#source.charAt(this.#at);
      if (letter === '') throw this.#error('a class has no ]');
      if (letter === ']' && !isFirst) break;
      isFirst = false;
      if (this.#source.startsWith('&&', this.#at)) {
        this.#at += 2;
        operands.push([]);
      } else operands.at(-1)?.push(this.#classItem());
    }
    this.#at += 1;
    const all = operands.filter((operand) => operand.length > 0).map((operand) => operand.join(''));
    const body = all.length === 1 ? all.join('') : all.map((operand) => `[${operand}]`).join('&&');
    return `${parts.join('')}${body}]`;
  }

  #classItem(): string {
    const rest = this.#source.slice(this.#at, this.#at + 20);
    const posix = /^\[:(\^?)([a-z]+):\]/.exec(rest);
    const named = posix && own(NAMED_CLASSES, posix[2] ?? '');
    if (posix && named) return this.#take(posix[0].length, `[${posix[1]}${named}]`);
    if (rest.startsWith('[')) return this.#class();
    const from = this.#classCharacter();
    const next = this.#source.slice(this.#at, this.#at + 2);
    const isRange =
      next.startsWith('-') && next.length === 2 && !/^-[\][]/.test(next) && !from.startsWith('[');
    if (!isRange) return from;
    this.#at += 1;
    const to = this.#classCharacter();
    return to.startsWith('[') ? `${from}\\-${to}` : `${from}-${to}`;
  }

  #classCharacter(): string {
    if (this.#source.charAt(this.#at) === '\\') {
      return this.#source.charAt(this.#at + 1) === 'b' ? this.#take(2, '\\x08') : this.#character();
    }
    const letter = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    return this.#take(letter.length, literal(letter));
  }
}

function propertyClass([, kind, name = '', letter = '']: RegExpExecArray): string {
  const isNegated = kind === 'P';
  const known = own(NAMED_CLASSES, name.toLowerCase());
  if (known !== undefined) return `[${isNegated ? '^' : ''}${known}]`;
  return `\\${kind}{${letter === '' ? unicodeName(name) : letter}}`;
}

/** Java writes scripts as `IsLatin`. */
function unicodeName(name: string): string {
  return /^(?:L|M|N|P|S|Z|C)[a-z]?$/.test(name) || name.includes('_') || name === 'Alphabetic'
    ? name
    : `Script=${name}`;
}

/** A character as itself. Letters and digits need no escape, and all others may have this one. */
function literal(letter: string): string {
  if (/[A-Za-z0-9_ ]/.test(letter)) return letter;
  if ('^$\\.*+?()[]{}|/'.includes(letter)) return `\\${letter}`;
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
