/**
 * The indexes over the column `text`: which words stand in which messages. Words are runs of letters and digits, in
 * lower case.
 *
 * - Words without a digit are in a text index, which knows the messages of each: a search for one reads no text.
 * - Long words with digits are mostly ids and numbers, each in few messages. As entries of the text index they would be
 *   most of it, so they are in Bloom filters instead, one for each granule of rows: a search for one reads the
 *   texts of the granules it may be in, a hundredth of the others among them.
 * - Short words with digits (the octets of an address, the parts of a time, `404`) are nearly everywhere: no filter would
 *   keep a granule out. They are looked for in the texts.
 *
 * Bytes of the indexes for a message, in one part:
 *
 * | | web, 50 000 | lines of real logs, 64 000 | Windows events, 20 000 |
 * |---|---|---|---|
 * | all words in a text index, long ones with digits by 20 bits of a hash | 42.7 | 27.3 | 48.3 |
 * | words without digits in a text index | 3.7 | 12.8 | 19.3 |
 * | filters of long words with digits | 3.2 | 1.0 | 0.5 |
 * | filters of all words | 6.8 | 1.7 | 1.6 |
 *
 * What is safe to ask, on parts with the indexes and on new ones that have none yet (`message-table.int.test.ts`):
 * `hasAllTokens` and `hasAnyTokens` with words for which `isExactWord` is true; they take words in any case. A word with
 * a digit is no word to them, and to `hasToken` and `hasPhrase` over `text`: never ask them for one. `hasToken`, `LIKE`,
 * `match` and the like over `lowerUTF8(text)` answer exactly what they do without an index. The text index must not be
 * switched off for a statement (`use_skip_indexes = 0`): `hasAllTokens` would then tell cases apart.
 */
const LONGEST_UNFILTERED = 4;
const FALSE_POSITIVES = 0.01;

const WITHOUT_DIGITS = "if(match(text, '[0-9]'), '', text)";

/**
 * SQL: the words of `text` that are in the filters. A condition over exactly this expression makes use of them. It
 * cuts into words as the tokenizer does (the function `splitByNonAlpha` does not, it takes control characters for
 * letters), without naming the tokenizer: with it the engine does not know the expression again in a hint.
 */
const FILTERED_WORDS = `arrayFilter(word -> length(word) > ${LONGEST_UNFILTERED} AND match(word, '[0-9]'), tokens(lowerUTF8(text)))`;

export const TEXT_INDEXES: readonly string[] = [
  `INDEX words_index text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lowerUTF8(text), postprocessor = ${WITHOUT_DIGITS}, posting_list_codec = 'bitpacking')`,
  `INDEX filtered_words_index ${FILTERED_WORDS} TYPE bloom_filter(${FALSE_POSITIVES}) GRANULARITY 1`,
];

/** Whether the text index is the whole truth about a word in lower case. */
export function isExactWord(word: string): boolean {
  return !/[0-9]/.test(word);
}

/** Whether a word in lower case is in the filters. */
export function isFilteredWord(word: string): boolean {
  return Buffer.byteLength(word) > LONGEST_UNFILTERED && !isExactWord(word);
}

/**
 * SQL that keeps granules out in which, by their filters, not all of the words (or none of them) can be. It is true
 * for every row of the others: what is really in a text must be asked beside it.
 */
export function filteredWordsHint(which: 'all' | 'any', words: string): string {
  return `indexHint(${which === 'all' ? 'hasAll' : 'hasAny'}(${FILTERED_WORDS}, ${words}))`;
}
