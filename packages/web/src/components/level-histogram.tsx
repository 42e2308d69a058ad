/** biome-ignore-all lint/a11y/noNoninteractiveTabindex: the bars are walked with the arrow keys */
/** biome-ignore-all lint/a11y/useSemanticElements: a group that takes the focus as a whole */
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { formatCount, formatShort } from '../lib/format/index.ts';
import { formatClock, formatInstant, type TimeSpan, useTimeZone } from '../lib/time/index.ts';
import { type LevelGroup, shownGroups } from './level-groups.ts';
import classes from './level-histogram.module.css';

export interface HistogramBar {
  /** Milliseconds; a bar ends where the next one begins. */
  readonly from: number;
  /** Messages by level. */
  readonly counts: ReadonlyMap<number, number>;
}

export interface LevelHistogramProps {
  readonly bars: readonly HistogramBar[];
  readonly intervalMs: number;
  readonly span: TimeSpan;
  /** The bars belong to the search before. */
  readonly isStale: boolean;
  /** Drag, or a click on a bar. */
  readonly onZoom: (span: TimeSpan) => void;
  /** A click on the legend. */
  readonly onChooseLevels: (levels: readonly number[]) => void;
}

const HEIGHT = 64;
/** A drag that is shorter is a click. */
const CLICK_PIXELS = 4;
const DAY_MS = 86_400_000;

/** Messages over time, one colour for each group of levels. Drag to zoom. */
export function LevelHistogram(props: LevelHistogramProps) {
  const { bars, intervalMs, span, isStale, onZoom, onChooseLevels } = props;
  const zone = useTimeZone();
  const [active, setActive] = useState<number>();
  const brush = useBrush(bars, intervalMs, span, onZoom, setActive);
  const groups = useMemo(() => shownGroups(bars), [bars]);
  const highest = useMemo(() => Math.max(1, ...bars.map(totalOf)), [bars]);
  const shown = active === undefined ? undefined : bars[active];
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.min(bars.length - 1, Math.max(0, (active ?? (step > 0 ? -1 : bars.length)) + step)));
    } else if (event.key === 'Enter' && shown !== undefined) {
      onZoom(barSpan(shown, intervalMs, span));
    } else if (event.key === 'Escape') setActive(undefined);
  };
  const label = `Messages over time, ${bars.length} bars. Arrows walk the bars, Enter zooms into one.`;
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
          onKeyDown={walk}
          onBlur={() => setActive(undefined)}
          {...brush.handlers}
        >
          <Bars bars={bars} highest={highest} groups={groups} active={active} />
          {brush.selection !== undefined && <div className={classes.brush} style={brush.selection} />}
        </div>
        <TimeAxis bars={bars} intervalMs={intervalMs} />
      </div>
      <figcaption className={classes.legend}>
        <p className={classes.reading} aria-live="polite">
          {shown === undefined
            ? ''
            : `${formatInstant(shown.from, zone)}: ${formatCount(totalOf(shown))} messages${breakdown(shown, groups)}`}
        </p>
        {groups.map((group) => (
          <button
            key={group.label}
            type="button"
            className={classes.key}
            title={`Only ${group.title}`}
            onClick={() => onChooseLevels(group.levels)}
          >
            <span className={classes.swatch} data-group={group.name} aria-hidden="true" />
            {group.label}
          </button>
        ))}
      </figcaption>
    </figure>
  );
}

interface BarsProps {
  readonly bars: readonly HistogramBar[];
  readonly highest: number;
  readonly groups: readonly LevelGroup[];
  readonly active: number | undefined;
}

