import { lazy, Suspense } from 'react';
import type { TimeChartProps } from './chart-props.ts';
import classes from './time-chart.module.css';

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
