/** Which places of the candidates in one bucket vary, told from what stands in them over all messages. */

/** Stands for what varies, in a word or as a word. No word has it: control characters separate words. */
export const VARIES = '\u0000';

export interface Candidate {
  words: readonly string[];
  /** Messages. */
  count: number;
  /** The candidate this one has become a part of. */
  joined: Candidate | undefined;
}

/** This many different words in one place, everything else being equal: it varies. */
const MANY_WORDS = 12;
/** From so many on it varies when most of them are rare: in few messages, or in few of all. */
const SOME_WORDS = 3;
const RARE_COUNT = 5;
const RARE_SHARE = 0.05;
/** Names that are followed by a value. */
const NAMES_OF_VALUES = /^(?:user|username|account|login|host|hostname)$/i;
/** A number in one message and a word in another make a place vary only where enough else is the same. */
const FEWEST_WORDS_WITH_MIXED = 4;
/** Each round finds one more varying place of a candidate. */
const MAX_ROUNDS = 8;
/** Candidates that are left with so many of their like, each rare, have several varying places at once. */
const MANY_RARE = 8;
const RARE_AGREEMENT = 0.5;
const MAX_LEADERS = 32;
const WORK_BETWEEN_YIELDS = 2000;

/**
 * Joins candidates with as many words each and the same punctuation; those that are left, with the places that vary as
 * `VARIES`. Yields now and then.
 */
export function* mergeCandidates(
  candidates: readonly Candidate[],
  punctuation: string,
): Generator<void, Candidate[]> {
  let left = [...candidates];
  if (left.length < 2) return left;
  const gaps = punctuation.split('\u0001');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = left;
    const places = yield* lookAtPlaces(before);
    left = yield* joinWhere(before, places, gaps);
    if (left.every((candidate, index) => candidate === before[index])) break;
  }
  return yield* joinRare(left);
}

/** What stands in one place of candidates that are equal everywhere else. */
interface Place {
  readonly first: string;
  /** How many messages have which word there. Nearly all places have one word, and need no map for that. */
  counts: Map<string, number> | undefined;
  messages: number;
}

interface Places {
  of(words: readonly string[], place: number): Place | undefined;
}

/**
 * The words of a candidate without one are told by a hash that is the exclusive or of one for each word and its place:
 * taking one out is one step, however many words there are. 53 bits; should two be equal by chance, two patterns
 * become one.
 */
function* lookAtPlaces(candidates: readonly Candidate[]): Generator<void, Places> {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    let number = numbers.get(word);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(word, number);
    }
    return number;
  };
  const found = new Map<number, Place>();
  const hashes = new Map<readonly string[], readonly [number, number]>();
  let work = 0;
  for (const { words, count } of candidates) {
    let high = 0;
    let low = 0;
    for (const [place, word] of words.entries()) {
      high ^= mix(numberOf(word), place, 0x9e3779b1);
      low ^= mix(numberOf(word), place, 0x85ebca6b);
    }
    hashes.set(words, [high, low]);
    for (const [place, word] of words.entries()) {
      const key = keyOf(high, low, numberOf(word), place);
      let there = found.get(key);
      if (there === undefined) {
        there = { first: word, counts: undefined, messages: 0 };
        found.set(key, there);
      }
      if (word !== there.first) there.counts ??= new Map([[there.first, there.messages]]);
      there.counts?.set(word, (there.counts.get(word) ?? 0) + count);
      there.messages += count;
    }
    work += words.length;
    if (work > WORK_BETWEEN_YIELDS) {
      work = 0;
      yield;
    }
  }
  return {
    of(words, place) {
      const [high, low] = hashes.get(words) ?? [0, 0];
      return found.get(keyOf(high, low, numberOf(words[place] ?? ''), place));
    },
  };
}

