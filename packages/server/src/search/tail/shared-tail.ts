import type { Clock } from '#core/index.ts';
import type { MessageBatch } from './message-batch.ts';
import type { TailCounts, TailDelivery, TailNews } from './protocol.ts';

/** One who gets messages. */
export interface TailAudience {
  /** Messages a second. */
  readonly rate: number;
  readonly isPaused: boolean;
  offer(batch: MessageBatch, counts: TailCounts): void;
}

export interface SharedTailDeps {
  readonly monotonic: Clock;
  readonly batchOf: (texts: readonly string[]) => MessageBatch;
}

/**
 * What is found in a moment is shown together. With what workers need, it is seen in less than a quarter of a second.
 */
const OFFER_INTERVAL_MS = 100;
const NO_COUNTS: TailCounts = { matched: 0, dropped: 0, skipped: 0 };

/** Something that is followed, with all who follow it. */
export class SharedTail<Terms> {
  readonly id: number;
  readonly key: string;
  readonly terms: Terms;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly audiences = new Set<TailAudience>();
  readonly #deps: SharedTailDeps;
  /** What was found since the audiences last got something. */
  #texts: string[] = [];
  #counts = NO_COUNTS;
  #offeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    deps: SharedTailDeps,
    { id, key, terms, since }: Pick<SharedTail<Terms>, 'id' | 'key' | 'terms' | 'since'>,
  ) {
    this.#deps = deps;
    this.id = id;
    this.key = key;
    this.terms = terms;
    this.since = since;
  }

  /** The most that one of them wants to see in a second. */
  get rate(): number {
    let rate = 0;
    for (const audience of this.audiences) if (!audience.isPaused) rate = Math.max(rate, audience.rate);
    return rate;
  }

  /** Shows it at once when the last time is a moment ago; else together with what comes until then. */
  found(news: TailNews, texts: TailDelivery['texts']): void {
    for (const position of news.messages) this.#texts.push(texts[position] as string);
    this.#counts = {
      matched: this.#counts.matched + news.matched,
      dropped: this.#counts.dropped + news.dropped,
      skipped: this.#counts.skipped + news.skipped,
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
    for (const audience of [...this.audiences]) audience.offer(batch, counts);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
