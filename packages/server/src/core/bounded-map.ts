import type { Clock } from './clock.ts';

export interface BoundedMapSettings {
  readonly maxEntries: number;
}

/**
 * A map for caches: when it is full, the entries that were set longest ago make room. Reading costs what it costs in a
 * `Map`. For a least-recently-used cache, set an entry again when it is used.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxEntries: number;

  constructor({ maxEntries }: BoundedMapSettings) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Makes the entry the newest one, even if it was there before. */
  set(key: Key, value: Value): void {
    if (!this.#entries.delete(key) && this.#entries.size >= this.#maxEntries) this.#makeRoom();
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /**
   * A `Map` keeps the order of insertion, so the first entries are the oldest. To reach them an iterator skips the gaps
   * that removed entries left; dropping several at once spreads that cost.
   */
  #makeRoom(): void {
    let left = Math.max(1, this.#maxEntries >> 4);
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      if (--left === 0) return;
    }
  }
}

export interface ExpiringMapSettings extends BoundedMapSettings {
  /** An entry is forgotten this long after it was set. */
  readonly maxAgeMs: number;
}

/** A bounded map whose entries last for a limited time. */
export class ExpiringMap<Key, Value> {
  readonly #entries: BoundedMap<Key, { readonly value: Value; readonly expiresAt: number }>;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;

  constructor(clock: Clock, settings: ExpiringMapSettings) {
    this.#clock = clock;
    this.#maxAgeMs = settings.maxAgeMs;
    this.#entries = new BoundedMap(settings);
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#clock.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + this.#maxAgeMs });
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }
}
