/**
 * Splits a log message into words and masks parts that obviously vary: numbers, ids, addresses, paths, times. Messages
 * from the same line of code then mostly have the same words.
 *
 * The time is linear in any text: each expression is tried once at the start of a word, has no ambiguous nested
 * repetition, and matches a bounded length.
 */
import { endOfDate, HOST_NAME, SPECIAL_WORDS, type VariableKind } from './special-words.ts';

/** A word of a message, split into its fixed and varying parts, judged by the word alone. */
export interface MaskedWord {
  /** Punctuation and white space before the word; each run of white space is one blank. */
  readonly gap: string;
  /** Its position in the text; `to` is exclusive. Empty for an empty pair of brackets or quotes. */
  readonly from: number;
  to: number;
  /** Fixed characters before the varying part; the whole word when `kind` is undefined. */
  readonly prefix: string;
  /** Undefined for a fixed word. */
  readonly kind: VariableKind | undefined;
  /** Fixed characters after the varying part. */
  readonly suffix: string;
}

export interface MaskedMessage {
  readonly words: readonly MaskedWord[];
  /** Punctuation after the last word. */
  readonly end: string;
  /** Whether the message is longer than the limits. */
  readonly cut: boolean;
}

/** The rest of a longer message is ignored. */
export const MAX_WORDS = 64;
export const MAX_CHARACTERS = 4096;

const SEPARATOR = 1;
const DIGIT = 2;
/** The classes of ASCII characters; all others are letters. */
const CLASSES = new Uint8Array(128);
CLASSES.fill(SEPARATOR, 0, 33);
for (const character of ',;:=()[]{}<>"\'`|&?!@#^*\\\u007f') CLASSES[character.charCodeAt(0)] = SEPARATOR;
CLASSES.fill(DIGIT, 48, 58);

const SLASH = 47;
const COLON = 58;
const AT_SIGN = 64;
const FULL_STOP = 46;
const DASH = 45;

export function maskMessage(text: string): MaskedMessage {
  const length = Math.min(text.length, MAX_CHARACTERS);
  const words: MaskedWord[] = [];
  let at = 0;
  let gap = '';
  while (at < length) {
    const gapStart = at;
    while (at < length && CLASSES[text.charCodeAt(at)] === SEPARATOR) at += 1;
    gap = collapse(text, gapStart, at);
    if (at >= length || words.length >= MAX_WORDS) break;
    const empty = EMPTY_PAIR.exec(gap);
    if (empty?.[1] !== undefined && empty[2] !== undefined) {
      const middle = gapStart + text.slice(gapStart, at).lastIndexOf(empty[2].charAt(0));
      words.push({ gap: empty[1], from: middle, to: middle, prefix: '', kind: 'any', suffix: '' });
      gap = empty[2];
    }
    const word = readWord(text, at, length, gap);
    at = word.to;
    if (!extendsList(words, word)) words.push(word);
    gap = '';
  }
  return { words, end: gap.trimEnd(), cut: at < text.length };
}

/** A pair such as `()` in the place of a value is an empty value; `main()` is not. */
const EMPTY_PAIR = /^(.*\s[("'[])([)"'\]].*)$/;

function collapse(text: string, from: number, to: number): string {
  if (to === from) return '';
  const gap = text.slice(from, to);
  return gap === ' ' ? gap : gap.replace(/\s+/g, ' ');
}

/** A comma-separated list of similar values is one value: extends the last word. */
function extendsList(words: readonly MaskedWord[], word: MaskedWord): boolean {
  const last = words.at(-1);
  if (last === undefined || word.kind === undefined || (word.gap !== ',' && word.gap !== ', ')) return false;
  if (last.kind === undefined || last.prefix !== word.prefix || last.suffix !== word.suffix) return false;
  last.to = word.to;
  return true;
}

function readWord(text: string, from: number, length: number, gap: string): MaskedWord {
  let to = from;
  let digits = false;
  while (to < length) {
    const kind = CLASSES[text.charCodeAt(to)];
    if (kind === SEPARATOR) break;
    if (kind === DIGIT) digits = true;
    to += 1;
  }
  const next = text.charCodeAt(to);
  // `http://`, `C:\`, `fe80::1` and `somebody@example.org` continue after a separator.
  if (digits || text.charCodeAt(from) === SLASH || next === COLON || next === AT_SIGN) {
    for (const { kind, expression } of SPECIAL_WORDS) {
      expression.lastIndex = from;
      if (expression.test(text)) return variable(gap, from, Math.min(expression.lastIndex, length), kind);
    }
  }
  // A full stop or a dash at the end belongs to the sentence.
  while (to - 1 > from && (text.charCodeAt(to - 1) === FULL_STOP || text.charCodeAt(to - 1) === DASH))
    to -= 1;
  const word = text.slice(from, to);
  const dateEnd = endOfDate(word, text, from);
  if (dateEnd > 0) return variable(gap, from, Math.min(dateEnd, length), 'time');
  if (word.indexOf('/') !== word.lastIndexOf('/')) return variable(gap, from, to, 'path');
  if (HOST_NAME.test(word)) return variable(gap, from, to, 'address');
  if (digits && /\d/.test(word)) return maskDigits(word, gap, from, to);
  return { gap, from, to, prefix: word, kind: undefined, suffix: '' };
}

function variable(gap: string, from: number, to: number, kind: VariableKind): MaskedWord {
  return { gap, from, to, prefix: '', kind, suffix: '' };
}

const HEXADECIMAL = /^[0-9a-fA-F]{8,}$/;
/** Runs of digits, joined by dots, dashes or underscores. */
const NUMBERS = /(?:(?<![a-zA-Z\d])-)?\d+(?:[._-]\d+)*/g;

/** A single run of digits varies alone; with several runs, everything from the first one varies. */
function maskDigits(word: string, gap: string, from: number, to: number): MaskedWord {
  if (HEXADECIMAL.test(word)) return variable(gap, from, to, 'id');
  NUMBERS.lastIndex = 0;
  const first = NUMBERS.exec(word);
  const start = first?.index ?? 0;
  const end = NUMBERS.lastIndex;
  const prefix = word.slice(0, start);
  if (NUMBERS.exec(word) !== null) return { gap, from, to, prefix, kind: 'id', suffix: '' };
  return { gap, from, to, prefix, kind: 'number', suffix: word.slice(end) };
}
