/** Finds the places that vary among the candidates of one bucket, from the words in them over all messages. */
import { MAX_WORDS } from './masking.ts';

/** Marks what varies, in a word or as a word. Words cannot contain it, because control characters separate words. */
export const VARIES = '\u0000';

export interface Candidate {
  words: readonly string[];
  /** Number of messages. */
  count: number;
  mergedInto: Candidate | undefined;
}

/** A place with this many different words, all else being equal, varies. */
const MANY_WORDS = 12;
/** With at least this many, it varies if most of the words are rare, by number or share of messages. */
const SOME_WORDS = 3;
const RARE_COUNT = 5;
const RARE_SHARE = 0.05;
/** Words that are followed by a value. */
const VALUE_LABELS = /^(?:user|username|account|login|host|hostname)$/i;
/** A place with a number in one message and a word in another varies only in messages with at least this many words. */
const MIN_WORDS_FOR_MIXED = 4;
/** Each round finds one more varying place of a candidate. */
const MAX_ROUNDS = 8;
/** If this many rare candidates are alike, several of their places vary at once. */
const MANY_RARE = 8;
const RARE_AGREEMENT = 0.5;
const MAX_LEADERS = 32;
const WORK_BETWEEN_YIELDS = 2000;

/**
 * Merges candidates that have the same number of words and the same punctuation. Returns the remaining candidates, with
 * `VARIES` in the places that vary. Yields now and then.
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
    const places = yield* collectPlaces(before);
    left = yield* mergeVarying(before, places, gaps);
    if (left.every((candidate, index) => candidate === before[index])) break;
  }
  return yield* mergeRare(left);
}

/** The words in one place of candidates that are equal everywhere else. */
interface Place {
  readonly first: string;
  /** Messages by word. Undefined for a single word: nearly all places have one, and need no map. */
  counts: Map<string, number> | undefined;
  messages: number;
  /** The second half of its hash. */
  readonly check: number;
}

/**
 * The places of every candidate. A hash identifies a candidate without one of its words. It is the exclusive or of a
 * hash for each word and its place, so leaving out a word is one step. Of its 64 bits, half are the key of a place and
 * the other half detect collisions; of two places with the same key, only one collects words.
 */
function* collectPlaces(candidates: readonly Candidate[]): Generator<void, Place[][]> {
  const numberOf = numberWords();
  const found = new Map<number, Place>();
  const all: Place[][] = [];
  const keys = new Int32Array(MAX_WORDS + 1);
  const checks = new Int32Array(MAX_WORDS + 1);
  let work = 0;
  for (const { words, count } of candidates) {
    let key = 0;
    let check = 0;
    for (let place = 0; place < words.length; place++) {
      const number = numberOf(words[place] ?? '');
      key ^= keys[place] = mix(number, place, 0x9e3779b1);
      check ^= checks[place] = mix(number, place, 0x85ebca6b);
    }
    all.push(
      words.map((word, place) => {
        const restKey = key ^ (keys[place] ?? 0) ^ Math.imul(place + 1, 0x27d4eb2f);
        const there = placeAt(found, restKey, check ^ (checks[place] ?? 0), word);
        if (word !== there.first) there.counts ??= new Map([[there.first, there.messages]]);
        there.counts?.set(word, (there.counts.get(word) ?? 0) + count);
        there.messages += count;
        return there;
      }),
    );
    work += words.length;
    if (work > WORK_BETWEEN_YIELDS) {
      work = 0;
      yield;
    }
  }
  return all;
}

function placeAt(found: Map<number, Place>, key: number, check: number, word: string): Place {
  const there = found.get(key);
  if (there?.check === check) return there;
  const place: Place = { first: word, counts: undefined, messages: 0, check };
  if (there === undefined) found.set(key, place);
  return place;
}

function numberWords(): (word: string) => number {
  const numbers = new Map<string, number>();
  return (word) => {
    let number = numbers.get(word);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(word, number);
    }
    return number;
  };
}

