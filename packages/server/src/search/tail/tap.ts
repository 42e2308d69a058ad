/**
 * The live tail inside a worker: looks at every batch between processing and storage and posts to the main thread
 * what somebody follows.
 *
 * It must never slow the intake down. It has an allowance of the worker's time, in which it looks, writes JSON and
 * posts; what does not fit is not looked at but counted. The allowance is shared evenly by the different queries, and
 * what one of them leaves over goes to the next. What the main thread has not taken yet is bounded too. Without a
 * follower a batch costs one comparison.
 */
import type { QueryNode } from '@millrace/query';
import type { Clock, Message, ObserverSink, RoutedBatch } from '#core/index.ts';
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
  type TimeAllowanceConfig,
} from './time-allowance.ts';

/** Followers are told when a consumer waits for long. */
export interface TailTap extends ObserverSink {
  /** Replaces what is followed. */
  follow(wanted: WantedTails): void;
  observe(batch: Pick<RoutedBatch, 'messages'>): void;
  /** The main thread has taken a delivery. */
  delivered(): void;
  stop(): void;
}

export interface TailTapDeps {
  readonly monotonic: Clock;
  /** How busy the worker was since the last call, from 0 to 1. */
  readonly utilization: () => number;
  /** What it returns must not throw. */
  readonly compile: (query: QueryNode, context: PredicateContext, texts: MessageTexts) => MessagePredicate;
  readonly post: (delivery: TailDelivery) => void;
  readonly logger: Pick<Logger, 'error'>;
}

export interface TailTapConfig extends TimeAllowanceConfig {
  /** At least so long from one delivery to the next. */
  readonly intervalMs?: number;
  /** Deliveries the main thread has not taken yet. */
  readonly maxOutstanding?: number;
}

const DEFAULTS = { intervalMs: 40, maxOutstanding: 4 } as const;
/** So many messages are looked at with one query before it is the turn of the next one. */
const MESSAGES_AT_A_TIME = 8;
/** What is always looked at: batches are this small only where little arrives. */
const LITTLE = { messages: MESSAGES_AT_A_TIME, bytes: 2 ** 16, queries: 16 } as const;
/** A delivery is posted at once when its texts are this long together. */
const FULL_CHARACTERS = 2 ** 20;
/** The storage makes processing wait for moments all the time. */
const STALLED_AFTER_MS = 1000;

type FullConfig = TailTapConfig & Required<Pick<TailTapConfig, keyof typeof DEFAULTS>>;

/** All tails with the same query. */
interface QueryGroup extends TimeAccount {
  predicate: MessagePredicate;
  readonly tails: OpenTail[];
  /** For the rest of the batch at hand. */
  hasGivenUp: boolean;
}

export function createTailTap(deps: TailTapDeps, config: TailTapConfig = {}): TailTap {
  return new Tap(deps, { ...DEFAULTS, ...config });
}

class Tap implements TailTap {
  readonly #deps: TailTapDeps;
  readonly #config: FullConfig;
  #allowance: TimeAllowance | undefined;
  #groups = new Map<string, QueryGroup>();
  #tails = new Map<number, OpenTail>();
  #writers = new Map<string, MessageJson>();
  #turn = 0;
  #gaveUp = false;
  readonly #messageTexts = new ChunkTexts(MESSAGES_AT_A_TIME);
  readonly #texts = new SharedTexts();
  #timer: NodeJS.Timeout | undefined;
  #postedAt = Number.NEGATIVE_INFINITY;
  #outstanding = 0;
  readonly #waiting = new Set<object>();
  #stallTimer: NodeJS.Timeout | undefined;
  #stalled = false;
  #toldStalled = false;
  #version = 0;
  #toldVersion = 0;

  constructor(deps: TailTapDeps, config: FullConfig) {
    this.#deps = deps;
    this.#config = config;
  }

  follow({ version, nodeId, tails }: WantedTails): void {
    const writers = new Map<string, MessageJson>();
    const groups = new Map<string, QueryGroup>();
    const open = new Map<number, OpenTail>();
    for (const wanted of tails) {
      const fieldsKey = JSON.stringify(wanted.fields ?? null);
      const toJson =
        writers.get(fieldsKey) ?? this.#writers.get(fieldsKey) ?? createMessageJson(nodeId, wanted.fields);
      writers.set(fieldsKey, toJson);
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
    // Somebody who has just come does not know yet.
    this.#toldStalled = false;
    this.#watchStall();
    // At once: somebody waits to hear that from now on nothing is missed.
    this.#version = version;
    this.#post();
  }

  #newGroup(wanted: WantedTail, tail: OpenTail, nodeId: string): QueryGroup {
    const known = this.#groups.get(wanted.queryKey);
    const { query, now, timeZone } = wanted;
    const predicate =
      known?.predicate ?? this.#deps.compile(query, { now, timeZone, nodeId }, this.#messageTexts);
    return { predicate, tails: [tail], saved: known?.saved ?? 0, hasGivenUp: false };
  }

