/**
 * The live tail in a worker: tests every routed batch against the queries that are followed, and posts matching messages
 * to the main thread.
 *
 * It must never slow down the intake. It tests, writes JSON and posts within an allowance of the worker's time; messages
 * beyond it are skipped and counted. The queries share the allowance evenly, and a query gets what another one leaves.
 * A query whose patterns take too long is interrupted, and rests. Deliveries that the main thread has not taken yet are
 * bounded, too. Without a follower, a batch costs one comparison.
 */
import { forEachClause, type QueryNode, type WildcardPart } from '@millrace/query';
import {
  type Clock,
  createTimeGuard,
  type Message,
  type ObserverSink,
  type RoutedBatch,
  threadClock,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { MessagePredicate, MessageTexts, PredicateContext } from '../query/index.ts';
import { ChunkTexts } from './chunk-texts.ts';
import { createMessageJson, type MessageJson } from './message-json.ts';
import { OpenTail } from './open-tail.ts';
import type { TailDelivery, WantedTail, WantedTails } from './protocol.ts';
import {
  createTimeAllowance,
  type TimeAccount,
  type TimeAllowance,
  type TimeAllowanceSettings,
} from './time-allowance.ts';

/** Reports to followers when a consumer waits for long. */
export interface TailTap extends ObserverSink {
  /** Replaces all tails. */
  follow(wanted: WantedTails): void;
  observe(batch: Pick<RoutedBatch, 'messages'>): void;
  /** The main thread has taken a delivery. */
  delivered(): void;
  stop(): void;
}

export interface TailTapDeps {
  readonly monotonic: Clock;
  /** What the thread has worked; `threadClock` by default. */
  readonly threadTime?: Clock;
  /** From 0 to 1: how busy the worker was since the last call. */
  readonly utilization: () => number;
  /** The predicate must not throw. */
  readonly compile: (query: QueryNode, context: PredicateContext, texts: MessageTexts) => MessagePredicate;
  readonly post: (delivery: TailDelivery) => void;
  readonly logger: Pick<Logger, 'error'>;
}

export interface TailTapSettings extends TimeAllowanceSettings {
  /** The shortest time between two deliveries. */
  readonly intervalMs?: number;
  /** Deliveries the main thread has not taken yet. */
  readonly maxOutstanding?: number;
}

const DEFAULTS = { intervalMs: 40, maxOutstanding: 4 } as const;
/** Messages that are tested with one query before the next query gets its turn. */
const MESSAGES_AT_A_TIME = 8;
/** Always tested, even without time left: batches are this small only on a quiet node. */
const SMALL_BATCH = { messages: MESSAGES_AT_A_TIME, bytes: 2 ** 16, queries: 16 } as const;
/** For the patterns of all queries in one batch. The allowance ends far earlier unless a single message takes this long. */
const MAX_PATTERNS_MS = 200;
/** What it takes to be able to interrupt them. */
const GUARD_MS = 0.3;
/** How long a query is not tested after it was interrupted: so it takes no more than its share of the time. */
const REST_MS = 10_000;
/** A delivery with this many characters is posted immediately. */
const FULL_CHARACTERS = 2 ** 20;
/** Short waits for storage are normal. */
const STALLED_AFTER_MS = 1000;

type ResolvedSettings = TailTapSettings & Required<Pick<TailTapSettings, keyof typeof DEFAULTS>>;

/** All tails with the same query. */
interface QueryGroup extends TimeAccount {
  readonly compile: () => MessagePredicate;
  predicate: MessagePredicate;
  /** Regular expressions, and wildcards that become some: these may take a tenth of a millisecond for each character. */
  readonly hasPatterns: boolean;
  restsUntil: number;
  readonly tails: OpenTail[];
  /** No time is left for the rest of the current batch. */
  isExhausted: boolean;
}

export function createTailTap(deps: TailTapDeps, config: TailTapSettings = {}): TailTap {
  return new Tap(deps, { ...DEFAULTS, ...config });
}

class Tap implements TailTap {
  readonly #deps: TailTapDeps;
  readonly #config: ResolvedSettings;
  #allowance: TimeAllowance | undefined;
  #groups = new Map<string, QueryGroup>();
  #tails = new Map<number, OpenTail>();
  #writers = new Map<string, MessageJson>();
  #turn = 0;
  #anyExhausted = false;
  readonly #guard = createTimeGuard();
  /** What is tested now. */
  #current: { readonly group: QueryGroup; readonly start: number } | undefined;
  readonly #messageTexts = new ChunkTexts(MESSAGES_AT_A_TIME);
  readonly #texts = new SharedTexts();
  #timer: NodeJS.Timeout | undefined;
  #postedAt = Number.NEGATIVE_INFINITY;
  #outstanding = 0;
  readonly #waiting = new Set<object>();
  #stallTimer: NodeJS.Timeout | undefined;
  #stalled = false;
  #postedStalled = false;
  #version = 0;
  #postedVersion = 0;

  constructor(deps: TailTapDeps, config: ResolvedSettings) {
    this.#deps = deps;
    this.#config = config;
  }

  follow({ version, nodeId, tails }: WantedTails): void {
    const writers = new Map<string, MessageJson>();
    const groups = new Map<string, QueryGroup>();
    const open = new Map<number, OpenTail>();
    for (const wanted of tails) {
      const { fields, visibleStreams } = wanted;
      const jsonKey = JSON.stringify([fields ?? null, visibleStreams ?? null]);
      const toJson =
        writers.get(jsonKey) ??
        this.#writers.get(jsonKey) ??
        createMessageJson(nodeId, fields, visibleStreams);
      writers.set(jsonKey, toJson);
      const tail = this.#tails.get(wanted.id) ?? new OpenTail(wanted, toJson, this.#deps.monotonic);
      tail.setRate(wanted.rate);
      open.set(wanted.id, tail);
      const group = groups.get(wanted.queryKey);
      if (group === undefined) groups.set(wanted.queryKey, this.#newGroup(wanted, tail, nodeId));
      else group.tails.push(tail);
    }
    this.#tails = open;
    this.#groups = groups;
    this.#writers = writers;
    if (open.size === 0) this.#allowance = undefined;
    else this.#allowance ??= createTimeAllowance(this.#deps, this.#config);
    // A new follower does not know the state yet.
    this.#postedStalled = false;
    this.#watchStall();
    // Immediately: a new follower waits for the version, after which it misses nothing.
    this.#version = version;
    this.#post();
  }

  #newGroup(wanted: WantedTail, tail: OpenTail, nodeId: string): QueryGroup {
    const known = this.#groups.get(wanted.queryKey);
    const { query, now, timeZone, visibleStreams } = wanted;
    const context = { now, timeZone, nodeId, visibleStreams };
    const compile = () => this.#deps.compile(query, context, this.#messageTexts);
    return {
      compile,
      predicate: known?.predicate ?? compile(),
      hasPatterns: hasPatterns(query),
      restsUntil: known?.restsUntil ?? Number.NEGATIVE_INFINITY,
      tails: [tail],
      balanceMs: known?.balanceMs ?? 0,
      isExhausted: false,
    };
  }

  observe({ messages }: Pick<RoutedBatch, 'messages'>): void {
    const allowance = this.#allowance;
    if (allowance === undefined || messages.length === 0) return;
    const { monotonic } = this.#deps;
    const groups = this.#rotateGroups();
    allowance.grant(groups);
    for (const { tails } of groups) for (const tail of tails) tail.refill();
    const isSmall = isSmallBatch(messages, groups.length);
    const patterns = groups.filter((group) => group.hasPatterns);
    const others = groups.filter((group) => !group.hasPatterns);
    this.#examineAll(others, messages, isSmall, allowance);
    if (patterns.length > 0) this.#examinePatterns(patterns, messages, isSmall, allowance);
    const startedAt = monotonic.now();
    this.#texts.endBatch();
    this.#postSoon();
    allowance.spendForAll(monotonic.now() - startedAt);
  }

  #examinePatterns(
    groups: readonly QueryGroup[],
    messages: readonly Message[],
    isSmall: boolean,
    allowance: TimeAllowance,
  ): void {
    const startedAt = this.#deps.monotonic.now();
    const awake = groups.filter(
      (group) => group.restsUntil <= startedAt && (isSmall || allowance.remaining(group) > 0),
    );
    for (const group of groups) if (!awake.includes(group)) this.#skipRest(group, messages.length);
    if (awake.length === 0) return;
    allowance.spendForAll(GUARD_MS);
    this.#current = undefined;
    const work = () => this.#examineAll(awake, messages, isSmall, allowance);
    const threadTime = this.#deps.threadTime ?? threadClock;
    const workedBefore = threadTime.now();
    if (!this.#guard.run(work, MAX_PATTERNS_MS)) {
      const workedMs = threadTime.now() - workedBefore;
      this.#interrupted(awake, messages.length, { startedAt, workedMs }, allowance);
    }
    if (this.#texts.characters >= FULL_CHARACTERS) this.#post();
  }

  #interrupted(
    groups: readonly QueryGroup[],
    messages: number,
    { startedAt, workedMs }: { readonly startedAt: number; readonly workedMs: number },
    allowance: TimeAllowance,
  ): void {
    const { group, start } = this.#current ?? { group: undefined, start: 0 };
    // Groups before the interrupted one have been through its chunk.
    let next = group === undefined ? 0 : Math.min(messages, start + MESSAGES_AT_A_TIME);
    for (const each of groups) {
      if (each === group) next = start;
      if (!each.isExhausted) this.#skipRest(each, messages - next);
    }
    if (group === undefined) return;
    const now = this.#deps.monotonic.now();
    allowance.spend(group, now - startedAt);
    // If the thread has hardly worked, the machine was busy or suspended, and the query is not at fault.
    if (workedMs > MAX_PATTERNS_MS / 4) group.restsUntil = now + REST_MS;
    // What was interrupted may be in no state to go on.
    group.predicate = group.compile();
  }

  #examineAll(
    groups: readonly QueryGroup[],
    messages: readonly Message[],
    isSmall: boolean,
    allowance: TimeAllowance,
  ): void {
    let active = groups;
    for (let start = 0; start < messages.length && active.length > 0; start += MESSAGES_AT_A_TIME) {
      const end = Math.min(messages.length, start + MESSAGES_AT_A_TIME);
      this.#messageTexts.setMessages(messages, start, end);
      for (const group of active) {
        this.#current = { group, start };
        if (isSmall || allowance.remaining(group) > 0) this.#examine(group, messages, start, end, allowance);
        else this.#skipRest(group, messages.length - start);
      }
      if (this.#anyExhausted) active = active.filter(({ isExhausted }) => !isExhausted);
    }
  }

  /** A different query comes first in every batch. */
  #rotateGroups(): QueryGroup[] {
    const groups = [...this.#groups.values()];
    this.#turn = (this.#turn + 1) % groups.length;
    this.#anyExhausted = false;
    for (const group of groups) group.isExhausted = false;
    return [...groups.slice(this.#turn), ...groups.slice(0, this.#turn)];
  }

  #skipRest(group: QueryGroup, messages: number): void {
    group.isExhausted = true;
    this.#anyExhausted = true;
    for (const tail of group.tails) tail.countSkipped(messages);
  }

  #examine(
    group: QueryGroup,
    messages: readonly Message[],
    start: number,
    end: number,
    allowance: TimeAllowance,
  ): void {
    const { monotonic } = this.#deps;
    const startedAt = monotonic.now();
    try {
      for (let position = start; position < end; position++) {
        this.#messageTexts.select(position - start);
        this.#test(group, messages[position] as Message, position);
      }
      // Not where it can be interrupted: a delivery would be counted and not posted.
      if (!group.hasPatterns && this.#texts.characters >= FULL_CHARACTERS) this.#post();
    } catch (error) {
      // A bug in a predicate must not stop the intake; its followers get no more messages.
      group.predicate = () => false;
      this.#deps.logger.error(
        { err: error },
        'the query of a live tail failed and matches nothing from now on',
      );
    }
    allowance.spend(group, monotonic.now() - startedAt);
  }

  #test({ predicate, tails }: QueryGroup, message: Message, position: number): void {
    let hasMatched: boolean | undefined;
    for (const tail of tails) {
      if (!tail.maySee(message.streams)) continue;
      hasMatched ??= predicate(message);
      if (!hasMatched) continue;
      if (!tail.countMatch(this.#outstanding < this.#config.maxOutstanding)) continue;
      const place = this.#texts.add(tail.toJson, message, position);
      tail.take(place, this.#texts.lengthAt(place));
    }
  }

  /** Posts now if the last delivery was long enough ago, otherwise later. */
  #postSoon(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#postedAt + this.#config.intervalMs - this.#deps.monotonic.now();
    if (wait <= 0) this.#post();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#post();
      }, wait);
  }

  #post(): void {
    // `delivered` posts it later; until then only counts are added.
    if (this.#outstanding >= this.#config.maxOutstanding) return;
    const tails = [...this.#tails.values()].flatMap((tail) => tail.takeUpdate() ?? []);
    const texts = this.#texts.take();
    const isKnown = this.#version === this.#postedVersion;
    if (isKnown && tails.length === 0 && (this.#stalled === this.#postedStalled || this.#tails.size === 0))
      return;
    this.#outstanding += 1;
    if (tails.length > 0) this.#postedAt = this.#deps.monotonic.now();
    this.#postedStalled = this.#stalled;
    this.#postedVersion = this.#version;
    this.#deps.post({ version: this.#version, texts, tails, stalled: this.#stalled });
  }

  delivered(): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    this.#postSoon();
  }

  waitBegins(consumer: object): void {
    this.#waiting.add(consumer);
    this.#watchStall();
  }

  waitEnds(consumer: object): void {
    this.#waiting.delete(consumer);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#setStalled(false);
  }

  #watchStall(): void {
    if (this.#waiting.size === 0 || this.#tails.size === 0 || this.#stalled) return;
    this.#stallTimer ??= setTimeout(() => {
      this.#stallTimer = undefined;
      this.#setStalled(this.#waiting.size > 0);
    }, STALLED_AFTER_MS);
  }

  #setStalled(stalled: boolean): void {
    if (this.#stalled === stalled) return;
    this.#stalled = stalled;
    this.#postSoon();
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#stallTimer);
    this.#allowance = undefined;
  }
}

