/**
 * Groups messages by the pattern they follow, while they come.
 *
 * A message is reduced to its words with their varying parts masked (`masking.ts`). Messages can only share a pattern
 * when they have as many words with the same punctuation between them: that is a bucket, found in one step. In it,
 * equal words are one candidate, found in one step as well. When there are many candidates, and at the end,
 * `mergeCandidates` decides in which places words vary though they look fixed (user names, states, modules), and
 * candidates that differ only there become one.
 *
 * This is Drain's idea (a tree of fixed depth, online, bounded) with one difference: Drain joins a message to the
 * group it resembles most when enough of its words agree. That hides what matters (`VM Started` and `VM Stopped` agree
 * in all words but one), therefore a place becomes a variable here by what is seen in it over all messages.
 *
 * Bounded: candidates by `maxCandidates`, their words by `maxWords`; when merging leaves too many, the rarest become
 * one group without a pattern. A message costs a few look-ups.
 */
import { type Candidate, mergeCandidates, VARIES } from './candidates.ts';
import { type MaskedMessage, type MaskedWord, maskMessage } from './masking.ts';

export interface FoundPattern {
  /** The words of the pattern; undefined for the messages that were too different to find one. */
  readonly words: readonly string[] | undefined;
  /** Numbers of its messages, in the order they came. */
  readonly messages: readonly number[];
}

export interface PatternFinder {
  /**
   * The first message has the number 0. When there is no room for another form of messages it makes some, which can
   * take a second of work: who cannot wait tidies up before, whenever it is crowded.
   */
  add(text: string): void;
  crowded(): boolean;
  /** Makes room. Yields now and then; nothing may be added before it is done. */
  tidy(): Generator<void, void>;
  /**
   * The patterns, the most frequent first. Yields now and then, so that whoever runs it can let others work. The
   * finder is of no use afterwards.
   */
  finish(): Generator<void, FoundPattern[]>;
}

export interface PatternFinderConfig {
  /** How many different forms of messages are kept apart at most. */
  readonly maxCandidates?: number;
  /** How many words these have together at most. */
  readonly maxWords?: number;
}

interface Bucket {
  /** By their words. */
  candidates: Map<string, Candidate>;
  /** After merging: those with places that vary, for messages that equal none. */
  merged: Candidate[];
}

const DEFAULT_MAX_CANDIDATES = 4000;
const DEFAULT_MAX_WORDS = 60_000;
/** So that a bucket with many merged candidates does not make every new message expensive. */
const MAX_COMPARED = 64;
const CROWDED = 0.9;
/** How full it is when room has been made: little, so that what is rare is not looked at again and again. */
const KEPT = 0.3;
const CANDIDATES_BETWEEN_YIELDS = 50;

export function createPatternFinder(config: PatternFinderConfig = {}): PatternFinder {
  const maxCandidates = config.maxCandidates ?? DEFAULT_MAX_CANDIDATES;
  const buckets = new Map<string, Bucket>();
  const assigned: Candidate[] = [];
  const rest: Candidate = { words: [], count: 0, joined: undefined };
  const maxWords = config.maxWords ?? DEFAULT_MAX_WORDS;
  let candidates = 0;
  let held = 0;
  const fills = (share: number) => candidates >= maxCandidates * share || held >= maxWords * share;

  function add(text: string): void {
    const masked = maskMessage(text);
    const words = masked.words.map(wordOf);
    const bucket = bucketOf(buckets, masked);
    const key = words.join('\u0001');
    let candidate = bucket.candidates.get(key) ?? bucket.merged.find((other) => covers(other.words, words));
    if (candidate === undefined) {
      if (fills(1)) drain(tidy());
      candidate = { words, count: 0, joined: undefined };
      // Making room may have dropped the bucket.
      bucketOf(buckets, masked).candidates.set(key, candidate);
      candidates += 1;
      held += words.length;
    }
    candidate.count += 1;
    assigned.push(candidate);
  }

  function* tidy(): Generator<void, void> {
    yield* mergeAll();
    if (!fills(KEPT)) return;
    const all = [...buckets].flatMap(([key, bucket]) =>
      [...bucket.candidates].map(([words, candidate]) => ({ key, bucket, words, candidate })),
    );
    all.sort((a, b) => a.candidate.count - b.candidate.count);
    for (const { key, bucket, words, candidate } of all) {
      if (!fills(KEPT)) return;
      candidate.joined = rest;
      rest.count += candidate.count;
      bucket.candidates.delete(words);
      bucket.merged = bucket.merged.filter((other) => other !== candidate);
      if (bucket.candidates.size === 0) buckets.delete(key);
      candidates -= 1;
      held -= candidate.words.length;
    }
  }

  function* mergeAll(): Generator<void, void> {
    candidates = 0;
    held = 0;
    let work = 0;
    for (const [punctuation, bucket] of buckets) {
      const left = yield* mergeCandidates([...bucket.candidates.values()], punctuation);
      bucket.candidates = new Map(left.map((candidate) => [candidate.words.join('\u0001'), candidate]));
      bucket.merged = left.filter(({ words }) => words.includes(VARIES)).slice(0, MAX_COMPARED);
      candidates += left.length;
      for (const { words } of left) held += words.length;
      work += bucket.candidates.size;
      if (work < CANDIDATES_BETWEEN_YIELDS) continue;
      work = 0;
      yield;
    }
  }

  return {
    add,
    crowded: () => fills(CROWDED),
    tidy,
    *finish() {
      yield* mergeAll();
      return [...(yield* messagesByGroup(assigned))]
        .map(([group, list]) => ({ words: group === rest ? undefined : group.words, messages: list }))
        .sort((a, b) => b.messages.length - a.messages.length || (a.messages[0] ?? 0) - (b.messages[0] ?? 0));
    },
  };
}

/** The positions of the messages of each group. */
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

function drain(steps: Generator<void, void>): void {
  while (!steps.next().done);
}

/** What is the same in all messages of a pattern; the kinds of values need not be. */
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
  while (group.joined !== undefined) group = group.joined;
  return group;
}