  observe({ messages }: Pick<RoutedBatch, 'messages'>): void {
    const allowance = this.#allowance;
    if (allowance === undefined || messages.length === 0) return;
    const { monotonic } = this.#deps;
    const groups = this.#inTurn();
    allowance.grant(groups);
    for (const { tails } of groups) for (const tail of tails) tail.refill();
    const isLittle = isLittleWork(messages, groups.length);
    let looking = groups;
    for (let start = 0; start < messages.length && looking.length > 0; start += MESSAGES_AT_A_TIME) {
      const end = Math.min(messages.length, start + MESSAGES_AT_A_TIME);
      this.#messageTexts.lookAt(messages, start, end);
      for (const group of looking) {
        if (isLittle || allowance.allowed(group) > 0) this.#examine(group, messages, start, end, allowance);
        else this.#giveUp(group, messages.length - start);
      }
      if (this.#gaveUp) looking = looking.filter(({ hasGivenUp }) => !hasGivenUp);
    }
    const startedAt = monotonic.now();
    this.#texts.endBatch();
    this.#postSoon();
    allowance.spendForAll(monotonic.now() - startedAt);
  }

  /** Every query gets to be the first one. */
  #inTurn(): QueryGroup[] {
    const groups = [...this.#groups.values()];
    this.#turn = (this.#turn + 1) % groups.length;
    this.#gaveUp = false;
    for (const group of groups) group.hasGivenUp = false;
    return [...groups.slice(this.#turn), ...groups.slice(0, this.#turn)];
  }

  #giveUp(group: QueryGroup, messages: number): void {
    group.hasGivenUp = true;
    this.#gaveUp = true;
    for (const tail of group.tails) tail.skipped(messages);
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
        this.#messageTexts.turnTo(position - start);
        this.#look(group, messages[position] as Message, position);
      }
      if (this.#texts.characters >= FULL_CHARACTERS) this.#post();
    } catch (error) {
      // A fault of ours in a predicate must not end the intake; its followers see nothing more.
      group.predicate = () => false;
      this.#deps.logger.error({ err: error }, 'the query of a live tail failed and matches nothing now');
    }
    allowance.spend(group, monotonic.now() - startedAt);
  }

  #look({ predicate, tails }: QueryGroup, message: Message, position: number): void {
    let hasMatched: boolean | undefined;
    for (const tail of tails) {
      if (!tail.maySee(message.streams)) continue;
      hasMatched ??= predicate(message);
      if (!hasMatched) continue;
      if (!tail.matches(this.#outstanding < this.#config.maxOutstanding)) continue;
      const place = this.#texts.add(tail.toJson, message, position);
      tail.take(place, this.#texts.lengthAt(place));
    }
  }

  /** At once when the last delivery was some time ago, else when its time has come. */
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
    // What could not be posted now goes with `delivered`; nothing is added to it until then but counts.
    if (this.#outstanding >= this.#config.maxOutstanding) return;
    const tails = [...this.#tails.values()].flatMap((tail) => tail.takeNews() ?? []);
    const texts = this.#texts.take();
    const isKnown = this.#version === this.#toldVersion;
    if (isKnown && tails.length === 0 && (this.#stalled === this.#toldStalled || this.#tails.size === 0))
      return;
    this.#outstanding += 1;
    if (tails.length > 0) this.#postedAt = this.#deps.monotonic.now();
    this.#toldStalled = this.#stalled;
    this.#toldVersion = this.#version;
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

/** The texts of the next delivery. A message that several tails want is written once for each choice of fields. */
class SharedTexts {
  characters = 0;
  #texts: string[] = [];
  /** For the batch at hand: by writer and position in the batch, the place in `#texts`. */
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
 * So that a follower of a quiet node misses nothing when the worker was interrupted while it looked, which costs the
 * allowance as if it had worked.
 */
function isLittleWork(messages: readonly Message[], queries: number): boolean {
  if (messages.length > LITTLE.messages || queries > LITTLE.queries) return false;
  return messages.reduce((bytes, { size }) => bytes + size, 0) <= LITTLE.bytes;
}
