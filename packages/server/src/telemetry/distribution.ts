import type { Clock } from '#core/index.ts';

/**
 * A distribution of values, as plain data. `count` and `sum` cover all values ever, `recent` only the recent ones.
 * `buckets` holds pairs `[bucket, number of values]`, in ascending order; see `bucketOf`.
 */
export interface DistributionData {
  readonly count: number;
  readonly sum: number;
  readonly recent: {
    readonly count: number;
    readonly sum: number;
    readonly sumOfSquares: number;
    readonly min: number;
    readonly max: number;
    readonly buckets: readonly (readonly [number, number])[];
  };
}

export interface DistributionSummary {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly standardDeviation: number;
  quantile(fraction: number): number;
}

const WINDOW_MS = 5 * 60_000;

/** Each power of two is split into this many buckets, so a quantile is off by at most 3 %. */
const BUCKETS_PER_DOUBLING = 16;

/**
 * Buckets grow with the value. They are the same in every worker, so distributions can be merged by adding counts;
 * samples of values could not be merged like that.
 */
function bucketOf(value: number): number {
  if (!(value > 0)) return Number.MIN_SAFE_INTEGER;
  const exponent = Math.floor(Math.log2(value));
  const part = Math.floor((value / 2 ** exponent - 1) * BUCKETS_PER_DOUBLING);
  return exponent * BUCKETS_PER_DOUBLING + part;
}

function middleOf(bucket: number): number {
  if (bucket === Number.MIN_SAFE_INTEGER) return 0;
  const exponent = Math.floor(bucket / BUCKETS_PER_DOUBLING);
  const part = bucket - exponent * BUCKETS_PER_DOUBLING;
  return 2 ** exponent * (1 + (part + 0.5) / BUCKETS_PER_DOUBLING);
}

interface Window {
  count: number;
  sum: number;
  sumOfSquares: number;
  min: number;
  max: number;
  readonly buckets: Map<number, number>;
}

function emptyWindow(): Window {
  return { count: 0, sum: 0, sumOfSquares: 0, min: Infinity, max: -Infinity, buckets: new Map() };
}

/** Collects values. "Recent" means the current five-minute window and the one before it. */
export class Distribution {
  readonly #clock: Clock;
  #windowStart: number;
  #current = emptyWindow();
  #previous = emptyWindow();
  #count = 0;
  #sum = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowStart = clock.now();
  }

  /** Ignores values that are not finite: one NaN would spoil every later mean. */
  update(value: number, times = 1): void {
    if (!Number.isFinite(value)) return;
    this.#catchUp();
    this.#count += times;
    this.#sum += value * times;
    const window = this.#current;
    window.count += times;
    window.sum += value * times;
    window.sumOfSquares += value * value * times;
    if (value < window.min) window.min = value;
    if (value > window.max) window.max = value;
    const bucket = bucketOf(value);
    window.buckets.set(bucket, (window.buckets.get(bucket) ?? 0) + times);
  }

  data(): DistributionData {
    this.#catchUp();
    return { count: this.#count, sum: this.#sum, recent: addWindows(this.#previous, this.#current) };
  }

  #catchUp(): void {
    const now = this.#clock.now();
    const elapsed = now - this.#windowStart;
    if (elapsed >= 0 && elapsed < WINDOW_MS) return;
    this.#previous = elapsed >= 0 && elapsed < 2 * WINDOW_MS ? this.#current : emptyWindow();
    this.#current = emptyWindow();
    this.#windowStart = now;
  }
}

type RecentValues = Omit<DistributionData['recent'], 'buckets'> & {
  readonly buckets: Iterable<readonly [number, number]>;
};

function addWindows(a: RecentValues, b: RecentValues): DistributionData['recent'] {
  const buckets = new Map(a.buckets);
  for (const [bucket, values] of b.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + values);
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    buckets: [...buckets].sort(([left], [right]) => left - right),
  };
}

export function addDistributions(a: DistributionData, b: DistributionData): DistributionData {
  return { count: a.count + b.count, sum: a.sum + b.sum, recent: addWindows(a.recent, b.recent) };
}

/** The totals without the recent values, for a distribution whose source has ended. */
export function withoutRecent(data: DistributionData): DistributionData {
  return { count: data.count, sum: data.sum, recent: addWindows(emptyWindow(), emptyWindow()) };
}

/** All zero if there was no recent value. */
export function summarize({ recent }: DistributionData): DistributionSummary {
  if (recent.count === 0) return { min: 0, max: 0, mean: 0, standardDeviation: 0, quantile: () => 0 };
  const mean = recent.sum / recent.count;
  return {
    min: recent.min,
    max: recent.max,
    mean,
    standardDeviation: Math.sqrt(Math.max(0, recent.sumOfSquares / recent.count - mean * mean)),
    quantile(fraction) {
      let remaining = fraction * recent.count;
      for (const [bucket, values] of recent.buckets) {
        remaining -= values;
        if (remaining <= 0) return Math.min(recent.max, Math.max(recent.min, middleOf(bucket)));
      }
      return recent.max;
    },
  };
}
