/**
 * Sends the messages of one queue to one destination: in order, at least once, for as long as it takes.
 *
 * Protocols that answer are simple: what was answered is delivered. Those that do not (`confirmAfterMs`) leave messages
 * under way for a while, because bytes that left this process may never be read by the other one. When the connection
 * breaks, everything under way is read from the queue again and sent again. While a destination does not read, time does
 * not count: what fills the buffers on the way is under way until the destination has read for long enough, or until more
 * was sent after it than buffers can hold.
 */
import { type Backoff, type Clock, createBackoff, errorMessage } from '#core/index.ts';
import { type BatchLimits, type Output, RefusedError, RetryAfterError, SomeRefusedError } from '../output.ts';
import type { OutputQueue } from '../queue/output-queue.ts';
import type { QueuedMessage } from '../queue/queue-record.ts';
import { collectBatch, type OutgoingBatch } from './batch-collector.ts';
import { mostBufferedBytes } from './kernel-buffers.ts';

/** What delivery tells the worker. */
export interface DeliveryEvents {
  sent(messages: number, bytes: number): void;
  /** The destination does not take this message; it should be kept as a failure. */
  refused(message: QueuedMessage, reason: string): void;
  stateChanged(state: DeliveryState): void;
}

export type DeliveryState =
  | { readonly state: 'STARTING' }
  | { readonly state: 'RUNNING' }
  | { readonly state: 'FAILED'; readonly message: string; readonly retryInMs: number };

export interface DeliveryDeps {
  readonly queue: OutputQueue;
  /** Calls `lost` when the connection is gone. */
  readonly createOutput: (lost: (reason: string) => void) => Output;
  readonly clock: Clock;
  readonly events: DeliveryEvents;
}

export interface DeliverySettings {
  readonly limits: BatchLimits;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs?: number;
}

interface UnderWay extends Pick<OutgoingBatch, 'endOffset' | 'oldestReceivedAt'> {
  readonly sentAt: number;
  /** How many bytes were sent by then. */
  readonly sentBytes: number;
}

const DEFAULT_MAX_RETRY_DELAY_MS = 15_000;
const RETRY_JITTER = 0.5;

export class Delivery {
  readonly #queue: OutputQueue;
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #events: DeliveryEvents;
  readonly #limits: BatchLimits;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  /** Aborted to end a wait, for messages or for the next attempt. */
  #wake = new AbortController();
  #wait = AbortSignal.any([this.#stopping.signal, this.#wake.signal]);
  readonly #run: Promise<void>;
  #state: DeliveryState = { state: 'STARTING' };
  #isConnected = false;
  #inHand: OutgoingBatch | undefined;
  /** Batches under way, oldest first. */
  #underWay: UnderWay[] = [];
  #confirmTimer: NodeJS.Timeout | undefined;
  #sentBytes = 0;
  /** When the `send` that has not ended began. */
  #sendingSince: number | undefined;
  /** When the destination last began to read again. */
  #flowingSince = 0;
  #isDraining = false;
  /** Changes when the queue is read again from an earlier place. */
  #generation = 0;

