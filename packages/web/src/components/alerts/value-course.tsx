import type { ConditionPreview } from '@millrace/contract';
import { formatShort } from '../../lib/format/index.ts';
import { formatInstant, useTimeZone } from '../../lib/time/index.ts';
import classes from './alerts.module.css';
import { courseScale, knownValues, lineParts } from './course-scale.ts';
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
  const { x, y } = courseScale(points, threshold, { width: WIDTH, height: HEIGHT });
  const values = knownValues(points);
  const highest = values.length === 0 ? undefined : formatShort(Math.max(...values));
  const words = [
    ...(highest === undefined ? [] : [texts.highest(highest)]),
    ...(threshold === null ? [] : [texts.threshold(formatShort(threshold))]),
  ];
  return (
    <figure className={classes.course} data-small={isSmall}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={highest === undefined ? texts.noCourse : texts.course(highest)}
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
        {lineParts(points).map((part) => (
          <polyline
            key={part[0]?.[0]}
            className={classes.line}
            points={part.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
          />
        ))}
        {threshold !== null && (
          <line className={classes.threshold} x1={0} x2={WIDTH} y1={y(threshold)} y2={y(threshold)} />
        )}
      </svg>
      {!isSmall && (
        <figcaption>
          <span>{formatInstant(first, zone, 'minute')}</span>
          <span>{words.join(', ')}</span>
          <span>{formatInstant(last, zone, 'minute')}</span>
        </figcaption>
      )}
    </figure>
  );
}
