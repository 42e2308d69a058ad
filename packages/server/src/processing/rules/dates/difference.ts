import type { DateTime, Value } from '@millrace/rules';

const UNITS = [
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;
const MINUTE = 60_000;
const SECOND = 1000;

/** What `date_diff()` returns. */
export function differenceOf(left: DateTime, right: DateTime, isAbsolute: boolean): Map<string, Value> {
  const signed = right.ms - left.ms;
  const ms = isAbsolute ? Math.abs(signed) : signed;
  return new Map<string, Value>([
    ['millis', ms],
    ...UNITS.toReversed().map(([unit, size]): [string, Value] => [`${unit}s`, rounded(ms, size)]),
    ['direction', signed > 0 ? 'ahead' : signed < 0 ? 'behind' : 'equal'],
    ['friendly', inWords(ms)],
  ]);
}

/** Halves are rounded away from zero, before and after it. */
function rounded(ms: number, size: number): number {
  const times = Math.floor((Math.abs(ms) + size / 2) / size);
  return ms < 0 && times > 0 ? -times : times;
}

/** Milliseconds are told only of less than a minute. */
function inWords(ms: number): string {
  if (ms === 0) return '0 ms';
  let rest = Math.abs(ms);
  const showsMilliseconds = rest < MINUTE && rest % SECOND > 0;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const times = Math.floor(rest / size);
    rest -= times * size;
    if (times > 0) parts.push(`${times} ${unit}${times === 1 ? '' : 's'}`);
  }
  if (showsMilliseconds) parts.push(`${rest} ms`);
  return `${ms < 0 ? '-' : ''}${parts.join(' ')}`;
}
