/**
 * Words that are spelt a little differently: how many characters must be put in, left out, replaced or exchanged
 * with their neighbour (the restricted Damerau-Levenshtein distance, as Lucene and ClickHouse count it).
 */

/** In characters, not in UTF-16 units: an emoji is one. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** A test made once for a query: whether a text is at most `distance` away. */
export function fuzzyTest(wanted: string, distance: number): (text: string) => boolean {
  const goal = charactersOf(wanted);
  // A character has one or two units, so no text longer than this comes near.
  const maxUnits = 2 * (goal.length + distance);
  return (text) => {
    if (text === wanted) return true;
    if (text.length > maxUnits || text.length < goal.length - distance) return false;
    const characters = charactersOf(text);
    if (Math.abs(characters.length - goal.length) > distance) return false;
    return isWithin(characters, goal, distance);
  };
}

function isWithin(a: readonly string[], b: readonly string[], distance: number): boolean {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      }
      current.push(cost);
      least = Math.min(least, cost);
    }
    // An exchange can reach back two rows at the cost of one.
    if (least > distance + 1) return false;
    older = previous;
    previous = current;
  }
  return (previous[b.length] ?? 0) <= distance;
}

/**
 * ClickHouse counts bytes, not characters. All that matters is which characters of a text are those of the wanted one, so
 * every character gets one byte: those of the wanted text their own, all others the same.
 */
export interface FuzzyAlphabet {
  /** The wanted text, one byte for a character. */
  readonly encoded: string;
  /** RE2: every character that is not in the wanted text. */
  readonly others: string;
  readonly otherByte: string;
  /** For `translateUTF8`: characters beyond ASCII, and the bytes that stand for them. */
  readonly from: string;
  readonly to: string;
}

const ASCII_END = 0x80;

/** Undefined when the text has more different characters than there are bytes to stand for them. */
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
 * Pieces of a word of which every word near it has at least one, as it is: an edit breaks two at most (an exchange
 * across a border), so one more than that many pieces leaves one whole. Empty when the word is too short for it.
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
