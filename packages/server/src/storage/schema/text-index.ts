/**
 * The index over the column `text`: which words stand in which messages. Words are runs of letters and digits, in
 * lower case.
 *
 * Long words with digits in them are mostly ids and numbers, each in one message only: every one would be an entry
 * of the index, and together they would be half of it. They are entered by 20 bits of a hash instead, a million
 * entries for all of them, behind an upper-case letter, which no other word has. So a search for such a word
 * (`isExactWord` says which) finds the messages it could be in, about ten wrong ones among ten million and none for
 * the parts of a UUID, and must look at their text to be certain.
 *
 * Measured in one part, bytes of the index for a message; the last column is calculated, for an id in every message:
 *
 * | | web, 100 000 | a 16-digit id alone, 100 000 | the same, 1 000 000 | wrong ones for an id in 10 million |
 * |---|---|---|---|---|
 * | words as they are | 54.2 | 18.7 | | 0 |
 * | 20 bits of a hash | 41.1 | 7.2 | 5.3 | 10, of whatever characters the id is made |
 * | the last 5 characters | 41.1 | 7.2 | | 10 for hexadecimal ids, 100 for decimal ones |
 * | the last 4 characters | 34.8 | | | 150, 1000 |
 * | the last 3 characters | 30.6 | 3.1 | 2.0 | 2400 (in every granule), 10 000 |
 * | left out | 24.8 | 0 | 0 | all |
 *
 * What a hash costs more than three characters shrinks with the part: its entries end at a million.
 *
 * What is safe to ask, on parts with the index and on new ones that have none yet (`message-table.int.test.ts`):
 * `hasToken`, `hasAllTokens`, `hasAnyTokens` and `hasPhrase` take words in any case and change them as the index
 * does, so they find every message, and with `isExactWord` words no other. `LIKE`, `ILIKE`, `startsWith`, `endsWith`,
 * `match`, `=` and `IN` over `text` or `lowerUTF8(text)` answer exactly what they do without an index, also for pieces
 * of long words. They use the index only for whole words in their pattern: with entries like these the engine does not
 * look through the dictionary for words that contain a piece, so `ILIKE '%ertific%'` alone reads all texts. The index
 * must not be switched off for a statement (`use_skip_indexes = 0`): the first four would then tell cases apart. The
 * entries have no character that separates words, as `hasToken` and `hasPhrase` refuse to work with such.
 */
const LONGEST_EXACT = 4;
const HASH_MASK = 2 ** 20 - 1;

const POSTPROCESSOR = `if(length(text) > ${LONGEST_EXACT} AND match(text, '[0-9]'), concat('X', hex(bitAnd(cityHash64(text), ${HASH_MASK}))), text)`;

export const TEXT_INDEX = `INDEX text_index text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lowerUTF8(text), postprocessor = ${POSTPROCESSOR}, posting_list_codec = 'bitpacking')`;

/**
 * Whether `hasAllTokens(text, [word])` and its like are the whole truth about a word. If not, the same condition
 * narrows the search, and `has(splitByNonAlpha(lowerUTF8(text)), word)` beside it decides.
 */
export function isExactWord(word: string): boolean {
  return Buffer.byteLength(word) <= LONGEST_EXACT || !/[0-9]/.test(word);
}
