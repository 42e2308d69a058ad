/**
 * Ends waits when something is stopped. `Promise.race` with one promise for the whole life of a queue would keep a part of
 * every race in memory for as long.
 */
export class StopSignal {
  readonly #ends = new Set<() => void>();
  #isStopped = false;

  /** How many wait. */
  get waiting(): number {
    return this.#ends.size;
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#ends) end();
  }

  /** What `work` gives, or false if it is stopped before that. */
  async or<T>(work: Promise<T>): Promise<T | false> {
    if (this.#isStopped) return false;
    const { promise, resolve, reject } = Promise.withResolvers<T | false>();
    const end = () => resolve(false);
    this.#ends.add(end);
    work.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#ends.delete(end);
    }
  }
}
