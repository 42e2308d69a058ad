import type { IndexSetOutlook } from '@millrace/contract';
import { countOf, formatBytes, formatCount, formatShort } from '../../lib/format/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** `30 days`: nobody needs it more exactly than its largest unit, once there are two of it. */
export function roughly(ms: number): string {
  const units = [
    [YEAR, 'year'],
    [DAY, 'day'],
    [HOUR, 'hour'],
    [MINUTE, 'minute'],
  ] as const;
  const [size, name] = units.find(([unit]) => ms >= 2 * unit) ?? [MINUTE, 'minute'];
  return countOf(Math.max(1, Math.round(ms / size)), name);
}

const UNITS: Readonly<Record<string, readonly [once: string, name: string]>> = {
  Y: ['yearly', 'year'],
  M: ['monthly', 'month'],
  W: ['weekly', 'week'],
  D: ['daily', 'day'],
  TH: ['hourly', 'hour'],
  TM: ['every minute', 'minute'],
  TS: ['every second', 'second'],
};

/** `daily`, `every 2 hours`; a period of several units stays as it is written. */
export function periodWords(period: string): string {
  const [, time = '', count = '', unit = ''] = /^P(T?)(\d+)([YMWDHS])$/i.exec(period) ?? [];
  const words = UNITS[`${time}${unit}`.toUpperCase()];
  if (words === undefined) return `every ${period}`;
  return Number(count) === 1 ? words[0] : `every ${countOf(Number(count), words[1])}`;
}

/** `Rotates daily`, `Rotates after 20 M messages` */
export function rotationWords({ rotates_after: after }: Pick<IndexSetOutlook, 'rotates_after'>): string {
  if (after?.period) return `Rotates ${periodWords(after.period)}`;
  if (after?.messages) return `Rotates after ${formatShort(after.messages)} messages`;
  if (after?.bytes) return `Rotates after ${formatBytes(after.bytes)}`;
  return 'Rotates by a strategy of its own';
}

/** The whole answer to "how long is what kept". */
export function outlookSentence(outlook: IndexSetOutlook): string {
  const { retention, keeps, kept_ms: keptMs, rotates_after: after } = outlook;
  const rotates = rotationWords(outlook);
  if (retention !== null && outlook.keeps_ms !== null) {
    const time = roughly(outlook.keeps_ms);
    const keep = retention === 'delete' ? 'keeps every message' : 'messages can be searched';
    return `${rotates} at the latest, ${keep} for at least ${time}.`;
  }
  if (retention === null || keeps === null) return `${rotates}, keeps everything.`;
  const keep =
    retention === 'delete' ? `keeps ${formatCount(keeps)}` : `closes all but ${formatCount(keeps)}`;
  if (keptMs === null) return `${rotates}, ${keep}: how long depends on what arrives.`;
  const rate = after?.period ? '' : ' at today’s rate';
  const searchable = retention === 'close' ? ' can be searched' : '';
  return `${rotates}, ${keep}: about ${roughly(keptMs)}${searchable}${rate}.`;
}

const MOST_RUNS = 5;

/** `millrace_0 to millrace_11`; an index that stays is not named: `millrace_0, millrace_2 to millrace_11`. */
function namesOf(indices: readonly string[]): string {
  const runs: { readonly first: string; last: string; count: number }[] = [];
  for (const name of indices) {
    const run = runs.at(-1);
    if (run !== undefined && indexNumber(name) === indexNumber(run.last) + 1) {
      run.last = name;
      run.count += 1;
    } else runs.push({ first: name, last: name, count: 1 });
  }
  const named = runs
    .slice(0, MOST_RUNS)
    .map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
  const more = runs.slice(MOST_RUNS).reduce((sum, { count }) => sum + count, 0);
  return named.join(', ') + (more === 0 ? '' : ` and ${formatCount(more)} more`);
}

/** The 11 of `millrace_11`. */
function indexNumber(name: string): number {
  return Number(name.slice(name.lastIndexOf('_') + 1));
}

/** What the next run of the retention does; undefined when it does nothing. */
export function effectSentence({ affected, retention, within_ms }: IndexSetOutlook): string | undefined {
  if (retention === null || affected.indices.length === 0) return undefined;
  const names = namesOf(affected.indices);
  const within = `within ${roughly(within_ms)}`;
  const messages = affected.messages === 1 ? '1 message' : `${formatShort(affected.messages)} messages`;
  return retention === 'delete'
    ? `Deletes ${names} ${within}: ${messages}.`
    : `Closes ${names} ${within}: searches no longer find their ${messages}.`;
}