function Bars({ bars, highest, groups, active }: BarsProps) {
  const step = 100 / bars.length;
  return (
    <svg className={classes.bars} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <pattern id="no-level" width="0.6" height="6" patternUnits="userSpaceOnUse">
          <rect width="0.6" height="6" className={classes.hatchGround} />
          <rect width="0.6" height="2" className={classes.hatch} />
        </pattern>
      </defs>
      {bars.map((bar, at) => {
        let top = HEIGHT;
        return (
          <g key={bar.from} data-active={at === active}>
            {/* Severe levels stand at the bottom, where they are compared most easily. */}
            {groups.map((group) => {
              const count = countOf(bar, group);
              if (count === 0) return null;
              const height = Math.max(1, (count / highest) * (HEIGHT - 2));
              top -= height;
              return (
                <rect
                  key={group.name}
                  data-group={group.name}
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
    </svg>
  );
}

/** Four times below the bars. */
function TimeAxis({ bars, intervalMs }: Pick<LevelHistogramProps, 'bars' | 'intervalMs'>) {
  const zone = useTimeZone();
  const length = bars.length * intervalMs;
  const labelOf = (ms: number) =>
    length > 3 * DAY_MS
      ? formatInstant(ms, zone, 'day')
      : length > DAY_MS
        ? formatInstant(ms, zone, 'minute').slice(5)
        : formatClock(ms, zone, intervalMs < 60_000 ? 'second' : 'minute');
  const marks = [0, 0.25, 0.5, 0.75].map((share) => bars[Math.floor(share * bars.length)]?.from ?? 0);
  return (
    <div className={classes.axis} aria-hidden="true">
      {[...new Set(marks)].map((ms) => (
        <span key={ms}>{labelOf(ms)}</span>
      ))}
    </div>
  );
}

function useBrush(
  bars: readonly HistogramBar[],
  intervalMs: number,
  span: TimeSpan,
  onZoom: (span: TimeSpan) => void,
  onPoint: (bar: number | undefined) => void,
) {
  const ref = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number }>();
  const xOf = (event: PointerEvent) => {
    const box = ref.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(box.width, Math.max(0, event.clientX - box.left));
  };
  const widthOf = () => Math.max(1, ref.current?.clientWidth ?? 1);
  const barAt = (x: number) => Math.min(bars.length - 1, Math.floor((x / widthOf()) * bars.length));
  const timeAt = (x: number) => Math.round((bars[0]?.from ?? 0) + (x / widthOf()) * bars.length * intervalMs);
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ start: xOf(event), end: xOf(event) });
    },
    onPointerMove: (event: PointerEvent) => {
      onPoint(barAt(xOf(event)));
      if (drag !== undefined) setDrag({ ...drag, end: xOf(event) });
    },
    onPointerLeave: () => onPoint(undefined),
    onPointerCancel: () => setDrag(undefined),
    onPointerUp: (event: PointerEvent) => {
      if (drag === undefined) return;
      setDrag(undefined);
      const [left, right] = [Math.min(drag.start, xOf(event)), Math.max(drag.start, xOf(event))];
      const bar = bars[barAt(left)];
      if (right - left >= CLICK_PIXELS) onZoom(within({ from: timeAt(left), to: timeAt(right) }, span));
      else if (bar !== undefined) onZoom(barSpan(bar, intervalMs, span));
    },
  };
  const selection =
    drag === undefined
      ? undefined
      : { insetInlineStart: Math.min(drag.start, drag.end), inlineSize: Math.abs(drag.end - drag.start) };
  return { ref, handlers, selection };
}

function within({ from, to }: TimeSpan, span: TimeSpan): TimeSpan {
  return { from: Math.max(from, span.from), to: Math.min(Math.max(to, from + 1), span.to) };
}

function barSpan({ from }: HistogramBar, intervalMs: number, span: TimeSpan): TimeSpan {
  return within({ from, to: from + intervalMs - 1 }, span);
}

function totalOf({ counts }: HistogramBar): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}

function countOf({ counts }: HistogramBar, { levels }: LevelGroup): number {
  return levels.reduce((sum, level) => sum + (counts.get(level) ?? 0), 0);
}

function breakdown(bar: HistogramBar, groups: readonly LevelGroup[]): string {
  const parts = groups
    .filter((group) => countOf(bar, group) > 0)
    .map((group) => `${group.label} ${formatCount(countOf(bar, group))}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
