/**
 * The live tail inside an intake thread: looks at every batch between processing and storage and posts to the main
 * thread what somebody follows.
 *
 * It must never slow the intake down. It has an allowance of the thread's time, in which it looks, writes JSON and
 * posts; what does not fit is not looked at but counted. The allowance is shared evenly by the different queries, and
 * what one of them leaves over goes to the next. What the main thread has not taken yet is bounded too. Without a
 * follower a batch costs one comparison.
 */
import type { QueryNode } from '@millrace/query';
import type { Clock, Message, RoutedBatch } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { createMessageJson, type MessageJson } from './message-json.ts';
import { OpenTail } from './open-tail.ts';
import type { TailDelivery, WantedTail, WantedTails } from './protocol.ts';
import {
  createTimeAllowance,
  type TimeAccount,
  type TimeAllowance,
  type TimeAllowanceConfig,
} from './time-allowance.ts';

export type MessagePredicate = (message: Message) => boolean;

export interface TailTap {
  /** Replaces what is followed. */
  follow(wanted: WantedTails): void;
  /** Looks at messages on their way to storage. Never throws. */
  batch(batch: Pick<RoutedBatch, 'messages'>): void;
  /** `who` cannot take more out of its journal until `waitEnds`. Long waits are told to the followers. */
  waitBegins(who: object): void;
  waitEnds(who: object): void;
  /** The main thread has taken a delivery. */
  delivered(): void;
  stop(): void;
}

export interface TailTapDeps {
  readonly monotonic: Clock;
  /** How busy the thread was since the last call, from 0 to 1. */
  readonly utilization: () => number;
  /** What it returns must not throw. */
  readonly compile: (
    query: QueryNode,
    context: { readonly now: number; readonly timeZone: string },
  ) => MessagePredicate;
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
/** The clock is looked at after so many messages. */
const MESSAGES_PER_LOOK = 8;
/** A delivery is posted at once when its texts are this long together. */
const FULL_CHARACTERS = 2 ** 20;
/** The storage makes processing wait for moments all the time. */
const STALLED_AFTER_MS = 1000;

type FullConfig = TailTapConfig & Required<Pick<TailTapConfig, keyof typeof DEFAULTS>>;

/** All tails with the same query. */
interface QueryGroup extends TimeAccount {
  predicate: MessagePredicate;
  readonly tails: OpenTail[];
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
  /** Every query gets to be the first one in its turn. */
  #turn = 0;
  readonly #texts = new SharedTexts();
  #timer: NodeJS.Timeout | undefined;
  #postedAt = Number.NEGATIVE_INFINITY;
  #outstanding = 0;
  readonly #waiting = new Set<object>();
  #stallTimer: NodeJS.Timeout | undefined;
  #stalled = false;
  #toldStalled = false;

  constructor(deps: TailTapDeps, config: FullConfig) {
    this.#deps = deps;
    this.#config = config;
  }

  follow({ nodeId, tails }: WantedTails): void {
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
      if (group === undefined) groups.set(wanted.queryKey, this.#newGroup(wanted, tail));
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
    this.#postSoon();
  }

  #newGroup(wanted: WantedTail, tail: OpenTail): QueryGroup {
    const known = this.#groups.get(wanted.queryKey);
    const predicate = known?.predicate ?? this.#deps.compile(wanted.query, wanted);
    return { predicate, tails: [tail], saved: known?.saved ?? 0 };
  }

  batch({ messages }: Pick<RoutedBatch, 'messages'>): void {
    const allowance = this.#allowance;
    if (allowance === undefined || messages.length === 0) return;
    const { monotonic } = this.#deps;
    const groups = [...this.#groups.values()];
    allowance.grant(groups);
    this.#turn = (this.#turn + 1) % groups.length;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[(this.#turn + index) % groups.length];
      if (group !== undefined) this.#examine(group, messages, allowance);
    }
    this.#texts.endBatch();
    const startedAt = monotonic.now();
    this.#postSoon();
    allowance.spendForAll(monotonic.now() - startedAt);
  }

  /** Looks at messages until the allowance is used up. */
  #examine(group: QueryGroup, messages: readonly Message[], allowance: TimeAllowance): void {
    const { monotonic } = this.#deps;
    const allowedMs = allowance.allowed(group);
    const startedAt = monotonic.now();
    for (const tail of group.tails) tail.refill();
    let position = 0;
    let spent = 0;
    try {
      while (position < messages.length && spent < allowedMs) {
        const end = Math.min(messages.length, position + MESSAGES_PER_LOOK);
        for (; position < end; position++) this.#look(group, messages[position] as Message, position);
        if (this.#texts.characters >= FULL_CHARACTERS) this.#post();
        spent = monotonic.now() - startedAt;
      }
    } catch (error) {
      // A fault of ours in a predicate must not end the intake; its followers see nothing more.
      group.predicate = () => false;
      this.#deps.logger.error({ err: error }, 'the query of a live tail failed and matches nothing now');
    }
    if (position < messages.length) for (const tail of group.tails) tail.skipped(messages.length - position);
    allowance.spend(group, spent);
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
    if (tails.length === 0 && (this.#stalled === this.#toldStalled || this.#tails.size === 0)) return;
    this.#outstanding += 1;
    this.#postedAt = this.#deps.monotonic.now();
    this.#toldStalled = this.#stalled;
    this.#deps.post({ texts, tails, stalled: this.#stalled });
  }

  delivered(): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    if (this.#tails.size > 0) this.#postSoon();
  }

  waitBegins(who: object): void {
    this.#waiting.add(who);
    this.#watchStall();
  }

  waitEnds(who: object): void {
    this.#waiting.delete(who);
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
