import { lazyPart } from '../../lib/lazy-part.tsx';
import { MAX_SERIES, type TimeChartProps } from './chart-props.ts';
import classes from './time-chart.module.css';

/** Fetched only when a chart is shown: it is larger than the rest of the page. */
const Canvas = lazyPart(async () => (await import('./chart-canvas.tsx')).ChartCanvas, { isRare: true });

export function TimeChart(props: TimeChartProps) {
  return (
    <div className={classes.chart}>
      <p className={classes.title}>
        {props.title}
        {props.series.length > 1 &&
          props.series.slice(0, MAX_SERIES).map(({ name }, at) => (
            <span key={name} className={classes.name}>
              <i data-series={at + 1} />
              {name}
            </span>
          ))}
      </p>
      <Canvas {...props} />
    </div>
  );
}
