import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TimeChart } from '../../../components/time-chart/time-chart.tsx';
import { formatClock, formatInstant, type TimeSpan } from '../../../lib/time/index.ts';
import { histogramData } from '../histogram/groups.ts';
import { histogramQuery } from '../histogram/queries.ts';
import type { SearchState } from '../use-search.ts';
import classes from './groups.module.css';
import { type Metric, metricTitle } from './metrics.ts';
import { courseQuery } from './queries.ts';
import { useLabels } from './use-labels.ts';

interface OverTimeProps {
  readonly search: SearchState;
  readonly field: string;
  readonly metric: Metric;
}

/** The first figure of the most frequent values of the first field, from the beginning of the search to its end. */
export function OverTime(props: OverTimeProps) {
  return props.metric.kind === 'count' ? <CountsOverTime {...props} /> : <FiguresOverTime {...props} />;
}

/** Of other values together, too. */
function CountsOverTime({ search, field, metric }: OverTimeProps) {
  const { data, error, refetch } = useQuery(histogramQuery(search.run, field));
  const labelOf = useLabels(
    field === 'streams' ? (data?.answer.groups ?? []).flatMap(({ key }) => key ?? []) : [],
  );
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.space} />;
  const { starts, groups } = histogramData(data.answer, data.by, (value) => labelOf(data.by, value));
  return (
    <TimeChart
      kind="line"
      title={`${metricTitle(metric)} over time by ${data.by}`}
      categories={starts.map((ms) => timeLabel(ms, data.span, search.zone))}
      series={groups.map(({ label, counts }) => ({ name: label, values: counts }))}
    />
  );
}

function FiguresOverTime({ search, field, metric }: OverTimeProps) {
  const { data, error, refetch } = useQuery(courseQuery(search.run, field, metric));
  const labelOf = useLabels(field === 'streams' ? (data?.lines ?? []).map(({ value }) => value) : []);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.space} />;
  return (
    <TimeChart
      kind="line"
      title={`${metricTitle(data.metric)} over time by ${data.field}`}
      categories={data.starts.map((ms) => timeLabel(ms, data.span, search.zone))}
      series={data.lines.map(({ value, figures }) => ({ name: labelOf(data.field, value), values: figures }))}
    />
  );
}

const DAY_MS = 86_400_000;

function timeLabel(ms: number, { from, to }: TimeSpan, zone: string): string {
  return to - from < DAY_MS ? formatClock(ms, zone, 'second') : formatInstant(ms, zone, 'minute');
}