function mix(word: number, place: number, seed: number): number {
  let hash = Math.imul(word ^ seed, 0xcc9e2d51) ^ Math.imul(place + 1, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}

function keyOf(high: number, low: number, word: number, place: number): number {
  const restHigh = (high ^ mix(word, place, 0x9e3779b1) ^ Math.imul(place + 1, 0x27d4eb2f)) >>> 0;
  const restLow = (low ^ mix(word, place, 0x85ebca6b)) >>> 11;
  return restHigh * 2 ** 21 + restLow;
}

/** Of every candidate the place with the most different words is made to vary, if one does. */
function* joinWhere(
  candidates: readonly Candidate[],
  places: Places,
  gaps: readonly string[],
): Generator<void, Candidate[]> {
  const left = new Map<string, Candidate>();
  let work = 0;
  for (const candidate of candidates) {
    let best = -1;
    let most = 0;
    for (const [index, word] of candidate.words.entries()) {
      const place = places.of(candidate.words, index);
      if (place?.counts === undefined || place.counts.size <= most) continue;
      const named = NAMES_OF_VALUES.test(candidate.words[index - 1] ?? '') && !/[.;]/.test(gaps[index] ?? '');
      if (!varies(place, candidate.words.length, named)) continue;
      most = place.counts.size;
      best = word === VARIES ? -1 : index;
    }
    join(left, candidate, best < 0 ? candidate.words : candidate.words.with(best, VARIES));
    work += candidate.words.length;
    if (work > WORK_BETWEEN_YIELDS) {
      work = 0;
      yield;
    }
  }
  return [...left.values()];
}

function join(left: Map<string, Candidate>, candidate: Candidate, words: readonly string[]): void {
  const key = words.join('\u0001');
  const there = left.get(key);
  if (there === undefined) {
    if (words === candidate.words) {
      left.set(key, candidate);
      return;
    }
    const changed = { words, count: candidate.count, joined: undefined };
    candidate.joined = changed;
    left.set(key, changed);
    return;
  }
  candidate.joined = there;
  there.count += candidate.count;
}

function varies({ counts, messages }: Place, length: number, named: boolean): boolean {
  if (counts === undefined) return false;
  if (named || counts.size >= MANY_WORDS) return true;
  if (counts.has(VARIES) && length >= FEWEST_WORDS_WITH_MIXED) return true;
  const words = [...counts.keys()];
  // Different names with a number each (`eth0`, `wlan1`) are ids of something.
  if (words.every((word) => word.includes(VARIES))) return true;
  if (counts.size < SOME_WORDS) return false;
  const sorted = [...counts.values()].sort((a, b) => a - b);
  const median = sorted[(sorted.length - 1) >> 1] ?? 0;
  return median <= Math.max(RARE_COUNT, messages * RARE_SHARE);
}

/**
 * Two places that vary together (every message has its own pair of words) are never equal but for one. They are known
 * by their number: many rare candidates that agree in half of their words are one.
 */
function* joinRare(candidates: readonly Candidate[]): Generator<void, Candidate[]> {
  const rare = candidates.filter(({ count }) => count <= RARE_COUNT);
  if (rare.length < MANY_RARE) return [...candidates];
  const leaders: { words: readonly string[]; members: Candidate[] }[] = [];
  let work = 0;
  for (const candidate of rare) {
    const leader = leaders.find(({ words }) => agreement(words, candidate.words) >= RARE_AGREEMENT);
    if (leader !== undefined) {
      leader.members.push(candidate);
      leader.words = leader.words.map((word, place) => (word === candidate.words[place] ? word : VARIES));
    } else if (leaders.length < MAX_LEADERS) leaders.push({ words: candidate.words, members: [candidate] });
    work += candidate.words.length * leaders.length;
    if (work > WORK_BETWEEN_YIELDS * 10) {
      work = 0;
      yield;
    }
  }
  const left = new Map<string, Candidate>();
  const joined = new Set<Candidate>();
  for (const { words, members } of leaders) {
    if (members.length < MANY_RARE) continue;
    for (const member of members) {
      join(left, member, words);
      joined.add(member);
    }
  }
  for (const candidate of candidates) if (!joined.has(candidate)) join(left, candidate, candidate.words);
  return [...left.values()];
}

/** The share of fixed words that are the same. A pattern that has become nothing but variables agrees with nothing. */
function agreement(pattern: readonly string[], words: readonly string[]): number {
  let same = 0;
  for (const [place, word] of pattern.entries()) if (word !== VARIES && word === words[place]) same += 1;
  return same / pattern.length;
}
