import { Tooltip } from '@mantine/core';
import {
  formatAge,
  formatInstant,
  formatUtc,
  type Precision,
  parseInstant,
  useNow,
  useTimeZone,
} from '../lib/time/index.ts';

export interface TimestampProps {
  /** As the API writes it. */
  readonly value: string;
  /** `age`: how long ago; the exact time is in the tooltip. */
  readonly show?: 'time' | 'age';
  readonly precision?: Precision;
}

/** A time in the zone of the page, with UTC and its age on hover. */
export function Timestamp({ value, show = 'time', precision = 'second' }: TimestampProps) {
  const zone = useTimeZone();
  const now = useNow();
  const ms = parseInstant(value);
  if (ms === undefined) return <span>{value}</span>;
  const local = formatInstant(ms, zone, precision);
  const age = formatAge(ms, now);
  return (
    <Tooltip label={`${show === 'age' ? local : age}, ${formatUtc(ms)}`}>
      <time dateTime={formatUtc(ms)}>{show === 'age' ? age : local}</time>
    </Tooltip>
  );
}
