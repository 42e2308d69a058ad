import { Readable } from 'node:stream';
import type { Clock } from '#core/index.ts';
import type { MessageBatch } from './message-batch.ts';
import type { TailCounts } from './protocol.ts';
import { commentText, eventText, messagesEventText } from './server-sent-events.ts';

/** What a follower is told every second, in the names of the API. */
export interface TailStatus {
  /** Messages that matched the query since the tail began. */
  readonly matched: number;
  readonly shown: number;
  /** Matched but not shown: over the rate, or the client did not take them in time. */
  readonly dropped: number;
  /** Were not looked at, because looking would have slowed the intake down. */
  readonly skipped: number;
  /** Matched in the last second. */
  readonly matched_per_second: number;
  /** At most so many messages a second are shown. */
  readonly rate: number;
  readonly paused: boolean;
  /** Matched since the pause began. */
  readonly new_messages: number;
  /** Messages wait in the journal because the storage takes no more or processing is paused. */
  readonly stalled: boolean;
  /** How many nodes are followed, and which of the cluster could not be. */
  readonly nodes: number;
  readonly missing_nodes: readonly string[];
}

export interface FollowerConfig {
  readonly rate: number;
  /** What waits for the client to read; more is dropped. */
  readonly maxPendingCharacters: number;
}

/**
 * One client and what is on its way to it, as a stream of server-sent events. Memory is bounded: what the client does
 * not read in time is dropped and counted, and of the states only the newest is kept.
 */
export class TailFollower {
  readonly id: string;
  readonly stream: Readable;
  readonly #monotonic: Clock;
  readonly #config: FollowerConfig;
  #pending: string[] = [];
  #pendingCharacters = 0;
  /** Events that must not be lost: few, and short. */
  #announcements = '';
  #status: string | undefined;
  #wantsMore = true;
  #isOpen = false;
  #pendingNumber = 0;
  #tokens: number;
  #tokensAt: number;
  #ended = false;
  #matched = 0;
  #matchedBefore = 0;
  #shown = 0;
  #dropped = 0;
  #skipped = 0;
  #pausedAt: number | undefined;

  constructor(id: string, monotonic: Clock, config: FollowerConfig) {
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

  /** What messages are shown from now on is decided by the one who calls; here they are only counted. */
  setPaused(paused: boolean): void {
    if (paused) this.#pausedAt ??= this.#matched;
    else this.#pausedAt = undefined;
  }

  /** From now on messages are shown. */
  open(data: unknown): void {
    this.#isOpen = true;
    this.announce('open', data);
  }

  announce(event: string, data: unknown): void {
    this.#announcements += eventText(event, JSON.stringify(data));
    this.#flush();
  }

  /** Messages that matched, and what was counted with them. */
  offer(batch: MessageBatch, counts: TailCounts): void {
    this.#matched += counts.matched;
    this.#dropped += counts.dropped;
    this.#skipped += counts.skipped;
    const { length } = batch.texts;
    if (length === 0 || this.isPaused || this.stream.destroyed) return;
    this.#refill();
    if (this.#pending.length > 0 || this.#tokens < length || !this.#canSend()) {
      this.#keep(batch);
      this.#flush();
      return;
    }
    this.#tokens -= length;
    this.#shown += length;
    this.#wantsMore = this.stream.push(batch.event());
  }

  #keep({ number, texts }: MessageBatch): void {
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
    this.#pendingNumber = number;
  }

  /** Once a second. */
  tellStatus(more: Pick<TailStatus, 'stalled' | 'nodes' | 'missing_nodes'>): void {
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

  /** Says why, and ends the stream after what is on its way. */
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
    return messagesEventText(String(this.#pendingNumber), pending);
  }

  /** Makes the headers go out at once, also through proxies that wait for a first byte. */
  begin(retryMs: number): void {
    this.#announcements += `retry: ${retryMs}\n${commentText('live tail')}`;
    this.#flush();
  }
}
