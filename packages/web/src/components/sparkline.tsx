import classes from './figures.module.css';

export interface SparklineProps {
  readonly values: readonly number[];
  /** What it shows, for people who do not see it. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

/** A course of values in the height of a line, without axes. */
export function Sparkline({ values, label, width = 80, height = 20 }: SparklineProps) {
  const highest = Math.max(...values, 1);
  const step = width / Math.max(values.length, 1);
  return (
    <svg className={classes.sparkline} width={width} height={height} role="img" aria-label={label}>
      {values.map((value, index) => {
        // What is not nothing is at least a pixel.
        const bar = value <= 0 ? 0 : Math.max(1, (value / highest) * height);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          <rect key={index} x={index * step} y={height - bar} width={Math.max(1, step - 1)} height={bar} />
        );
      })}
    </svg>
  );
}
