import { formatCount } from '../../lib/format/index.ts';
import { formatInstant, useTimeZone } from '../../lib/time/index.ts';
import classes from './histogram.module.css';
import { barTotals, type HistogramData } from './histogram-data.ts';

interface HistogramTableProps {
  readonly data: HistogramData;
  readonly before: readonly number[] | undefined;
}

/** The same figures as the bars, for people who do not see them and for whoever wants the numbers. */
export function HistogramTable({ data, before }: HistogramTableProps) {
  const zone = useTimeZone();
  const totals = barTotals(data);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={classes.table} aria-label="Messages over time, as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Messages</th>
            {before !== undefined && <th scope="col">Before</th>}
            {data.groups.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.starts.map((from, at) => (
            <tr key={from}>
              <th scope="row">
                {formatInstant(from, zone, data.intervalMs < 1000 ? 'millisecond' : 'second')}
              </th>
              <td>{formatCount(totals[at] ?? 0)}</td>
              {before !== undefined && <td>{formatCount(before[at] ?? 0)}</td>}
              {data.groups.map(({ key, counts }) => (
                <td key={key}>{formatCount(counts[at] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
