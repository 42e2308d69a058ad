import { useId } from 'react';
import classes from './histogram.module.css';
import type { HistogramData } from './histogram-data.ts';

export const PLOT_HEIGHT = 64;

interface BarsProps {
  readonly data: HistogramData;
  /** Totals of the period before, as an outline. */
  readonly before: readonly number[] | undefined;
  readonly highest: number;
  readonly active: number | undefined;
}

export function Bars({ data, before, highest, active }: BarsProps) {
  const hatch = useId();
  const step = 100 / Math.max(1, data.starts.length);
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 100 ${PLOT_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <defs>
        <pattern id={hatch} width="0.6" height="6" patternUnits="userSpaceOnUse">
          <rect width="0.6" height="6" className={classes.hatchGround} />
          <rect width="0.6" height="2" className={classes.hatch} />
        </pattern>
      </defs>
      {data.starts.map((from, at) => {
        let top = PLOT_HEIGHT;
        return (
          <g key={from} data-active={at === active}>
            {/* Severe levels stand at the bottom, where they are compared most easily. */}
            {data.groups.map(({ key, colour, counts }) => {
              const count = counts[at] ?? 0;
              if (count === 0) return null;
              const height = Math.max(1, heightOf(count, highest));
              top -= height;
              return (
                <rect
                  key={key}
                  data-group={colour}
                  fill={colour === 'none' ? `url(#${hatch})` : undefined}
                  x={at * step + step * 0.08}
                  y={Math.max(0, top)}
                  width={step * 0.84}
                  height={height}
                />
              );
            })}
          </g>
        );
      })}
      {before !== undefined && <path className={classes.before} d={outline(before, highest, step)} />}
    </svg>
  );
}

function heightOf(count: number, highest: number): number {
  return (count / highest) * (PLOT_HEIGHT - 2);
}

/** A line along the tops of bars that are not drawn. */
function outline(counts: readonly number[], highest: number, step: number): string {
  const corners = counts.flatMap((count, at) => {
    const y = PLOT_HEIGHT - heightOf(count, highest);
    return [`${at * step},${y}`, `${(at + 1) * step},${y}`];
  });
  return corners.length === 0 ? '' : `M${corners.join(' L')}`;
}
