import { Select } from '@mantine/core';
import type { TimeRangeRequest } from '@millrace/contract';
import { formatCount } from '../lib/format/index.ts';
import classes from './sample-picker.module.css';

export interface RangeChoice {
  readonly value: string;
  readonly label: string;
  readonly timerange: TimeRangeRequest;
}

const relative = (value: string, label: string, range: number): RangeChoice => ({
  value,
  label,
  timerange: { type: 'relative', range },
});

export const DEFAULT_RANGE = relative('1d', 'of the last day', 86_400);
export const RANGES: readonly RangeChoice[] = [
  relative('15m', 'of the last 15 minutes', 900),
  relative('1h', 'of the last hour', 3600),
  DEFAULT_RANGE,
  relative('7d', 'of the last 7 days', 604_800),
  relative('30d', 'of the last 30 days', 2_592_000),
];

export interface SamplePickerProps {
  readonly samples: readonly number[];
  readonly sample: number;
  readonly onSample: (sample: number) => void;
  readonly ranges: readonly RangeChoice[];
  readonly range: string;
  readonly onRange: (value: string) => void;
}

/** Which stored messages a preview looks at. */
export function SamplePicker({ samples, sample, onSample, ranges, range, onRange }: SamplePickerProps) {
  return (
    <>
      <Select
        aria-label="How many messages"
        className={classes.sample}
        data={samples.map((count) => ({ value: String(count), label: `newest ${formatCount(count)}` }))}
        value={String(sample)}
        onChange={(value) => onSample(Number(value))}
      />
      <Select
        aria-label="Of which time"
        className={classes.range}
        data={ranges.map(({ value, label }) => ({ value, label }))}
        value={range}
        onChange={(value) => onRange(value ?? DEFAULT_RANGE.value)}
      />
    </>
  );
}
