/**
 * The words of a log message, with what varies in them by its nature (numbers, ids, addresses, paths, times) taken
 * out. Messages that were written by the same line of code mostly have the same words then.
 *
 * The time is linear in the text, whatever the text: an expression is tried once where a word begins, has no nested
 * repetition that could match the same characters in two ways, and the length of what it may take is limited.
 */
import { HOST_NAME, SPECIAL_WORDS, startsDate, type VariableKind } from './special-words.ts';

/** A word of a message: what is always the same of it, as far as that can be told from the word alone. */
export interface MaskedWord {
  /** Punctuation and white space between the word before and this one, white space as one blank. */
  readonly gap: string;
  /** Where it stands in the text; `to` is exclusive. Nothing for an empty pair of brackets or quotes. */
  readonly from: number;
  to: number;
  /** Fixed characters before what varies; the whole word when `kind` is undefined. */
  readonly prefix: string;
  /** Undefined: nothing varies. */
  readonly kind: VariableKind | undefined;
  /** Fixed characters after what varies. */
  readonly suffix: string;
}

export interface MaskedMessage {
  readonly words: readonly MaskedWord[];
  /** Punctuation after the last word. */
  readonly end: string;
  /** There is more text than is looked at. */
  readonly cut: boolean;
}

/** What is looked at of one message. */
export const MAX_WORDS = 64;
export const MAX_CHARACTERS = 4096;

const SEPARATOR = 1;
const DIGIT = 2;
/** What an ASCII character is; all others are letters. */
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
    if (!continuesList(words, word)) words.push(word);
    gap = '';
  }
  return { words, end: gap.trimEnd(), cut: at < text.length };
}

/** `()` and the like where a value could be: the value is empty. Not those of `main()`. */
const EMPTY_PAIR = /^(.*\s[("'[])([)"'\]].*)$/;

function collapse(text: string, from: number, to: number): string {
  if (to === from) return '';
  const gap = text.slice(from, to);
  return gap === ' ' ? gap : gap.replace(/\s+/g, ' ');
}

/** A list of like values with commas, of whatever length, is one value: the last word is made longer. */
function continuesList(words: readonly MaskedWord[], word: MaskedWord): boolean {
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
  // `http://`, `C:\`, `fe80::1` and `somebody@example.org` go on behind a separator.
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
  const dateEnd = startsDate(word, text, from);
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
/** A run of digits, with what joins such runs. */
const NUMBERS = /(?:(?<![a-zA-Z\d])-)?\d+(?:[._-]\d+)*/g;

/** One run of digits in a word varies by itself; with several, everything from the first on does. */
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
