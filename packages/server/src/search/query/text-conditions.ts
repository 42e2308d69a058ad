/** SQL for texts that are matched by words: the joined column `text`, or a single text column. */
import { isExactWord } from '#storage/index.ts';
import { ALWAYS, and, anyWords, COST, type Condition, NEVER, sql, words } from './conditions.ts';
import { engineRegex } from './engine-regex.ts';
import { fuzzyPieces } from './fuzzy.ts';
import { fuzzyExpression, fuzzyLength } from './fuzzy-sql.ts';
import type { TextTest } from './meaning.ts';
import { regexLiterals } from './regex-literals.ts';
import { compileRegex } from './regexes.ts';
import type { SqlParameters } from './sql-parameters.ts';
import { innerPattern } from './wildcards.ts';
import { phrasePattern } from './words.ts';

export interface TextColumn {
  /** SQL: the text in its original case. */
  readonly expression: string;
  /** Whether its words are in the index over `text`. */
  readonly isIndexed: boolean;
  /** Whether it is `text` itself, so that the index alone can decide. */
  readonly isJoined: boolean;
}

export const JOINED_TEXT: TextColumn = { expression: 'text', isIndexed: true, isJoined: true };

/** `VALUE_SEPARATOR` in SQL. */
export const SQL_SEPARATOR = "'\\x1f'";
const TOKENIZER = "'splitByNonAlpha'";

/** For everything but regular expressions. */
export function textCondition(
  test: Exclude<TextTest, { type: 'regex' }>,
  column: TextColumn,
  parameters: SqlParameters,
): Condition {
  const folded = `lowerUTF8(${column.expression})`;
  const narrow = (needed: readonly string[]) => (column.isIndexed ? words(needed) : words([]));
  switch (test.type) {
    case 'nothing':
      return NEVER;
    case 'words':
      return wordsCondition(test, column, parameters);
    case 'contains':
      return sql(`position(${folded}, ${parameters.add(test.text, 'String')}) > 0`, COST.text);
    case 'wildcard': {
      const { wildcard } = test;
      const pattern = parameters.add(innerPattern(wildcard), 'String');
      return and([narrow(wildcard.words), sql(`match(${folded}, ${pattern})`, COST.text)]);
    }
    case 'fuzzy':
      return fuzzyCondition(test.words, test.distance, folded, parameters);
  }
}

function wordsCondition(
  { words: wanted, slop }: Extract<TextTest, { type: 'words' }>,
  column: TextColumn,
  parameters: SqlParameters,
): Condition {
  const narrow = column.isIndexed ? words(wanted) : words([]);
  const [first = ''] = wanted;
  if (wanted.length === 1 && column.isJoined && isExactWord(first)) return narrow;
  const folded = `lowerUTF8(${column.expression})`;
  if (slop > 0) return and([narrow, sloppyCondition(wanted, slop, folded, parameters)]);
  const exact =
    wanted.length === 1
      ? `hasToken(${folded}, ${parameters.add(first, 'String')})`
      : `match(${folded}, ${parameters.add(phrasePattern(wanted), 'String')})`;
  return and([narrow, sql(exact, COST.text)]);
}

/**
 * At least one of these phrases, as one pattern and one index lookup. The engine takes seconds to analyse a statement
 * with dozens of index lookups.
 */
export function anyPhraseCondition(
  phrases: readonly (readonly string[])[],
  column: TextColumn,
  parameters: SqlParameters,
): Condition {
  const narrow = column.isIndexed ? anyWords(phrases, parameters) : ALWAYS;
  const pattern = phrases.map(phrasePattern).join('|');
  return and([
    narrow,
    sql(`match(lowerUTF8(${column.expression}), ${parameters.add(pattern, 'String')})`, COST.text),
  ]);
}

/** The words of each value, as an array of arrays. */
function wordsOfValues(folded: string): string {
  return `arrayMap(value -> tokens(value, ${TOKENIZER}), splitByChar(${SQL_SEPARATOR}, ${folded}))`;
}

/** See `hasSloppyPhrase`. Padding with empty words allows a phrase to start before the first word. */
function sloppyCondition(
  wanted: readonly string[],
  slop: number,
  folded: string,
  parameters: SqlParameters,
): Condition {
  const places = parameters.add(
    wanted.map((_, index) => index),
    'Array(UInt32)',
  );
  const list = parameters.add(wanted, 'Array(String)');
  const padding = wanted.length + slop;
  const fits = `arrayAll((word, place) -> has(arraySlice(found, start + place, ${slop + 1}), word), ${list}, ${places})`;
  const starts = `range(1, length(found) + 1)`;
  const padded = `arrayMap(found -> arrayConcat(arrayWithConstant(${padding}, ''), found), arrayFilter(found -> hasAll(found, ${list}), ${wordsOfValues(folded)}))`;
  return sql(`arrayExists(found -> arrayExists(start -> ${fits}, ${starts}), ${padded})`, COST.everything);
}

function fuzzyCondition(
  wanted: readonly string[],
  distance: number,
  folded: string,
  parameters: SqlParameters,
): Condition {
  // Searching for pieces is much cheaper than splitting every text into words.
  const hints = wanted.flatMap((word) => {
    const pieces = fuzzyPieces(word, distance);
    return pieces.length === 0
      ? []
      : [sql(`multiSearchAny(${folded}, ${parameters.add(pieces, 'Array(String)')})`, COST.text)];
  });
  const near = (text: string, word: string) => fuzzyExpression(text, word, distance, parameters);
  if (wanted.length === 1) {
    const [word = ''] = wanted;
    const candidates = `arrayFilter(word -> ${fuzzyLength('word', word, distance)}, tokens(${folded}, ${TOKENIZER}))`;
    const exact = `arrayExists(word -> ${near('word', word)}, ${candidates})`;
    return and([...hints, sql(exact, COST.everything)]);
  }
  const each = wanted.map((word, index) => near(`found[start + ${index}]`, word)).join(' AND ');
  const isRoom = `start + ${wanted.length - 1} <= length(found)`;
  const exact = `arrayExists(found -> arrayExists(start -> ${isRoom} AND ${each}, arrayEnumerate(found)), ${wordsOfValues(folded)})`;
  return and([...hints, sql(exact, COST.everything)]);
}

/** A regular expression over one text in its original case; an empty text never matches. */
export function regexCondition(source: string, column: TextColumn, parameters: SqlParameters): Condition {
  const regex = compileRegex(source);
  if (regex === undefined) return NEVER;
  const { expression, isIndexed } = column;
  const matches = `match(${expression}, ${parameters.add(engineRegex(source), 'String')})`;
  // An expression that does not match the empty text needs no test for emptiness.
  const exact = sql(regex.test('') ? `(notEmpty(${expression}) AND ${matches})` : matches, COST.text);
  return isIndexed ? and([words(regexLiterals(source).words), exact]) : exact;
}
