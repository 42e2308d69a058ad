/**
 * What a word is and when two texts are the same, for both evaluators. The text index of the message table decides
 * it: words are runs of ASCII letters, digits and all characters from U+0080 on, of the text in lower case.
 */

/** Between the values in the column `text`; no phrase and no pattern reaches across it. */
export const VALUE_SEPARATOR = '\u001f';

/** The inside of a character class of RE2: what words are made of, in lower case. */
export const WORD_CLASS = '0-9a-z\u0080-\u{10ffff}';
/** The same for JavaScript, where characters are UTF-16 units, and for any case. */
export const ANY_CASE_WORD_CLASS = '0-9A-Za-z\\u0080-\\uffff';
const NO_WORD_CLASS = `[^${WORD_CLASS}]`;
export const WORD_START = `(?:^|${NO_WORD_CLASS})`;
export const WORD_END = `(?:${NO_WORD_CLASS}|$)`;
const BETWEEN_WORDS = `[^${WORD_CLASS}${VALUE_SEPARATOR}]+`;

/**
 * Lower case as ClickHouse's `lowerUTF8` makes it. Both take it from ICU, with the same result for every character
 * (there is a test that asks the engine for all of them).
 */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Whether a UTF-16 unit of a text in lower case belongs to a word. NaN, which is beyond the text, does not. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || unit >= 128;
}

const WORD = /[0-9a-z\u0080-\uffff]+/g;

/** The words of a text in lower case, in order. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** RE2: these words one after the other. Words have no character that means something there. */
export function phrasePattern(words: readonly string[]): string {
  return WORD_START + words.join(BETWEEN_WORDS) + WORD_END;
}

const SEPARATOR_UNIT = VALUE_SEPARATOR.charCodeAt(0);

/** Longer phrases are looked for in a way that no repetition of their words makes slow. */
const MAX_WALKED_WORDS = 16;

/** The same for JavaScript: whether the words stand in the text, one after the other, in one value. */
export function hasPhrase(folded: string, words: readonly string[]): boolean {
  const first = words[0];
  if (first === undefined) return false;
  if (words.length > MAX_WALKED_WORDS) return hasLongPhrase(folded, words);
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, at + 1)) {
    if (!isWordUnit(folded.charCodeAt(at - 1)) && isPhraseRest(folded, at + first.length, words)) return true;
  }
  return false;
}

/** Whether a word ends at `at` and the words after the first follow. */
function isPhraseRest(folded: string, start: number, words: readonly string[]): boolean {
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

/** Knuth, Morris and Pratt's way: no word of the text is looked at twice. */
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
 * Whether the words stand near each other in one value, as Lucene's `"a b"~slop` counts it: how far they would have
 * to be moved, taken together, to be the phrase. Two words that changed places count 2.
 */
export function hasSloppyPhrase(folded: string, words: readonly string[], slop: number): boolean {
  return folded.split(VALUE_SEPARATOR).some((value) => isNear(wordsOf(value), words, slop));
}

/** Where the phrase would begin by each word that is found; near enough when every word has one close to the others. */
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
