/** Dates and periods of the rule language: Joda-Time's, made with Temporal. */

/** A moment, seen in a time zone. */
export class DateTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** `UTC`, `Europe/Berlin`, `+02:00` */
  readonly zone: string;
  #zoned: Temporal.ZonedDateTime | undefined = undefined;

  constructor(ms: number, zone = 'UTC') {
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
