import type { Clock, Timers } from '#core/index.ts';

interface ManualTimer {
  readonly dueAt: number;
  readonly action: () => void;
}

/** A clock that tests move by hand; its timers fire when it reaches them. */
export class ManualClock implements Clock, Timers {
  readonly #timers = new Set<ManualTimer>();
  #now: number;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.action();
    }
    this.#now = end;
  }

  schedule(delayMs: number, action: () => void): () => void {
    const timer = { dueAt: this.#now + delayMs, action };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  #nextDue(end: number): ManualTimer | undefined {
    let next: ManualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}
