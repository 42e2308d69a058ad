/** The one way to read the time in code under test. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since some moment, for durations: it never jumps when somebody sets the machine's time. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** A clock that tests move by hand. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
