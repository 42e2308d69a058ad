/**
 * The indexes over the column `text`: which words occur in which messages. Words are runs of letters and digits, in
 * lower case.
 *
 * - Words without digits are in a text index, which lists the messages of each word: a search for one reads no text.
 * - Long words with digits are mostly ids and numbers, each in few messages. They would be most of a text index, so they
 *   are in Bloom filters instead, one per granule of rows: a search for one reads the texts of the granules that may have
 *   it, plus a hundredth of the others.
 * - Short words with digits (the octets of an address, the parts of a time, `404`) occur nearly everywhere: no filter
 *   would exclude a granule. A search for one reads the texts.
 *
 * Bytes of the indexes per message, in one part:
 *
 * | | web, 50 000 | lines of real logs, 64 000 | Windows events, 20 000 |
 * |---|---|---|---|
 * | all words in a text index, long ones with digits by 20 bits of a hash | 42.7 | 27.3 | 48.3 |
 * | words without digits in a text index | 3.7 | 12.8 | 19.3 |
 * | filters of long words with digits | 3.2 | 1.0 | 0.5 |
 * | filters of all words | 6.8 | 1.7 | 1.6 |
 *
 * What is safe to use, on parts with the indexes and on new ones that have none yet (`message-table.int.test.ts`):
 * `hasAllTokens` and `hasAnyTokens` with words for which `isExactWord` is true, in any case. They do not find words with
 * digits, and neither do `hasToken` and `hasPhrase` over `text`: never use them for such words. `hasToken`, `LIKE`,
 * `match` and the like over `lowerUTF8(text)` give the same results as without an index. Do not switch off the text
 * index for a statement (`use_skip_indexes = 0`): `hasAllTokens` would then be case-sensitive.
 */
const LONGEST_UNFILTERED = 4;
const FALSE_POSITIVES = 0.01;

const WITHOUT_DIGITS = "if(match(text, '[0-9]'), '', text)";

/**
 * SQL: the words of `text` that are in the filters. Only a condition over exactly this expression uses the filters. It
 * splits into words like the tokenizer (unlike the function `splitByNonAlpha`, which counts control characters as
 * letters), but without naming the tokenizer: otherwise the engine does not recognise the expression in a hint.
 */
const FILTERED_WORDS = `arrayFilter(word -> length(word) > ${LONGEST_UNFILTERED} AND match(word, '[0-9]'), tokens(lowerUTF8(text)))`;

export const TEXT_INDEXES: readonly string[] = [
  `INDEX words_index text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lowerUTF8(text), postprocessor = ${WITHOUT_DIGITS}, posting_list_codec = 'bitpacking')`,
  `INDEX filtered_words_index ${FILTERED_WORDS} TYPE bloom_filter(${FALSE_POSITIVES}) GRANULARITY 1`,
];

/** Whether the text index alone decides about a lower-case word. */
export function isExactWord(word: string): boolean {
  return !/[0-9]/.test(word);
}

/** Whether a lower-case word is in the filters. */
export function isFilteredWord(word: string): boolean {
  return Buffer.byteLength(word) > LONGEST_UNFILTERED && !isExactWord(word);
}

/**
 * SQL that excludes granules that, by their filters, cannot contain all of the words (or any of them). It is true for
 * every row of the other granules: combine it with a condition on the text itself.
 */
export function filteredWordsHint(which: 'all' | 'any', words: string): string {
  return `indexHint(${which === 'all' ? 'hasAll' : 'hasAny'}(${FILTERED_WORDS}, ${words}))`;
}
