import { type Clock, monotonicClock } from '#core/index.ts';

interface Spare {
  readonly memory: Buffer;
  readonly since: number;
}

/**
 * The memory of blocks that are stored, for the next ones. New memory for every block would be tens of megabytes several
 * times a second, each page of which the kernel has to clear, and which makes V8 look through its whole heap for what
 * could be freed: half of all garbage collection under load.
 */
export class BlockMemory {
  readonly #clock: Clock;
  /** The one that was given back last is the last one. */
  #spare: Spare[] = [];

  constructor(clock = monotonicClock) {
    this.#clock = clock;
  }

  /** At least so many bytes, of any content. */
  take(bytes: number): Buffer {
    this.#dropOld();
    const most = Math.max(bytes * MOST_TIMES_TOO_LARGE, SMALL_BYTES);
    const at = this.#spare.findLastIndex(({ memory }) => memory.length >= bytes && memory.length <= most);
    const [found] = at < 0 ? [] : this.#spare.splice(at, 1);
    if (found !== undefined) return found.memory;
    // Rounded up, so that the next one, which is somewhat larger or smaller, fits too. What is not used is not resident.
    const rounding = bytes < SMALL_BYTES ? SMALL_ROUNDING : LARGE_ROUNDING;
    return Buffer.allocUnsafeSlow(Math.ceil(bytes / rounding) * rounding);
  }

  /** @param block made in memory of `take`, and read by nobody any more */
  giveBack({ buffer }: Buffer): void {
    this.#dropOld();
    const kept = this.#spare.reduce((sum, { memory }) => sum + memory.length, 0);
    if (kept + buffer.byteLength > MOST_KEPT_BYTES) return;
    this.#spare.push({ memory: Buffer.from(buffer), since: this.#clock.now() });
  }

  /** Memory that nobody has taken for a while was for an exceptional block, or for a load that is over. */
  #dropOld(): void {
    const now = this.#clock.now();
    const [oldest] = this.#spare;
    if (oldest === undefined || now - oldest.since < KEPT_MS) return;
    this.#spare = this.#spare.filter(({ since }) => now - since < KEPT_MS);
  }
}

const KEPT_MS = 10_000;
const MOST_TIMES_TOO_LARGE = 4;
const SMALL_BYTES = 2 ** 20;
const SMALL_ROUNDING = 64 * 2 ** 10;
const LARGE_ROUNDING = 8 * 2 ** 20;
/** For a full batch in flight, the next one that grows beside it, and their tables. */
const MOST_KEPT_BYTES = 96 * 2 ** 20;
