/**
 * The bytes all journal partitions of a node may take on disk together (`message_journal_max_size`).
 * A holder is one partition's share; each is used by one worker.
 */
export interface ByteBudget {
  readonly limit: number;
  /** Bytes reserved by all holders. Above `limit` only when files were there before the limit. */
  used(): number;
  /** Reserves all of `bytes`, or nothing. */
  tryReserve(bytes: number): boolean;
  release(bytes: number): void;
  /**
   * Sets this holder's share to what its directory really holds, whatever it was before: a partition does
   * this when it opens, so that a worker that died does not leave its reservation behind.
   */
  reset(bytes: number): void;
}

const LIMIT = 0;
const TOTAL = 1;
const FIRST_HOLDER = 2;
const BYTES_PER_CELL = 8;

/** Memory for a budget that workers share; give it to each of them and call `sharedByteBudget`. */
export function allocateSharedBudget(limit: number, holders: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer((FIRST_HOLDER + holders) * BYTES_PER_CELL);
  new BigInt64Array(memory)[LIMIT] = BigInt(limit);
  return memory;
}

/** The share of holder number `holder` in a budget shared between workers. */
export function sharedByteBudget(memory: SharedArrayBuffer, holder: number): ByteBudget {
  const cells = new BigInt64Array(memory);
  const own = FIRST_HOLDER + holder;
  if (!Number.isInteger(holder) || holder < 0 || own >= cells.length) {
    throw new RangeError(
      `the budget has ${cells.length - FIRST_HOLDER} holders, there is no number ${holder}`,
    );
  }
  const limit = cells[LIMIT] as bigint;
  const add = (bytes: bigint): void => {
    Atomics.add(cells, own, bytes);
    Atomics.add(cells, TOTAL, bytes);
  };
  return {
    limit: Number(limit),
    used: () => Number(Atomics.load(cells, TOTAL)),
    tryReserve(bytes) {
      const wanted = BigInt(bytes);
      // Add first and take back on overshoot: two workers racing for the last bytes may both be refused,
      // never both be served.
      if (Atomics.add(cells, TOTAL, wanted) + wanted > limit) {
        Atomics.sub(cells, TOTAL, wanted);
        return false;
      }
      Atomics.add(cells, own, wanted);
      return true;
    },
    release: (bytes) => add(-BigInt(bytes)),
    reset: (bytes) => add(BigInt(bytes) - Atomics.load(cells, own)),
  };
}

/** Small compared with any limit, and large enough that shared counters are rarely touched. */
const LEASE_BYTES = 256 * 1024;

/** Reserves space for one partition in larger steps, so that an append rarely touches the budget. */
export class SpaceLease {
  readonly budget: ByteBudget;
  #unspent = 0;

  constructor(budget: ByteBudget) {
    this.budget = budget;
  }

  take(bytes: number): boolean {
    if (this.#unspent < bytes && !this.#refill(bytes)) return false;
    this.#unspent -= bytes;
    return true;
  }

  /** Whether `bytes` could be taken now, apart from what other partitions do. */
  couldTake(bytes: number): boolean {
    return this.#unspent >= bytes || this.budget.used() + bytes - this.#unspent <= this.budget.limit;
  }

  /** Less was needed than was taken. */
  putBack(bytes: number): void {
    this.#unspent += bytes;
  }

  giveBack(bytes: number): void {
    this.budget.release(bytes);
  }

  returnUnspent(): void {
    this.budget.release(this.#unspent);
    this.#unspent = 0;
  }

  #refill(bytes: number): boolean {
    const missing = bytes - this.#unspent;
    const wanted = Math.max(missing, LEASE_BYTES);
    if (this.budget.tryReserve(wanted)) {
      this.#unspent += wanted;
      return true;
    }
    if (!this.budget.tryReserve(missing)) return false;
    this.#unspent += missing;
    return true;
  }
}