function hasPatterns(query: QueryNode): boolean {
  let found = false;
  forEachClause(query, (clause) => {
    const match = clause.type === 'exists' ? undefined : clause.match;
    found ||= match?.type === 'regex' || (match?.type === 'wildcard' && !isOneText(match.pattern));
  });
  return found;
}

/** `err*`, `*err*`: found by comparing texts. */
function isOneText(pattern: readonly WildcardPart[]): boolean {
  return (
    pattern.filter(({ type }) => type !== 'any').length === 1 && pattern.every(({ type }) => type !== 'one')
  );
}

/** The texts of the next delivery. A message is written once for each selection of fields. */
class SharedTexts {
  characters = 0;
  #texts: string[] = [];
  /** For the current batch: the place in `#texts` by writer and position in the batch. */
  readonly #places = new Map<MessageJson, Map<number, number>>();

  add(toJson: MessageJson, message: Message, position: number): number {
    let places = this.#places.get(toJson);
    if (places === undefined) {
      places = new Map();
      this.#places.set(toJson, places);
    }
    const known = places.get(position);
    if (known !== undefined) return known;
    const text = toJson(message);
    const place = this.#texts.push(text) - 1;
    this.characters += text.length;
    places.set(position, place);
    return place;
  }

  lengthAt(place: number): number {
    return this.#texts[place]?.length ?? 0;
  }

  endBatch(): void {
    this.#places.clear();
  }

  take(): string[] {
    const texts = this.#texts;
    this.#texts = [];
    this.characters = 0;
    this.#places.clear();
    return texts;
  }
}

/**
 * Small batches are always tested, so that a follower of a quiet node misses nothing after an interruption of the worker
 * used up the allowance.
 */
function isSmallBatch(messages: readonly Message[], queries: number): boolean {
  if (messages.length > SMALL_BATCH.messages || queries > SMALL_BATCH.queries) return false;
  return messages.reduce((bytes, { size }) => bytes + size, 0) <= SMALL_BATCH.bytes;
}
