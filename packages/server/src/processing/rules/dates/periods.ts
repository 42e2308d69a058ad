import { type Long, Period } from '@millrace/rules';

type Unit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds' | 'milliseconds';

/** What Temporal can hold, and more than any date can take. */
const MOST = 10_000_000_000;

export function periodOf(unit: Unit, value: Long): Period {
  const count = Number(value);
  if (Math.abs(count) > MOST) throw new Error(`${value} ${unit} are too many`);
  try {
    return new Period(Temporal.Duration.from({ [unit]: count }));
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`${value} ${unit} are too many`);
    throw error;
  }
}

export function parsePeriod(text: string): Period {
  try {
    return new Period(Temporal.Duration.from(text.trim()));
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`"${text.slice(0, 100)}" is not a period such as P1DT12H`);
    throw error;
  }
}
