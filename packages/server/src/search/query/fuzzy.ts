/**
 * Fuzzy matching by the restricted Damerau-Levenshtein distance, as Lucene and ClickHouse compute it: the number of
 * characters to insert, delete, replace or swap with their neighbour.
 */

/** Characters, not UTF-16 units: an emoji is one. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** Returns a test for texts at most `distance` edits away. */
export function fuzzyTest(wanted: string, distance: number): (text: string) => boolean {
  const goal = charactersOf(wanted);
  // A character has one or two units, so a longer text cannot be within the distance.
  const maxUnits = 2 * (goal.length + distance);
  return (text) => {
    if (text === wanted) return true;
    if (text.length > maxUnits || text.length < goal.length - distance) return false;
    const characters = charactersOf(text);
    if (Math.abs(characters.length - goal.length) > distance) return false;
    return isWithin(characters, goal, distance);
  };
}

/** Computes only the cells near the diagonal, which can stay within the distance: linear in the length. */
function isWithin(a: readonly string[], b: readonly string[], distance: number): boolean {
  const tooFar = distance + 1;
  const width = 2 * distance + 1;
  // Cell k of row i is column j = i + k - distance.
  let older: number[] = [];
  let previous = Array.from({ length: width }, (_, k) => (k < distance ? tooFar : k - distance));
  for (let i = 1; i <= a.length; i++) {
    const current: number[] = [];
    for (let k = 0; k < width; k++) {
      const j = i + k - distance;
      if (j < 0 || j > b.length) {
        current.push(tooFar);
        continue;
      }
      let cost = j === 0 ? i : (previous[k] ?? tooFar) + (a[i - 1] === b[j - 1] ? 0 : 1);
      if (j > 0) {
        cost = Math.min(cost, (previous[k + 1] ?? tooFar) + 1, (current[k - 1] ?? tooFar) + 1);
        const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (isExchange) cost = Math.min(cost, (older[k] ?? tooFar) + 1);
      }
      current.push(cost);
    }
    older = previous;
    previous = current;
  }
  return (previous[b.length - a.length + distance] ?? tooFar) <= distance;
}

/**
 * ClickHouse compares bytes, not characters. So every character is mapped to one byte: each character of the wanted
 * text to its own, all others to the same one.
 */
export interface FuzzyAlphabet {
  /** The wanted text, one byte for a character. */
  readonly encoded: string;
  /** RE2 class of all characters that are not in the wanted text. */
  readonly others: string;
  readonly otherByte: string;
  /** For `translateUTF8`: characters beyond ASCII, and the bytes that replace them. */
  readonly from: string;
  readonly to: string;
}

const ASCII_END = 0x80;

/** Undefined when the text has more distinct characters than there are bytes. */
export function fuzzyAlphabet(wanted: string): FuzzyAlphabet | undefined {
  const distinct = new Set(charactersOf(wanted));
  const free: string[] = [];
  for (let code = 1; code < ASCII_END; code++) {
    const character = String.fromCharCode(code);
    if (!distinct.has(character)) free.push(character);
  }
  const foreign = [...distinct].filter((character) => character >= '\u0080');
  const otherByte = free[0];
  if (otherByte === undefined || foreign.length >= free.length) return undefined;
  const bytes = free.slice(1, 1 + foreign.length);
  const byteOf = new Map(foreign.map((character, index) => [character, bytes[index] ?? otherByte]));
  return {
    encoded: charactersOf(wanted)
      .map((character) => byteOf.get(character) ?? character)
      .join(''),
    others: `[^${[...distinct].map(quoteInClass).join('')}]`,
    otherByte,
    from: foreign.join(''),
    to: bytes.join(''),
  };
}

function quoteInClass(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

/**
 * Splits a word into pieces so that every word within the distance contains at least one of them unchanged. An edit
 * breaks at most two pieces (a swap across their border), so `2 * distance + 1` pieces are enough. Empty when the word
 * is too short.
 */
export function fuzzyPieces(word: string, distance: number): readonly string[] {
  const characters = charactersOf(word);
  const count = 2 * distance + 1;
  const size = Math.floor(characters.length / count);
  if (size < 2) return [];
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * size, index === count - 1 ? undefined : (index + 1) * size).join(''),
  );
}
