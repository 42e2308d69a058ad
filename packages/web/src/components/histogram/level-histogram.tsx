/** biome-ignore-all lint/a11y/noNoninteractiveTabindex: the bars are walked with the arrow keys */
/** biome-ignore-all lint/a11y/useSemanticElements: a group that takes the focus as a whole */
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { formatCount, formatShort } from '../../lib/format/index.ts';
import { formatInstant, type TimeSpan, useTimeZone } from '../../lib/time/index.ts';
import { Bars } from './bars.tsx';
import classes from './histogram.module.css';
import { barSpan, barTotals, type HistogramData, type HistogramGroup, placeOf } from './histogram-data.ts';
import { HistogramTable } from './histogram-table.tsx';
import { TimeAxis } from './time-axis.tsx';
import { useBrush } from './use-brush.ts';

export interface LevelHistogramProps {
  readonly data: HistogramData;
  readonly span: TimeSpan;
  /** Totals of the period before, bar by bar. */
  readonly before?: readonly number[] | undefined;
  /** The part that the list shows: a bracket. */
  readonly visible?: TimeSpan | undefined;
  /** The bars belong to the search before. */
  readonly isStale: boolean;
  readonly isTable?: boolean;
  /** Drag, or a click on a bar. */
  readonly onZoom: (span: TimeSpan) => void;
  /** Esc: back to before the last zoom. */
  readonly onZoomBack?: (() => void) | undefined;
  /** A click on the legend. */
  readonly onChoose: (group: HistogramGroup) => void;
  /** What compares this period with the one before. */
  readonly summary?: ReactNode;
  /** Buttons at the end of the legend. */
  readonly controls?: ReactNode;
}

/** Messages over time, one colour for each group. Drag to zoom. */
export function LevelHistogram(props: LevelHistogramProps) {
  const { data, span, before, visible, isStale, onZoom } = props;
  const zone = useTimeZone();
  const [active, setActive] = useState<number>();
  const brush = useBrush(data, span, onZoom, setActive);
  const totals = useMemo(() => barTotals(data), [data]);
  const highest = useMemo(() => Math.max(1, ...totals, ...(before ?? [])), [totals, before]);
  const shown = active !== undefined && active < totals.length ? active : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    // With those, keys mean something else: Ctrl+Enter runs the search.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (shown ?? (step > 0 ? -1 : totals.length)) + step;
      setActive(Math.min(totals.length - 1, Math.max(0, next)));
    } else if (event.key === 'Enter' && shown !== undefined) {
      onZoom(barSpan(data, shown, span));
    } else if (event.key === 'Escape') {
      if (brush.isDragging) brush.stop();
      else if (props.onZoomBack !== undefined) props.onZoomBack();
      else return;
      event.preventDefault();
    }
  };
  const label = `Messages over time, ${totals.length} bars. Arrows walk the bars, Enter zooms into one.`;
  if (props.isTable) {
    return (
      <figure className={classes.histogram} data-stale={isStale}>
        <HistogramTable data={data} before={before} />
        <Legend {...props} reading="" />
      </figure>
    );
  }
  return (
    <figure className={classes.histogram} data-stale={isStale}>
      <div className={classes.chart}>
        <span className={classes.highest} aria-hidden="true">
          {formatShort(highest)}
        </span>
        <div
          ref={brush.ref}
          className={classes.plot}
          role="group"
          aria-label={label}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setActive(undefined)}
          {...brush.handlers}
        >
          <Bars data={data} before={before} highest={highest} active={shown} />
          {brush.selection !== undefined && <div className={classes.brush} style={brush.selection} />}
        </div>
        <Bracket data={data} visible={visible} />
        <TimeAxis data={data} />
      </div>
      <Legend
        {...props}
        reading={shown === undefined ? '' : readingOf(data, totals, before, shown, formatAt(zone, data))}
      />
    </figure>
  );
}

function Bracket({ data, visible }: Pick<LevelHistogramProps, 'data' | 'visible'>) {
  if (visible === undefined) return <div className={classes.bracketSpace} />;
  const [left, right] = [placeOf(visible.from, data), placeOf(visible.to, data)];
  return (
    <div className={classes.bracketSpace} aria-hidden="true">
      <div
        className={classes.bracket}
        title="The part that the list shows"
        style={{ insetInlineStart: `${left * 100}%`, inlineSize: `${(right - left) * 100}%` }}
      />
    </div>
  );
}

function Legend({
  data,
  onChoose,
  summary,
  controls,
  reading,
}: LevelHistogramProps & { readonly reading: string }) {
  return (
    <figcaption className={classes.legend}>
      <div className={classes.words}>
        <p className={classes.reading} aria-live="polite">
          {reading === '' ? summary : reading}
        </p>
        <div className={classes.keys}>
          {data.groups.map((group) => (
            <button
              key={group.key}
              type="button"
              className={classes.key}
              disabled={group.title === undefined}
              title={group.title === undefined ? group.label : `Only ${group.title}`}
              onClick={() => onChoose(group)}
            >
              <span className={classes.swatch} data-group={group.colour} aria-hidden="true" />
              <bdi className={classes.keyLabel}>{group.label}</bdi>
            </button>
          ))}
        </div>
      </div>
      {controls}
    </figcaption>
  );
}

function formatAt(zone: string, { intervalMs }: HistogramData) {
  return (ms: number) => formatInstant(ms, zone, intervalMs < 1000 ? 'millisecond' : 'second');
}

function readingOf(
  { starts, groups }: HistogramData,
  totals: readonly number[],
  before: readonly number[] | undefined,
  at: number,
  format: (ms: number) => string,
): string {
  const parts = groups
    .filter(({ counts }) => (counts[at] ?? 0) > 0)
    .map(({ label, counts }) => `${label} ${formatCount(counts[at] ?? 0)}`);
  const breakdown = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  const was = before === undefined ? '' : `, before: ${formatCount(before[at] ?? 0)}`;
  return `${format(starts[at] ?? 0)}: ${formatCount(totals[at] ?? 0)} messages${was}${breakdown}`;
}
