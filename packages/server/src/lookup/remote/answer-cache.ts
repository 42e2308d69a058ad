import { isEmptyAnswer, type LookupAnswer, NO_ANSWER } from '../answer.ts';
import type { CachePolicy } from '../cache-type.ts';

/** What was fetched for a key. */
export interface FetchedAnswer {
  readonly answer: LookupAnswer;
  /** How long its origin says that it is valid; for ever without. */
  readonly ttlMs?: number;
}

export interface KnownAnswer {
  readonly answer: LookupAnswer;
  /** How long it may be used before a new one is due; not positive: a new one is due. */
  readonly freshMs: number;
}

export interface AnswerCacheSettings {
  readonly policy: CachePolicy;
  /** Whether an answer that has expired is used until there is a new one. */
  readonly usesExpired: boolean;
}

interface Entry {
  readonly answer: LookupAnswer;
  readonly bytes: number;
  freshUntil: number;
  usableUntil: number;
  usedAt: number;
}

/** So long an answer that has expired is used while a new one is fetched. */
const MAX_EXPIRED_MS = 5 * 60_000;
/** A key whose answer could not be fetched is asked for again after this time. */
const RETRY_MS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;
/** What an entry costs beside its texts. */
const ENTRY_BYTES = 200;

/** The answers of one table in one thread: those that were not used for the longest time go first. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #policy: CachePolicy;
  readonly #expiredMs: number;
  #bytes = 0;

  constructor({ policy, usesExpired }: AnswerCacheSettings) {
    this.#policy = policy;
    this.#expiredMs = usesExpired ? MAX_EXPIRED_MS : 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, now: number): KnownAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (now < entry.usedAt) {
      // The clock was set back: nobody can tell how old the answer is.
      entry.freshUntil = Math.min(entry.freshUntil, now);
      entry.usableUntil = Math.min(entry.usableUntil, now + this.#expiredMs);
    }
    if (now >= entry.usableUntil || now - entry.usedAt >= this.#policy.afterAccessMs) {
      this.delete(key);
      return undefined;
    }
    entry.usedAt = now;
    // The entry becomes the newest one.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return { answer: entry.answer, freshMs: entry.freshUntil - now };
  }

  set(key: string, { answer, ttlMs = Number.POSITIVE_INFINITY }: FetchedAnswer, now: number): void {
    const { afterWriteMs, emptyAfterWriteMs } = this.#policy;
    const keptMs = isEmptyAnswer(answer) ? emptyAfterWriteMs : afterWriteMs;
    const freshUntil = now + Math.min(keptMs, ttlMs);
    const usableUntil = freshUntil + this.#expiredMs;
    const bytes = ENTRY_BYTES + 2 * (key.length + JSON.stringify(answer).length);
    this.#put(key, { answer, bytes, freshUntil, usableUntil, usedAt: now });
  }

  /** The answer could not be fetched: what is known stays in use, and nobody asks again for a while. */
  fail(key: string, now: number): void {
    const freshUntil = now + RETRY_MS;
    const entry = this.#entries.get(key);
    if (entry !== undefined && now < entry.usableUntil) entry.freshUntil = freshUntil;
    else {
      const bytes = ENTRY_BYTES + 2 * key.length;
      this.#put(key, { answer: NO_ANSWER, bytes, freshUntil, usableUntil: freshUntil, usedAt: now });
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #put(key: string, entry: Entry): void {
    this.delete(key);
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    if (this.#entries.size <= this.#policy.maxEntries && this.#bytes <= MAX_BYTES) return;
    // To reach the oldest ones, an iterator skips the gaps of those that moved. Several at once spread that cost.
    let left = 1 + (this.#entries.size >> 8);
    for (const oldest of this.#entries.keys()) {
      if (oldest === key) continue;
      this.delete(oldest);
      left -= 1;
      if (left <= 0 && this.#bytes <= MAX_BYTES) return;
    }
  }
}