  constructor(deps: DeliveryDeps, settings: DeliverySettings) {
    this.#queue = deps.queue;
    this.#clock = deps.clock;
    this.#events = deps.events;
    this.#limits = settings.limits;
    this.#backoff = createBackoff({
      firstMs: settings.retryDelayMs,
      maxMs: Math.max(settings.retryDelayMs, settings.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS),
      jitter: RETRY_JITTER,
    });
    this.#output = deps.createOutput((reason) => this.#lost(reason));
    this.#run = this.#loop();
  }

  /** When the oldest message that is not delivered was received, if that is known. */
  get oldestReceivedAt(): number | undefined {
    const known = this.#underWay[0] ?? this.#inHand;
    if (known !== undefined) return known.oldestReceivedAt;
    return this.#isConnected ? undefined : this.#queue.peekOldest();
  }

  /** Tries again at once if it waits for the next attempt. */
  retryNow(): void {
    this.#backoff.reset();
    this.#wakeUp();
  }

  /**
   * Sends what is queued, or on its way into the queue, for at most `graceMs`, then ends. With 0 it ends at once; messages
   * under way are sent again by whoever delivers the queue next.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const timer = setTimeout(() => this.#stopping.abort(), graceMs);
    if (graceMs === 0 || this.#state.state !== 'RUNNING') this.#stopping.abort();
    this.#wakeUp();
    await this.#run;
    clearTimeout(timer);
    clearTimeout(this.#confirmTimer);
    const hasRead = await this.#output.close(AbortSignal.timeout(Math.max(CLOSE_PATIENCE_MS, graceMs)));
    const last = this.#underWay.at(-1);
    if (hasRead && last !== undefined) this.#queue.delivered(last.endOffset);
    this.#inHand?.release();
    this.#inHand = undefined;
    this.#queue.expectReads(false);
    this.#queue.rewind();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (!this.#isConnected) await this.#connect(signal);
        if (!(await this.#sendNext(signal))) return;
      } catch (error) {
        if (signal.aborted) return;
        await this.#pause(error);
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    await this.#output.connect?.(signal);
    this.#isConnected = true;
    // Without a connection only a successful send proves that the destination is back.
    if (this.#output.connect !== undefined || this.#state.state === 'STARTING')
      this.#enter({ state: 'RUNNING' });
  }

  /** False when there is nothing more to do. */
  async #sendNext(signal: AbortSignal): Promise<boolean> {
    const generation = this.#generation;
    const batch = this.#inHand ?? (await this.#nextBatch());
    if (generation !== this.#generation) {
      // The connection was lost while it was collected: it will be read again.
      batch?.release();
      return true;
    }
    this.#inHand = batch;
    if (batch === undefined) return !signal.aborted && (!this.#isDraining || this.#queue.hasUnread);
    await this.#sendWatched(batch, signal);
    if (generation !== this.#generation) return true;
    this.#backoff.reset();
    this.#enter({ state: 'RUNNING' });
    // Only now: a batch that has not arrived is sent again, perhaps by another process, and would be refused again.
    for (const [message, reason] of batch.refused) this.#events.refused(message, reason);
    this.#events.sent(batch.messages.length, batch.bytes);
    this.#inHand = undefined;
    batch.release();
    this.#confirmLater(batch);
    return true;
  }

  #nextBatch(): Promise<OutgoingBatch | undefined> {
    if (!this.#isDraining) return collectBatch(this.#queue, this.#limits, this.#wait);
    const wait = AbortSignal.any([this.#wait, AbortSignal.timeout(DRAIN_POLL_MS)]);
    return collectBatch(this.#queue, { ...this.#limits, lingerMs: 0 }, wait);
  }

  /** Remembers whether the destination reads. */
  async #sendWatched(batch: OutgoingBatch, signal: AbortSignal): Promise<void> {
    const startedAt = this.#clock.now();
    this.#sendingSince = startedAt;
    try {
      const { messages, refused } = batch;
      const left = refused.size === 0 ? messages : messages.filter((message) => !refused.has(message));
      await this.#send(left, refused, signal);
      this.#sentBytes += batch.bytes;
    } finally {
      this.#sendingSince = undefined;
      if (this.#clock.now() - startedAt >= STALL_MS) this.#flowingSince = this.#clock.now();
    }
  }

  /** Halves what is refused until the messages that are at fault are alone, and adds those to `refused`. */
  async #send(
    messages: readonly QueuedMessage[],
    refused: Map<QueuedMessage, string>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#output.send(messages, signal);
    } catch (error) {
      if (error instanceof SomeRefusedError) {
        for (const [position, reason] of error.reasons) {
          refused.set(messages[position] as QueuedMessage, reason);
        }
        return;
      }
      if (!(error instanceof RefusedError)) throw error;
      if (messages.length === 1) {
        refused.set(messages[0] as QueuedMessage, error.message);
        return;
      }
      const middle = messages.length >> 1;
      await this.#send(messages.slice(0, middle), refused, signal);
      await this.#send(messages.slice(middle), refused, signal);
    }
  }

  #confirmLater({ endOffset, oldestReceivedAt }: OutgoingBatch): void {
    const { confirmAfterMs = 0 } = this.#output;
    if (confirmAfterMs === 0) {
      this.#queue.delivered(endOffset);
      return;
    }
    this.#queue.sent(endOffset);
    const [sentAt, sentBytes] = [this.#clock.now(), this.#sentBytes];
    this.#underWay.push({ endOffset, oldestReceivedAt, sentAt, sentBytes });
    this.#scheduleConfirmation(confirmAfterMs);
  }

  #scheduleConfirmation(confirmAfterMs: number): void {
    this.#confirmTimer ??= setTimeout(
      () => {
        this.#confirmTimer = undefined;
        const until = (this.#sendingSince ?? this.#clock.now()) - confirmAfterMs;
        const passedOn = this.#sentBytes - MOST_BUFFERED_BYTES;
        const later = this.#underWay.findIndex(
          ({ sentAt, sentBytes }) => Math.max(sentAt, this.#flowingSince) > until && sentBytes > passedOn,
        );
        const confirmed = this.#underWay.splice(0, later === -1 ? this.#underWay.length : later).at(-1);
        if (confirmed !== undefined) this.#queue.delivered(confirmed.endOffset);
        if (this.#underWay.length > 0) this.#scheduleConfirmation(confirmAfterMs);
      },
      Math.max(MIN_CONFIRM_STEP_MS, confirmAfterMs / 8),
    ).unref();
  }

  /** The connection broke by itself, perhaps while nothing was being sent. */
  #lost(reason: string): void {
    if (!this.#isConnected || this.#stopping.signal.aborted) return;
    this.#sendAgain();
    this.#enter({ state: 'FAILED', message: reason, retryInMs: 0 });
    this.#wakeUp();
  }

  #sendAgain(): void {
    this.#isConnected = false;
    clearTimeout(this.#confirmTimer);
    this.#confirmTimer = undefined;
    this.#underWay = [];
    this.#generation += 1;
    this.#inHand?.release();
    this.#inHand = undefined;
    this.#queue.rewind();
  }

  async #pause(error: unknown): Promise<void> {
    if (this.#underWay.length > 0) this.#sendAgain();
    this.#isConnected = false;
    const backoffMs = this.#backoff.next();
    const retryInMs = error instanceof RetryAfterError ? Math.max(error.delayMs, backoffMs) : backoffMs;
    this.#enter({ state: 'FAILED', message: errorMessage(error), retryInMs });
    // While it stops there is no time for a destination that is away.
    if (this.#isDraining) this.#stopping.abort();
    await abortableDelay(retryInMs, this.#wait);
  }

  #wakeUp(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
    this.#wait = AbortSignal.any([this.#stopping.signal, this.#wake.signal]);
  }

  #enter(state: DeliveryState): void {
    if (state.state === 'RUNNING' && this.#state.state === 'RUNNING') return;
    this.#state = state;
    this.#queue.expectReads(state.state === 'RUNNING');
    this.#events.stateChanged(state);
  }
}

const DRAIN_POLL_MS = 100;
const CLOSE_PATIENCE_MS = 500;
const MIN_CONFIRM_STEP_MS = 50;
/** A `send` that takes this long waits for the destination to read. */
const STALL_MS = 250;
const MOST_BUFFERED_BYTES = mostBufferedBytes();

function abortableDelay(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
