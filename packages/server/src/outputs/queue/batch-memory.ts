import type { ViewedBytes } from '#codecs/index.ts';
import { type Clock, monotonicClock, systemTimers, type Timers } from '#core/index.ts';

const BATCH_BYTES = 1024 * 1024;
/** A busy disk keeps about so many batches waiting now and then. What a batch does not fill is not resident. */
const MAX_IDLE = 64;
const KEPT_MS = 10_000;

interface Idle {
  readonly memory: ViewedBytes;
  readonly since: number;
}

/**
 * The memory of batches that queues no longer need, for the next ones: fresh memory for each would make the garbage
 * collector look through everything far more often. What only a busy disk needed is released when nobody has taken it for a
 * while, also if no more batches come.
 */
export class BatchMemory {
  readonly #clock: Clock;
  readonly #timers: Timers;
  /** The one that was given back last is the last one, and the first one to be taken: those in front are not needed. */
  #idle: Idle[] = [];
  #maxIdle = MAX_IDLE;
  /** Waits while something is idle. It goes on when all of it is taken: most batches take the only one and give it back. */
  #cancelRelease: (() => void) | undefined;

  constructor(clock: Clock = monotonicClock, timers: Timers = systemTimers) {
    this.#clock = clock;
    this.#timers = timers;
  }

  take(length: number): ViewedBytes {
    const idle = length <= BATCH_BYTES ? this.#idle.pop() : undefined;
    return idle?.memory ?? memoryOf(Math.max(length, BATCH_BYTES));
  }

  giveBack(memory: ViewedBytes): void {
    if (memory.bytes.length !== BATCH_BYTES || this.#idle.length >= this.#maxIdle) return;
    this.#idle.push({ memory, since: this.#clock.now() });
    if (this.#cancelRelease === undefined) this.#releaseIn(KEPT_MS);
  }

  /** Batches may still be under way: what is given back from now on is not kept. */
  stop(): void {
    this.#maxIdle = 0;
    this.#idle = [];
    this.#cancelRelease?.();
    this.#cancelRelease = undefined;
  }

  #releaseIn(delayMs: number): void {
    this.#cancelRelease = this.#timers.schedule(delayMs, () => this.#release());
  }

  #release(): void {
    this.#cancelRelease = undefined;
    const until = this.#clock.now() - KEPT_MS;
    const kept = this.#idle.findIndex(({ since }) => since > until);
    this.#idle.splice(0, kept === -1 ? this.#idle.length : kept);
    const [oldest] = this.#idle;
    if (oldest !== undefined) this.#releaseIn(oldest.since - until);
  }
}

function memoryOf(length: number): ViewedBytes {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}
