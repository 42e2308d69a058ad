import { lazy, Suspense } from 'react';
import classes from './time-chart.module.css';

export interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
}

export interface TimeChartProps {
  /** What it shows, for people who do not see it; a table with the same figures stands beside it. */
  readonly label: string;
  /** Texts of the horizontal axis. */
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'bar' | 'line';
}

/** Fetched only when a chart is shown: it is larger than the rest of the page. */
const Canvas = lazy(() => import('./chart-canvas.tsx'));

export function TimeChart(props: TimeChartProps) {
  return (
    <div className={classes.chart}>
      <Suspense>
        <Canvas {...props} />
      </Suspense>
    </div>
  );
}
