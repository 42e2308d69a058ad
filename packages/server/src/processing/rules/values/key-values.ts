import { requireTextLength, type Value } from '@millrace/rules';
import { unquoted } from './unquoted.ts';

export interface KeyValueOptions {
  readonly delimiters?: string | undefined;
  readonly kvDelimiters?: string | undefined;
  readonly ignoreEmpty?: boolean | undefined;
  readonly allowDuplicates?: boolean | undefined;
  readonly handleDuplicates?: string | undefined;
  readonly trimKeys?: string | undefined;
  readonly trimValues?: string | undefined;
  /** Whether delimiters between pairs are part of the value if they follow a backslash. */
  readonly usesEscapes?: boolean | undefined;
  /** Throws when there are more. */
  readonly maxPairs?: number | undefined;
}

/** Pairs of keys and values. A value in double or single quotes may contain delimiters. */
export function readKeyValues(text: string, options: KeyValueOptions): Map<string, Value> {
  const delimiters = options.delimiters ?? WHITESPACE;
  const kvDelimiters = options.kvDelimiters ?? '=';
  const pairs = new Map<string, Value>();
  for (const part of splitOutsideQuotes(text, delimiters, options.usesEscapes === true)) {
    const at = firstOf(part, kvDelimiters);
    if (at < 0) {
      if (options.ignoreEmpty === false) throw new Error(`"${part.slice(0, 100)}" has no value`);
      continue;
    }
    const key = trimmed(part.slice(0, at).trim(), options.trimKeys);
    const value = trimmed(unquoted(part.slice(at + 1).trim()), options.trimValues);
    if (key === '' || (value === '' && options.ignoreEmpty !== false)) continue;
    add(pairs, key, value, options);
  }
  return pairs;
}

function add(pairs: Map<string, Value>, key: string, value: string, options: KeyValueOptions): void {
  const known = pairs.get(key);
  if (known === undefined) {
    const { maxPairs = Number.POSITIVE_INFINITY } = options;
    if (pairs.size >= maxPairs) throw new Error(`the text has more than ${maxPairs} pairs`);
    pairs.set(key, value);
    return;
  }
  if (options.allowDuplicates === false) throw new Error(`the key "${key}" is there twice`);
  const handling = options.handleDuplicates ?? 'take_first';
  if (handling.toLowerCase() === 'take_first') return;
  const joined = handling.toLowerCase() === 'take_last' ? value : `${known}${handling}${value}`;
  requireTextLength(joined.length);
  pairs.set(key, joined);
}

const WHITESPACE = ' \t\n\r';
const QUOTE = /["']/;
const OTHER_SPACES = /[\t\n\r]/;
const SPACES = /[ \t\n\r]+/;

function splitOutsideQuotes(text: string, delimiters: string, usesEscapes: boolean): string[] {
  // The usual case, and much faster.
  if (delimiters === WHITESPACE && !usesEscapes && !QUOTE.test(text)) {
    const parts = OTHER_SPACES.test(text) ? text.split(SPACES) : text.split(' ');
    return parts.includes('') ? parts.filter((part) => part !== '') : parts;
  }
  const parts: string[] = [];
  let quote = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if ((letter === '"' || letter === "'") && text.indexOf(letter, at + 1) > 0) quote = letter;
    else if (delimiters.includes(letter) && !(usesEscapes && text.charAt(at - 1) === '\\')) {
      if (at > from) parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function firstOf(text: string, letters: string): number {
  if (letters.length === 1) return text.indexOf(letters);
  for (let at = 0; at < text.length; at++) if (letters.includes(text.charAt(at))) return at;
  return -1;
}

function trimmed(text: string, letters: string | undefined): string {
  if (letters === undefined || letters === '') return text;
  let from = 0;
  let to = text.length;
  while (from < to && letters.includes(text.charAt(from))) from += 1;
  while (to > from && letters.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
