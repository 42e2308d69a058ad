import { formatClock, formatInstant, useTimeZone } from '../../lib/time/index.ts';
import classes from './histogram.module.css';
import type { HistogramData } from './histogram-data.ts';

const DAY_MS = 86_400_000;

/** Four times below the bars. */
export function TimeAxis({ data }: { readonly data: HistogramData }) {
  const zone = useTimeZone();
  const { starts, intervalMs } = data;
  const length = starts.length * intervalMs;
  const labelOf = (ms: number) => {
    if (length > 3 * DAY_MS) return formatInstant(ms, zone, 'day');
    if (length > DAY_MS) return formatInstant(ms, zone, 'minute').slice(5);
    if (intervalMs < 1000) return formatClock(ms, zone, 'millisecond');
    return formatClock(ms, zone, intervalMs < 60_000 ? 'second' : 'minute');
  };
  const marks = [0, 0.25, 0.5, 0.75].map((share) => starts[Math.floor(share * starts.length)] ?? 0);
  return (
    <div className={classes.axis} aria-hidden="true">
      {[...new Set(marks)].map((ms) => (
        <span key={ms}>{labelOf(ms)}</span>
      ))}
    </div>
  );
}
