/** Dates and periods of the rule language: Joda-Time's, made with Temporal. */

/** The first and the last moment of JavaScript's dates. */
const MAX_MS = 8.64e15;

/** A moment, seen in a time zone. Throws for what is no moment, such as microseconds where milliseconds are meant. */
export class DateTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** `UTC`, `Europe/Berlin`, `+02:00` */
  readonly zone: string;
  #zoned: Temporal.ZonedDateTime | undefined = undefined;

  constructor(ms: number, zone = 'UTC') {
    if (!(Math.abs(ms) <= MAX_MS)) {
      throw new RangeError(
        `${ms} milliseconds since 1970 are not a date; use a number from ${-MAX_MS} to ${MAX_MS}`,
      );
    }
    this.ms = ms;
    this.zone = zone;
  }

  get zoned(): Temporal.ZonedDateTime {
    this.#zoned ??= Temporal.Instant.fromEpochMilliseconds(this.ms).toZonedDateTimeISO(this.zone);
    return this.#zoned;
  }

  plus(period: Period): DateTime {
    return new DateTime(this.zoned.add(period.duration).epochMilliseconds, this.zone);
  }

  minus(period: Period): DateTime {
    return new DateTime(this.zoned.subtract(period.duration).epochMilliseconds, this.zone);
  }

  /** ISO 8601, in its zone, with milliseconds. */
  toString(): string {
    if (this.zone === 'UTC') return new Date(this.ms).toISOString();
    const text = this.zoned.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 });
    return text.replace(/\+00:00$/, 'Z');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A length of time in years, months, weeks, days, hours, minutes, seconds and milliseconds. */
export class Period {
  readonly duration: Temporal.Duration;

  constructor(duration: Temporal.Duration) {
    this.duration = duration;
  }

  plus(other: Period): Period {
    return new Period(combined(this.duration, other.duration, 1));
  }

  minus(other: Period): Period {
    return new Period(combined(this.duration, other.duration, -1));
  }

  toString(): string {
    return this.duration.toString();
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The time between two moments. */
export class Duration {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  toString(): string {
    return `PT${this.ms / 1000}S`;
  }

  toJSON(): string {
    return this.toString();
  }
}

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;

/** Unit by unit, as Joda does. A period whose units have different signs does not exist in Temporal. */
function combined(left: Temporal.Duration, right: Temporal.Duration, sign: 1 | -1): Temporal.Duration {
  const units: Record<string, number> = {};
  for (const unit of UNITS) units[unit] = left[unit] + sign * right[unit];
  return Temporal.Duration.from(units);
}
