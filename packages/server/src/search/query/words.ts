/**
 * Words and case folding for both evaluators, defined by the text index of the message table: words are runs of ASCII
 * letters, digits and all characters from U+0080 on, in the lower-cased text.
 */

/** Separates the values in the column `text`; phrases and patterns do not match across it. */
export const VALUE_SEPARATOR = '\u001f';

/** The inside of an RE2 character class: the characters of words, in lower case. */
export const WORD_CLASS = '0-9a-z\u0080-\u{10ffff}';
/** The same for JavaScript, where characters are UTF-16 units, and for any case. */
export const ANY_CASE_WORD_CLASS = '0-9A-Za-z\\u0080-\\uffff';
const NO_WORD_CLASS = `[^${WORD_CLASS}]`;
export const WORD_START = `(?:^|${NO_WORD_CLASS})`;
export const WORD_END = `(?:${NO_WORD_CLASS}|$)`;
const BETWEEN_WORDS = `[^${WORD_CLASS}${VALUE_SEPARATOR}]+`;

/**
 * The same as ClickHouse's `lowerUTF8`: both use ICU, and a test compares the results for all characters.
 */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Whether a UTF-16 unit of a text in lower case belongs to a word. False for NaN, which is past the end. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || unit >= 128;
}

const WORD = /[0-9a-z\u0080-\uffff]+/g;

/** The words of a text in lower case, in order. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** RE2 pattern for consecutive words. Words contain no special characters. */
export function phrasePattern(words: readonly string[]): string {
  return WORD_START + words.join(BETWEEN_WORDS) + WORD_END;
}

const SEPARATOR_UNIT = VALUE_SEPARATOR.charCodeAt(0);

/** Longer phrases need an algorithm that repeated words do not slow down. */
const MAX_WALKED_WORDS = 16;

/** The same for JavaScript: whether the words follow each other within one value of the text. */
export function hasPhrase(folded: string, words: readonly string[]): boolean {
  const first = words[0];
  if (first === undefined) return false;
  if (words.length > MAX_WALKED_WORDS) return hasLongPhrase(folded, words);
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, at + 1)) {
    if (!isWordUnit(folded.charCodeAt(at - 1)) && continuesPhrase(folded, at + first.length, words))
      return true;
  }
  return false;
}

/** Whether a word ends at `at` and the words after the first follow. */
function continuesPhrase(folded: string, start: number, words: readonly string[]): boolean {
  let at = start;
  for (let index = 1; index < words.length; index++) {
    const gap = at;
    for (;;) {
      const unit = folded.charCodeAt(at);
      if (Number.isNaN(unit) || unit === SEPARATOR_UNIT) return false;
      if (isWordUnit(unit)) break;
      at++;
    }
    const word = words[index] ?? '';
    if (at === gap || !folded.startsWith(word, at)) return false;
    at += word.length;
  }
  return !isWordUnit(folded.charCodeAt(at));
}

/** Knuth-Morris-Pratt over words: linear in the text. */
function hasLongPhrase(folded: string, words: readonly string[]): boolean {
  const restarts = [0];
  for (let index = 1, length = 0; index < words.length; index++) {
    while (length > 0 && words[index] !== words[length]) length = restarts[length - 1] ?? 0;
    if (words[index] === words[length]) length++;
    restarts.push(length);
  }
  return folded.split(VALUE_SEPARATOR).some((value) => {
    let length = 0;
    for (const word of wordsOf(value)) {
      while (length > 0 && word !== words[length]) length = restarts[length - 1] ?? 0;
      if (word === words[length]) length++;
      if (length === words.length) return true;
    }
    return false;
  });
}

/**
 * Whether the words are near each other in one value, as Lucene's `"a b"~slop` counts: the total distance the words
 * would have to move to form the phrase. Two swapped words count as 2.
 */
export function hasSloppyPhrase(folded: string, words: readonly string[], slop: number): boolean {
  return folded.split(VALUE_SEPARATOR).some((value) => isNear(wordsOf(value), words, slop));
}

/**
 * Each occurrence of a word implies a start of the phrase. The words are near when a window of `slop` over these starts
 * covers every word.
 */
function isNear(found: readonly string[], words: readonly string[], slop: number): boolean {
  const starts: (readonly [start: number, word: number])[] = [];
  for (let index = 0; index < words.length; index++) {
    for (
      let at = found.indexOf(words[index] ?? '');
      at >= 0;
      at = found.indexOf(words[index] ?? '', at + 1)
    ) {
      starts.push([at - index, index]);
    }
  }
  starts.sort(([a], [b]) => a - b);
  const counts = new Array<number>(words.length).fill(0);
  let covered = 0;
  let first = 0;
  for (const [start, word] of starts) {
    const count = counts[word] ?? 0;
    counts[word] = count + 1;
    if (count === 0) covered++;
    while (start - (starts[first]?.[0] ?? start) > slop) {
      const leaving = starts[first++]?.[1] ?? 0;
      const left = (counts[leaving] ?? 0) - 1;
      counts[leaving] = left;
      if (left === 0) covered--;
    }
    if (covered === words.length) return true;
  }
  return false;
}
