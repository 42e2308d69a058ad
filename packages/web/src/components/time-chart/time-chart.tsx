import { lazyPart } from '../../lib/lazy-part.tsx';
import type { TimeChartProps } from './chart-props.ts';
import classes from './time-chart.module.css';

/** Fetched only when a chart is shown: it is larger than the rest of the page. */
const Canvas = lazyPart(async () => (await import('./chart-canvas.tsx')).ChartCanvas, { isRare: true });

export function TimeChart(props: TimeChartProps) {
  return (
    <div className={classes.chart}>
      <Canvas {...props} />
    </div>
  );
}
