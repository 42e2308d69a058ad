import { charactersOf, fuzzyAlphabet } from './fuzzy.ts';
import type { SqlParameters } from './sql-parameters.ts';

/** SQL: whether the length of a text is within the distance. A cheap test to run first. */
export function fuzzyLength(text: string, wanted: string, distance: number): string {
  const length = charactersOf(wanted).length;
  return `lengthUTF8(${text}) BETWEEN ${Math.max(length - distance, 0)} AND ${length + distance}`;
}

/** SQL: whether a text in lower case (an expression) is at most `distance` edits away from the wanted one. */
export function fuzzyExpression(
  text: string,
  wanted: string,
  distance: number,
  parameters: SqlParameters,
): string {
  const alphabet = fuzzyAlphabet(wanted);
  if (alphabet === undefined) return `${text} = ${parameters.add(wanted, 'String')}`;
  const longest = charactersOf(wanted).length + distance;
  // The engine throws when it compares long texts, so they are cut; the length test then rejects them.
  const others = parameters.add(alphabet.others, 'String');
  const otherByte = parameters.add(alphabet.otherByte, 'String');
  let bytes = `replaceRegexpAll(substringUTF8(${text}, 1, ${longest}), ${others}, ${otherByte})`;
  if (alphabet.from !== '') {
    const from = parameters.add(alphabet.from, 'String');
    bytes = `translateUTF8(${bytes}, ${from}, ${parameters.add(alphabet.to, 'String')})`;
  }
  const difference = `damerauLevenshteinDistance(${bytes}, ${parameters.add(alphabet.encoded, 'String')})`;
  return `(${fuzzyLength(text, wanted, distance)} AND ${difference} <= ${distance})`;
}
