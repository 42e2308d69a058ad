import { IconMinus } from '@tabler/icons-react';
import { formatCount, formatShare } from '../lib/format/index.ts';
import classes from './figures.module.css';

export interface ValueCount {
  readonly value: string;
  /** Shown in the place of the value. */
  readonly label?: string;
  readonly count: number;
  /** Shown in the place of the share. */
  readonly note?: string;
}

export interface ValueBarsProps {
  readonly values: readonly ValueCount[];
  /** Of how many; the sum of the values when it is left out. */
  readonly total?: number;
  /** All digits beside the share. */
  readonly hasCounts?: boolean;
  /** Values that are chosen already; choosing one of them again takes it back. */
  readonly chosen?: readonly string[];
  readonly onChoose?: (value: string) => void;
  readonly onExclude?: (value: string) => void;
}

/** The most frequent values of a field, with their share. */
export function ValueBars({ values, total, hasCounts = false, chosen, onChoose, onExclude }: ValueBarsProps) {
  'use memo';
  const whole = total ?? values.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className={classes.values}>
      {values.map(({ value, label = value, count, note }) => {
        const share = whole === 0 ? 0 : count / whole;
        const content = (
          <>
            <span className={classes.fill} style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />
            <bdi className={classes.value} title={value}>
              {label}
            </bdi>
            {hasCounts && <span className={classes.count}>{formatCount(count)}</span>}
            <span className={classes.share} title={formatCount(count)}>
              {note ?? formatShare(share)}
            </span>
          </>
        );
        return (
          <li key={value} className={classes.item}>
            {onChoose === undefined ? (
              <div className={classes.bar}>{content}</div>
            ) : (
              <button
                type="button"
                className={classes.bar}
                aria-pressed={chosen?.includes(value)}
                onClick={() => onChoose(value)}
              >
                {content}
              </button>
            )}
            {onExclude !== undefined && (
              <button
                type="button"
                className={classes.exclude}
                title={`Exclude ${value}`}
                aria-label={`Exclude ${value}`}
                onClick={() => onExclude(value)}
              >
                <IconMinus size={14} />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
