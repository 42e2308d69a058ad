const DAY_MS = 86_400_000;
const WEEK = 7;

/** `2026-11` of `2026-11-15`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** The days of a month with those that fill its first and last week, Monday first. */
export function daysOfMonth(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const next = Date.parse(`${shiftMonth(month, 1)}-01T00:00:00Z`);
  const before = (new Date(first).getUTCDay() + WEEK - 1) % WEEK;
  const count = Math.ceil((before + (next - first) / DAY_MS) / WEEK) * WEEK;
  return Array.from({ length: count }, (_, at) =>
    new Date(first + (at - before) * DAY_MS).toISOString().slice(0, 10),
  );
}
