import { field, types } from '#core/index.ts';
import { DatePatternError, namesOf, parseJodaDate, partsOfPattern, wantedZone } from '../../rules/index.ts';
import { defineConverter } from '../converter.ts';
import { timeZoneField } from './time-zone.ts';

const DAY_MS = 86_400_000;

/**
 * In which year a day without one may be, seen from that of its receipt: the first in which it is no further ahead. At the
 * turn of the year, messages are under way, and clocks differ.
 */
const YEARS = [
  { years: 1, mostAheadMs: DAY_MS },
  { years: 0, mostAheadMs: 183 * DAY_MS },
  { years: -1, mostAheadMs: Number.POSITIVE_INFINITY },
];
const THIS_YEAR = [{ years: 0, mostAheadMs: Number.POSITIVE_INFINITY }];

/** Whether texts of the pattern name a day and leave out its year. */
function lacksYear(pattern: string): boolean {
  const has = (letters: string) =>
    partsOfPattern(pattern).some(({ letter }) => letter !== '' && letters.includes(letter));
  return has('MLdDw') && !has('yYuxC');
}

export const date = defineConverter({
  id: 'date',
  name: 'Date',
  description: 'Reads a date by a pattern of Joda-Time.',
  fields: {
    date_format: field(
      types.text({ maxLength: 200, check: (text) => problemOf(() => partsOfPattern(text)) }),
      {
        humanName: 'Format string',
        description:
          'For example yyyy-MM-dd HH:mm:ss.SSS. A text without a year is of the year around its receipt.',
      },
    ),
    time_zone: timeZoneField,
    locale: field(types.text({ maxLength: 40, check: (text) => problemOf(() => namesOf(text)) }), {
      humanName: 'Locale',
      description: 'The language of the names of months and days, such as en or de_DE.',
      default: 'en',
    }),
  },
  create(_, { date_format: pattern, time_zone: zoneName, locale }) {
    const zone = wantedZone(zoneName);
    const years = lacksYear(pattern) ? YEARS : THIS_YEAR;
    return {
      kind: 'value',
      convert(text, receivedAt) {
        const year = Temporal.Instant.fromEpochMilliseconds(receivedAt).toZonedDateTimeISO(zone).year;
        for (const { years: later, mostAheadMs } of years) {
          const found = parseJodaDate(text, pattern, { locale, zone, defaultYear: year + later });
          if (found !== undefined && found.ms <= receivedAt + mostAheadMs) return found;
        }
        throw new Error(`"${text.slice(0, 100)}" does not have the form ${pattern}`);
      },
    };
  },
});

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof DatePatternError)) throw error;
    return `valid (${error.message})`;
  }
}
