/** Milliseconds of a time as the API writes it: with `Z` or with an offset, which may lack its colon. */
export function parseInstant(text: string): number | undefined {
  const ms = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(ms) ? undefined : ms;
}

export type Precision = 'day' | 'minute' | 'second' | 'millisecond';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

interface LocalParts {
  readonly date: string;
  readonly minute: string;
  readonly second: string;
  readonly millisecond: string;
}

function localParts(ms: number, zone: string): LocalParts {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(ms)) parts[type] = value;
  const { year = '', month, day, hour, minute, second, fractionalSecond } = parts;
  return {
    date: `${year.padStart(4, '0')}-${month}-${day}`,
    minute: `${hour}:${minute}`,
    second: `${hour}:${minute}:${second}`,
    millisecond: `${hour}:${minute}:${second}.${fractionalSecond}`,
  };
}

/** `2026-11-15 10:00:00.120` in a zone: the same everywhere, and it sorts. */
export function formatInstant(ms: number, zone: string, precision: Precision = 'second'): string {
  const parts = localParts(ms, zone);
  return precision === 'day' ? parts.date : `${parts.date} ${parts[precision]}`;
}

/** The time of day alone: `10:00:00.120`. */
export function formatClock(
  ms: number,
  zone: string,
  precision: Exclude<Precision, 'day'> = 'second',
): string {
  return localParts(ms, zone)[precision];
}

export function formatUtc(ms: number): string {
  return new Date(ms).toISOString();
}

/** `CET` or `GMT+1`: the name of the zone at that instant. */
export function zoneName(ms: number, zone: string): string {
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' });
  return formatter.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
