import type { ConditionPreview } from '@millrace/contract';
import { formatShort } from '../../lib/format/index.ts';
import { formatInstant, useTimeZone } from '../../lib/time/index.ts';
import classes from './alerts.module.css';
import { texts } from './texts.ts';

const WIDTH = 1000;
const HEIGHT = 120;

export interface ValueCourseProps extends Pick<ConditionPreview, 'points' | 'threshold' | 'periods'> {
  /** In a row of a list: low, and without the words below. */
  readonly isSmall?: boolean;
}

/** The value of a condition over time, its threshold as a line, and shaded where it would have been an alert. */
export function ValueCourse({ points, threshold, periods, isSmall = false }: ValueCourseProps) {
  const zone = useTimeZone();
  const [first, last] = [points[0]?.[0], points.at(-1)?.[0]];
  if (first === undefined || last === undefined || first === last) return null;
  const values = points.map(([, value]) => value ?? 0);
  const highest = Math.max(...values, threshold ?? 0, 1);
  const x = (time: number) => ((Math.min(Math.max(time, first), last) - first) / (last - first)) * WIDTH;
  // A little room above, so that the highest value is no line at the edge.
  const y = (value: number) => HEIGHT - (value / (highest * 1.1)) * HEIGHT;
  const line = points.map(([time], at) => `${x(time).toFixed(1)},${y(values[at] ?? 0).toFixed(1)}`).join(' ');
  return (
    <figure className={classes.course} data-small={isSmall}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.course(formatShort(Math.max(...values)))}
      >
        {periods.map(({ from, to, key }) => (
          <rect
            key={`${from} ${key.join(' ')}`}
            className={classes.period}
            x={x(from)}
            y={0}
            width={Math.max(2, x(to ?? last) - x(from))}
            height={HEIGHT}
          />
        ))}
        <polyline className={classes.line} points={line} />
        {threshold !== null && (
          <line className={classes.threshold} x1={0} x2={WIDTH} y1={y(threshold)} y2={y(threshold)} />
        )}
      </svg>
      {!isSmall && (
        <figcaption>
          <span>{formatInstant(first, zone, 'minute')}</span>
          {threshold !== null && <span>{texts.threshold(formatShort(threshold))}</span>}
          <span>{formatInstant(last, zone, 'minute')}</span>
        </figcaption>
      )}
    </figure>
  );
}
