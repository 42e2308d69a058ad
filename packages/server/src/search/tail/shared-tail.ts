import type { Clock } from '#core/index.ts';
import type { MessageBatch } from './message-batch.ts';
import type { TailCounts, TailDelivery, TailUpdate } from './protocol.ts';

/** A follower, as a tail sees it. */
export interface TailListener {
  /** Messages per second. */
  readonly rate: number;
  readonly isPaused: boolean;
  offer(batch: MessageBatch, counts: TailCounts): void;
}

export interface SharedTailDeps {
  readonly monotonic: Clock;
  readonly batchOf: (texts: readonly string[]) => MessageBatch;
}

/** Messages are collected for this time and shown together. With the time in the workers, that is less than 250 ms. */
const OFFER_INTERVAL_MS = 100;
const NO_COUNTS: TailCounts = { matched: 0, dropped: 0, skipped: 0 };

/** A selection that is followed, and its listeners. */
export class SharedTail<Selection> {
  readonly id: number;
  readonly key: string;
  readonly selection: Selection;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly listeners = new Set<TailListener>();
  readonly #deps: SharedTailDeps;
  /** Messages and counts since the last offer. */
  #texts: string[] = [];
  #counts = NO_COUNTS;
  #offeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    deps: SharedTailDeps,
    { id, key, selection, since }: Pick<SharedTail<Selection>, 'id' | 'key' | 'selection' | 'since'>,
  ) {
    this.#deps = deps;
    this.id = id;
    this.key = key;
    this.selection = selection;
    this.since = since;
  }

  /** The highest rate of all listeners that are not paused. */
  get rate(): number {
    let rate = 0;
    for (const listener of this.listeners) if (!listener.isPaused) rate = Math.max(rate, listener.rate);
    return rate;
  }

  /** Offers the messages now if the last offer was long enough ago, otherwise with those that follow. */
  found(update: TailUpdate, texts: TailDelivery['texts']): void {
    for (const position of update.messages) this.#texts.push(texts[position] as string);
    this.#counts = {
      matched: this.#counts.matched + update.matched,
      dropped: this.#counts.dropped + update.dropped,
      skipped: this.#counts.skipped + update.skipped,
    };
    if (this.#timer !== undefined) return;
    const wait = this.#offeredAt + OFFER_INTERVAL_MS - this.#deps.monotonic.now();
    if (wait <= 0) this.#offer();
    else this.#timer = setTimeout(() => this.#offer(), wait);
  }

  #offer(): void {
    const batch = this.#deps.batchOf(this.#texts);
    const counts = this.#counts;
    this.#timer = undefined;
    this.#texts = [];
    this.#counts = NO_COUNTS;
    this.#offeredAt = this.#deps.monotonic.now();
    for (const listener of [...this.listeners]) listener.offer(batch, counts);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
