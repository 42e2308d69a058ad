import { useComputedColorScheme } from '@mantine/core';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatCount, formatShort } from '../../lib/format/index.ts';
import { MAX_SERIES, type TimeChartProps } from './chart-props.ts';
import classes from './time-chart.module.css';

use([BarChart, LineChart, GridComponent, CanvasRenderer]);

const COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--bar-debug'];

interface Pointed {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** Drawn on a canvas. The tooltip is ours: that of the library needs styles that our policy forbids. */
export function ChartCanvas({ title, categories, series, kind }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const [pointed, setPointed] = useState<Pointed>();
  const theme = useComputedColorScheme();
  const shown = series.slice(0, MAX_SERIES);
  useEffect(() => {
    if (frame.current === null) return;
    const drawn = init(frame.current, undefined, { renderer: 'canvas' });
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.resize());
    observer.observe(frame.current);
    return () => {
      observer.disconnect();
      drawn.dispose();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides the colours
  useEffect(() => {
    if (frame.current === null) return;
    const colour = (name: string) => getComputedStyle(frame.current as Element).getPropertyValue(name);
    chart.current?.setOption(
      {
        animation: false,
        color: COLOURS.map(colour),
        grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same' },
        textStyle: { fontFamily: colour('--font'), fontSize: 11 },
        xAxis: {
          type: 'category',
          data: [...categories],
          axisLabel: { color: colour('--dim'), hideOverlap: true, width: 120, overflow: 'truncate' },
          axisLine: { lineStyle: { color: colour('--border') } },
          axisTick: { show: false },
        },
        yAxis: {
          type: 'value',
          axisLabel: { color: colour('--dim'), formatter: (value: number) => formatShort(value) },
          splitLine: { lineStyle: { color: colour('--border') } },
        },
        series: shown.map(({ name, values }) => ({
          name,
          type: kind,
          data: [...values],
          showSymbol: false,
          connectNulls: true,
          barMaxWidth: 48,
        })),
      },
      true,
    );
  }, [categories, series, kind, theme]);
  const point = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined) return;
    // The tooltip stands beside the canvas, below the title.
    const top = frame.current?.offsetTop ?? 0;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = chart.current?.convertFromPixel({ seriesIndex: 0 }, [x, y]);
    const at = Array.isArray(found) ? Math.round(Number(found[0])) : Number.NaN;
    setPointed(at >= 0 && at < categories.length ? { at, x, y: y + top } : undefined);
  };
  return (
    <>
      <div
        ref={frame}
        className={classes.canvas}
        role="img"
        aria-label={title}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      />
      {pointed !== undefined && (
        <div
          className={classes.tooltip}
          data-side={pointed.x > (frame.current?.clientWidth ?? 0) / 2 ? 'left' : 'right'}
          style={{ insetBlockStart: pointed.y, insetInlineStart: pointed.x }}
        >
          <strong>{categories[pointed.at]}</strong>
          {shown.map(({ name, values }, at) => (
            <span key={name}>
              <i data-series={at + 1} />
              {name}: {formatFigure(values[pointed.at])}
            </span>
          ))}
        </div>
      )}
    </>
  );
}

function formatFigure(value: number | undefined): string {
  if (value === undefined) return '–';
  return Number.isInteger(value) ? formatCount(value) : String(Math.round(value * 1000) / 1000);
}