function mix(word: number, place: number, seed: number): number {
  let hash = Math.imul(word ^ seed, 0xcc9e2d51) ^ Math.imul(place + 1, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** In every candidate, the varying place with the most different words becomes `VARIES`. */
function* mergeVarying(
  candidates: readonly Candidate[],
  places: readonly (readonly Place[])[],
  gaps: readonly string[],
): Generator<void, Candidate[]> {
  const left = new Map<string, Candidate>();
  let work = 0;
  for (const [at, candidate] of candidates.entries()) {
    let best = -1;
    let most = 0;
    for (const [index, word] of candidate.words.entries()) {
      const place = places[at]?.[index];
      if (place?.counts === undefined || place.counts.size <= most) continue;
      const isLabelled =
        VALUE_LABELS.test(candidate.words[index - 1] ?? '') && !/[.;]/.test(gaps[index] ?? '');
      if (!varies(place, candidate.words.length, isLabelled)) continue;
      most = place.counts.size;
      best = word === VARIES ? -1 : index;
    }
    mergeInto(left, candidate, best < 0 ? candidate.words : candidate.words.with(best, VARIES));
    work += candidate.words.length;
    if (work > WORK_BETWEEN_YIELDS) {
      work = 0;
      yield;
    }
  }
  return [...left.values()];
}

function mergeInto(left: Map<string, Candidate>, candidate: Candidate, words: readonly string[]): void {
  const key = words.join('\u0001');
  const there = left.get(key);
  if (there === undefined) {
    if (words === candidate.words) {
      left.set(key, candidate);
      return;
    }
    const changed = { words, count: candidate.count, mergedInto: undefined };
    candidate.mergedInto = changed;
    left.set(key, changed);
    return;
  }
  candidate.mergedInto = there;
  there.count += candidate.count;
}

function varies({ counts, messages }: Place, length: number, isLabelled: boolean): boolean {
  if (counts === undefined) return false;
  if (isLabelled || counts.size >= MANY_WORDS) return true;
  if (counts.has(VARIES) && length >= MIN_WORDS_FOR_MIXED) return true;
  const words = [...counts.keys()];
  // Different names that contain a number (`eth0`, `wlan1`) are ids.
  if (words.every((word) => word.includes(VARIES))) return true;
  if (counts.size < SOME_WORDS) return false;
  const sorted = [...counts.values()].sort((a, b) => a - b);
  const median = sorted[(sorted.length - 1) >> 1] ?? 0;
  return median <= Math.max(RARE_COUNT, messages * RARE_SHARE);
}

/**
 * Candidates with two places that vary together (every message has its own pair of words) never differ in one place
 * only. They are recognised by their number: many rare candidates that agree in half of their words are merged.
 */
function* mergeRare(candidates: readonly Candidate[]): Generator<void, Candidate[]> {
  const rare = candidates.filter(({ count }) => count <= RARE_COUNT);
  if (rare.length < MANY_RARE) return [...candidates];
  const leaders: { words: readonly string[]; members: Candidate[] }[] = [];
  let work = 0;
  for (const candidate of rare) {
    const leader = leaders.find(({ words }) => agree(words, candidate.words));
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
  const merged = new Set<Candidate>();
  for (const { words, members } of leaders) {
    if (members.length < MANY_RARE) continue;
    for (const member of members) {
      mergeInto(left, member, words);
      merged.add(member);
    }
  }
  for (const candidate of candidates) if (!merged.has(candidate)) mergeInto(left, candidate, candidate.words);
  return [...left.values()];
}

/** Whether enough fixed words are the same. A pattern of variables only agrees with nothing. */
function agree(pattern: readonly string[], words: readonly string[]): boolean {
  let differing = Math.floor(pattern.length * (1 - RARE_AGREEMENT));
  for (let place = 0; place < pattern.length; place++) {
    const word = pattern[place];
    if (word === words[place] && word !== VARIES) continue;
    differing -= 1;
    if (differing < 0) return false;
  }
  return true;
}
