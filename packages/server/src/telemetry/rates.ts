import type { Clock } from '#core/index.ts';

/** Events per second, as plain data. */
export interface RatesData {
  readonly count: number;
  readonly oneMinute: number;
  readonly fiveMinute: number;
  readonly fifteenMinute: number;
  readonly mean: number;
}

const TICK_MS = 5000;
const TICK_SECONDS = TICK_MS / 1000;

/** An exponentially weighted moving average, like the load average of Unix. */
class MovingRate {
  readonly #keep: number;
  #perSecond = 0;
  #started = false;

  constructor(minutes: number) {
    this.#keep = Math.exp(-TICK_SECONDS / 60 / minutes);
  }

  /** `ticks` intervals have ended; all `events` fell into the first of them. */
  advance(events: number, ticks: number): void {
    const first = events / TICK_SECONDS;
    this.#perSecond = this.#started ? first + (this.#perSecond - first) * this.#keep : first;
    this.#started = true;
    this.#perSecond *= this.#keep ** (ticks - 1);
  }

  get perSecond(): number {
    return this.#perSecond;
  }
}

/**
 * Counts events and their recent rates per second. No timer runs in the background: each call catches up with the time
 * since the last one, however long ago that was.
 */
export class Rates {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #one = new MovingRate(1);
  readonly #five = new MovingRate(5);
  readonly #fifteen = new MovingRate(15);
  #lastTick: number;
  #count = 0;
  #uncounted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#lastTick = this.#startedAt;
  }

  mark(events: number): void {
    this.#catchUp(this.#clock.now());
    this.#count += events;
    this.#uncounted += events;
  }

  data(): RatesData {
    const now = this.#clock.now();
    this.#catchUp(now);
    const seconds = (now - this.#startedAt) / 1000;
    return {
      count: this.#count,
      oneMinute: this.#one.perSecond,
      fiveMinute: this.#five.perSecond,
      fifteenMinute: this.#fifteen.perSecond,
      mean: seconds > 0 ? this.#count / seconds : 0,
    };
  }

  #catchUp(now: number): void {
    // If the wall clock was set back, the interval restarts.
    if (now < this.#lastTick) this.#lastTick = now;
    const ticks = Math.floor((now - this.#lastTick) / TICK_MS);
    if (ticks === 0) return;
    this.#lastTick += ticks * TICK_MS;
    for (const rate of [this.#one, this.#five, this.#fifteen]) rate.advance(this.#uncounted, ticks);
    this.#uncounted = 0;
  }
}

/** Counts the events of the last whole second. */
export class LastSecond {
  readonly #clock: Clock;
  #second: number;
  #current = 0;
  #previous = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#second = Math.floor(clock.now() / 1000);
  }

  mark(events: number): void {
    this.#catchUp();
    this.#current += events;
  }

  read(): number {
    this.#catchUp();
    return this.#previous;
  }

  #catchUp(): void {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second === this.#second) return;
    this.#previous = second === this.#second + 1 ? this.#current : 0;
    this.#current = 0;
    this.#second = second;
  }
}

export function addRates(a: RatesData, b: RatesData): RatesData {
  return {
    count: a.count + b.count,
    oneMinute: a.oneMinute + b.oneMinute,
    fiveMinute: a.fiveMinute + b.fiveMinute,
    fifteenMinute: a.fifteenMinute + b.fifteenMinute,
    mean: a.mean + b.mean,
  };
}
