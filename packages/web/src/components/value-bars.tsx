import { formatCount, formatShare } from '../lib/format/index.ts';
import classes from './figures.module.css';

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

export interface ValueBarsProps {
  readonly values: readonly ValueCount[];
  /** Of how many; the sum of the values when it is left out. */
  readonly total?: number;
  readonly onChoose?: (value: string) => void;
}

/** The most frequent values of a field, with their share. */
export function ValueBars({ values, total, onChoose }: ValueBarsProps) {
  const whole = total ?? values.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className={classes.values}>
      {values.map(({ value, count }) => {
        const share = whole === 0 ? 0 : count / whole;
        const content = (
          <>
            <span className={classes.fill} style={{ inlineSize: `${share * 100}%` }} />
            <bdi className={classes.value} title={value}>
              {value}
            </bdi>
            <span className={classes.share} title={formatCount(count)}>
              {formatShare(share)}
            </span>
          </>
        );
        return (
          <li key={value}>
            {onChoose === undefined ? (
              <div className={classes.bar}>{content}</div>
            ) : (
              <button type="button" className={classes.bar} onClick={() => onChoose(value)}>
                {content}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
