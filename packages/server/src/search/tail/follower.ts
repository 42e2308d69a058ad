import { Readable } from 'node:stream';
import type { Clock } from '#core/index.ts';
import type { MessageBatch } from './message-batch.ts';
import type { TailCounts } from './protocol.ts';
import { commentText, eventText, messagesEventText } from './server-sent-events.ts';

/** The status that a follower gets every second, with the names of the API. */
export interface TailStatus {
  /** Messages that matched the query since the tail was opened. */
  readonly matched: number;
  readonly shown: number;
  /** Matched but not shown: beyond the rate, or the client did not read them in time. */
  readonly dropped: number;
  /** Not tested, because testing would have slowed down the intake. */
  readonly skipped: number;
  /** Matched in the last second. */
  readonly matched_per_second: number;
  /** The most messages shown per second. */
  readonly rate: number;
  readonly paused: boolean;
  /** Matched since the pause began. */
  readonly new_messages: number;
  /** Messages wait in the journal, because storage accepts no more or processing is paused. */
  readonly stalled: boolean;
  /** The number of nodes that are followed, and the ids of those that cannot be. */
  readonly nodes: number;
  readonly missing_nodes: readonly string[];
}

export interface FollowerSettings {
  readonly rate: number;
  /** What may wait until the client reads; more is dropped. */
  readonly maxPendingCharacters: number;
}

/**
 * One client, as a stream of server-sent events. Memory is bounded: messages that the client does not read in time are
 * dropped and counted, and only the newest status is kept.
 */
export class TailFollower {
  readonly id: string;
  readonly stream: Readable;
  readonly #monotonic: Clock;
  readonly #config: FollowerSettings;
  #pending: string[] = [];
  #pendingCharacters = 0;
  /** Events that must not be lost; they are few and short. */
  #announcements = '';
  #status: string | undefined;
  #wantsMore = true;
  #isOpen = false;
  #pendingBatchNumber = 0;
  #tokens: number;
  #tokensAt: number;
  #ended = false;
  #matched = 0;
  #matchedBefore = 0;
  #shown = 0;
  #dropped = 0;
  #skipped = 0;
  #pausedAt: number | undefined;

  constructor(id: string, monotonic: Clock, config: FollowerSettings) {
    this.id = id;
    this.#monotonic = monotonic;
    this.#config = config;
    this.#tokens = config.rate;
    this.#tokensAt = monotonic.now();
    this.stream = new Readable({
      highWaterMark: config.maxPendingCharacters / 4,
      read: () => {
        this.#wantsMore = true;
        this.#flush();
      },
    });
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  /** A paused follower only counts messages. */
  setPaused(paused: boolean): void {
    if (paused) this.#pausedAt ??= this.#matched;
    else this.#pausedAt = undefined;
  }

  open(data: unknown): void {
    this.#isOpen = true;
    this.announce('open', data);
  }

  announce(event: string, data: unknown): void {
    this.#announcements += eventText(event, JSON.stringify(data));
    this.#flush();
  }

  /** Takes matching messages and the counts of their delivery. */
  offer(batch: MessageBatch, counts: TailCounts): void {
    this.#matched += counts.matched;
    this.#dropped += counts.dropped;
    this.#skipped += counts.skipped;
    const { length } = batch.texts;
    if (length === 0 || this.isPaused || this.stream.destroyed) return;
    this.#refill();
    if (this.#pending.length > 0 || this.#tokens < length || !this.#canSend()) {
      this.#queue(batch);
      this.#flush();
      return;
    }
    this.#tokens -= length;
    this.#shown += length;
    this.#wantsMore = this.stream.push(batch.event());
  }

  #queue({ number, texts }: MessageBatch): void {
    const { maxPendingCharacters } = this.#config;
    for (const text of texts) {
      if (this.#tokens < 1 || this.#pendingCharacters + text.length > maxPendingCharacters) {
        this.#dropped += 1;
        continue;
      }
      this.#tokens -= 1;
      this.#pending.push(text);
      this.#pendingCharacters += text.length;
    }
    this.#pendingBatchNumber = number;
  }

  /** Once a second. */
  sendStatus(more: Pick<TailStatus, 'stalled' | 'nodes' | 'missing_nodes'>): void {
    const status: TailStatus = {
      matched: this.#matched,
      shown: this.#shown,
      dropped: this.#dropped,
      skipped: this.#skipped,
      matched_per_second: this.#matched - this.#matchedBefore,
      rate: this.#config.rate,
      paused: this.isPaused,
      new_messages: this.#pausedAt === undefined ? 0 : this.#matched - this.#pausedAt,
      ...more,
    };
    this.#matchedBefore = this.#matched;
    this.#status = eventText('status', JSON.stringify(status));
    this.#flush();
  }

  /** Sends the reason and ends the stream. */
  end(reason: string, message: string): void {
    if (this.#ended || this.stream.destroyed) return;
    this.#ended = true;
    this.stream.push(this.#announcements + eventText('end', JSON.stringify({ reason, message })));
    this.stream.push(null);
  }

  #refill(): void {
    const now = this.#monotonic.now();
    const { rate } = this.#config;
    this.#tokens = Math.min(rate, this.#tokens + ((now - this.#tokensAt) / 1000) * rate);
    this.#tokensAt = now;
  }

  #canSend(): boolean {
    return this.#wantsMore && this.#isOpen && !this.#ended && !this.stream.destroyed;
  }

  #flush(): void {
    if (!this.#wantsMore || this.#ended || this.stream.destroyed) return;
    let text = this.#announcements;
    this.#announcements = '';
    if (this.#isOpen) {
      text += this.#pendingEvent();
      text += this.#status ?? '';
      this.#status = undefined;
    }
    if (text !== '') this.#wantsMore = this.stream.push(text);
  }

  #pendingEvent(): string {
    const pending = this.#pending;
    if (pending.length === 0) return '';
    this.#pending = [];
    this.#pendingCharacters = 0;
    this.#shown += pending.length;
    return messagesEventText(String(this.#pendingBatchNumber), pending);
  }

  /** Makes proxies that wait for a first byte send the headers. */
  sendPreamble(retryMs: number): void {
    this.#announcements += `retry: ${retryMs}\n${commentText('live tail')}`;
    this.#flush();
  }
}
