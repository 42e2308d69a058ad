import type { ViewedBytes } from '#codecs/index.ts';
import { type Clock, monotonicClock } from '#core/index.ts';

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
 * collector look through everything far more often. What only a busy disk needed is released when it keeps up again.
 */
export class BatchMemory {
  readonly #clock: Clock;
  /** The one that was given back last is the last one, and the first one to be taken: those in front are not needed. */
  readonly #idle: Idle[] = [];

  constructor(clock = monotonicClock) {
    this.#clock = clock;
  }

  take(length: number): ViewedBytes {
    const idle = length <= BATCH_BYTES ? this.#idle.pop() : undefined;
    return idle?.memory ?? memoryOf(Math.max(length, BATCH_BYTES));
  }

  giveBack(memory: ViewedBytes): void {
    const since = this.#clock.now();
    const [oldest] = this.#idle;
    // One at a time: a disk that is busy every now and then should find most of it there.
    if (oldest !== undefined && since - oldest.since > KEPT_MS) this.#idle.shift();
    if (memory.bytes.length === BATCH_BYTES && this.#idle.length < MAX_IDLE)
      this.#idle.push({ memory, since });
  }
}

function memoryOf(length: number): ViewedBytes {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}
