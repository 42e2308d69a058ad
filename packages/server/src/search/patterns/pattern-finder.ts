/**
 * Groups messages by their pattern, one message at a time.
 *
 * A message is reduced to its words, with varying parts masked (`masking.ts`). Messages can share a pattern only if they
 * have the same number of words and the same punctuation: these form a bucket. In a bucket, messages with equal words
 * form a candidate. Both are found by one look-up. When there are many candidates, and at the end, `mergeCandidates`
 * finds the places where words vary although they look fixed (user names, states, modules), and merges candidates that
 * differ only there.
 *
 * This follows Drain (online, bounded, a tree of fixed depth) with one difference: Drain adds a message to the most
 * similar group when enough words agree. That hides differences that matter (`VM Started` and `VM Stopped` differ in one
 * word). Here, a place becomes a variable because of the words in it over all messages.
 *
 * Memory is bounded by `maxCandidates` and `maxWords`. If too many candidates remain after merging, the rarest become one
 * group without a pattern. A message costs a few look-ups.
 */
import { type Candidate, mergeCandidates, VARIES } from './candidates.ts';
import { type MaskedMessage, type MaskedWord, maskMessage } from './masking.ts';

export interface FoundPattern {
  /** The words of the pattern; undefined for messages without one. */
  readonly words: readonly string[] | undefined;
  /** The numbers of its messages, ascending. */
  readonly messages: readonly number[];
}

export interface PatternFinder {
  /**
   * Messages are numbered from 0. Compacts when full, which can take a second. To avoid the pause, call `compact`
   * whenever the finder `isNearlyFull`.
   */
  add(text: string): void;
  isNearlyFull(): boolean;
  /** Makes room. Yields now and then. Do not add messages before it is done. */
  compact(): Generator<void, void>;
  /**
   * The patterns, the most frequent first. Yields now and then, so that the caller can let other work run. The finder
   * cannot be used afterwards.
   */
  finish(): Generator<void, FoundPattern[]>;
}

export interface PatternFinderSettings {
  /** The most candidates. */
  readonly maxCandidates?: number;
  /** The most words of all candidates together. */
  readonly maxWords?: number;
}

interface Bucket {
  candidates: Map<string, Candidate>;
  /** Candidates with varying places, for messages that equal no candidate. */
  merged: Candidate[];
}

const DEFAULT_MAX_CANDIDATES = 4000;
const DEFAULT_MAX_WORDS = 60_000;
/** Bounds the cost of a new message in a bucket with many merged candidates. */
const MAX_COMPARED = 64;
const NEARLY_FULL = 0.9;
/** Low, so that rare candidates are not compacted again and again. */
const FILL_AFTER_COMPACTION = 0.3;
const CANDIDATES_BETWEEN_YIELDS = 50;

export function createPatternFinder(config: PatternFinderSettings = {}): PatternFinder {
  const maxCandidates = config.maxCandidates ?? DEFAULT_MAX_CANDIDATES;
  const buckets = new Map<string, Bucket>();
  const assigned: Candidate[] = [];
  const unmatched: Candidate = { words: [], count: 0, mergedInto: undefined };
  const maxWords = config.maxWords ?? DEFAULT_MAX_WORDS;
  let candidates = 0;
  let heldWords = 0;
  const isFilledTo = (share: number) => candidates >= maxCandidates * share || heldWords >= maxWords * share;

  function add(text: string): void {
    const masked = maskMessage(text);
    const words = masked.words.map(wordOf);
    const bucket = bucketOf(buckets, masked);
    const key = words.join('\u0001');
    let candidate = bucket.candidates.get(key) ?? bucket.merged.find((other) => covers(other.words, words));
    if (candidate === undefined) {
      if (isFilledTo(1)) runToEnd(compact());
      candidate = { words, count: 0, mergedInto: undefined };
      // Compaction may have dropped the bucket.
      bucketOf(buckets, masked).candidates.set(key, candidate);
      candidates += 1;
      heldWords += words.length;
    }
    candidate.count += 1;
    assigned.push(candidate);
  }

  function* compact(): Generator<void, void> {
    yield* mergeAll();
    if (!isFilledTo(FILL_AFTER_COMPACTION)) return;
    const all = [...buckets].flatMap(([key, bucket]) =>
      [...bucket.candidates].map(([words, candidate]) => ({ key, bucket, words, candidate })),
    );
    all.sort((a, b) => a.candidate.count - b.candidate.count);
    for (const { key, bucket, words, candidate } of all) {
      if (!isFilledTo(FILL_AFTER_COMPACTION)) return;
      candidate.mergedInto = unmatched;
      unmatched.count += candidate.count;
      bucket.candidates.delete(words);
      bucket.merged = bucket.merged.filter((other) => other !== candidate);
      if (bucket.candidates.size === 0) buckets.delete(key);
      candidates -= 1;
      heldWords -= candidate.words.length;
    }
  }

  function* mergeAll(): Generator<void, void> {
    candidates = 0;
    heldWords = 0;
    let work = 0;
    for (const [punctuation, bucket] of buckets) {
      const left = yield* mergeCandidates([...bucket.candidates.values()], punctuation);
      bucket.candidates = new Map(left.map((candidate) => [candidate.words.join('\u0001'), candidate]));
      bucket.merged = left.filter(({ words }) => words.includes(VARIES)).slice(0, MAX_COMPARED);
      candidates += left.length;
      for (const { words } of left) heldWords += words.length;
      work += bucket.candidates.size;
      if (work < CANDIDATES_BETWEEN_YIELDS) continue;
      work = 0;
      yield;
    }
  }

  return {
    add,
    isNearlyFull: () => isFilledTo(NEARLY_FULL),
    compact,
    *finish() {
      yield* mergeAll();
      return [...(yield* messagesByGroup(assigned))]
        .map(([group, list]) => ({ words: group === unmatched ? undefined : group.words, messages: list }))
        .sort((a, b) => b.messages.length - a.messages.length || (a.messages[0] ?? 0) - (b.messages[0] ?? 0));
    },
  };
}

/** The numbers of the messages in each group. */
function* messagesByGroup(assigned: readonly Candidate[]): Generator<void, Map<Candidate, number[]>> {
  const messages = new Map<Candidate, number[]>();
  for (const [index, candidate] of assigned.entries()) {
    const group = groupOf(candidate);
    const list = messages.get(group);
    if (list === undefined) messages.set(group, [index]);
    else list.push(index);
    if (index % 5000 === 4999) yield;
  }
  return messages;
}

function runToEnd(steps: Generator<void, void>): void {
  while (!steps.next().done);
}

/** The fixed part of a word. The kinds of values may differ within a pattern. */
function wordOf(word: MaskedWord): string {
  if (word.kind === undefined) return word.prefix;
  return word.prefix + VARIES + word.suffix;
}

function bucketOf(buckets: Map<string, Bucket>, masked: MaskedMessage): Bucket {
  let key = masked.cut ? '\u0002' : '';
  for (const word of masked.words) key += `${word.gap}\u0001`;
  key += masked.end;
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = { candidates: new Map(), merged: [] };
    buckets.set(key, bucket);
  }
  return bucket;
}

function covers(pattern: readonly string[], words: readonly string[]): boolean {
  return pattern.every((word, place) => word === VARIES || word === words[place]);
}

function groupOf(candidate: Candidate): Candidate {
  let group = candidate;
  while (group.mergedInto !== undefined) group = group.mergedInto;
  return group;
}
