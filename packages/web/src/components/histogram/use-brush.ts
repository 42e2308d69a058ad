import { type PointerEvent, useRef, useState } from 'react';
import type { TimeSpan } from '../../lib/time/index.ts';
import { barSpan, type HistogramData, within } from './histogram-data.ts';

/** A drag that is shorter is a click. */
const CLICK_PIXELS = 4;

/** Drag over the bars, or a click on one. */
export function useBrush(
  data: HistogramData,
  span: TimeSpan,
  onZoom: (span: TimeSpan) => void,
  onPoint: (bar: number | undefined) => void,
) {
  const ref = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number }>();
  const count = data.starts.length;
  const xOf = (event: PointerEvent) => {
    const box = ref.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(box.width, Math.max(0, event.clientX - box.left));
  };
  const widthOf = () => Math.max(1, ref.current?.clientWidth ?? 1);
  const barAt = (x: number) => Math.min(count - 1, Math.floor((x / widthOf()) * count));
  const timeAt = (x: number) => Math.round((data.starts[0] ?? 0) + (x / widthOf()) * count * data.intervalMs);
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
      if (right - left >= CLICK_PIXELS) onZoom(within({ from: timeAt(left), to: timeAt(right) }, span));
      else onZoom(barSpan(data, barAt(left), span));
    },
  };
  const selection =
    drag === undefined
      ? undefined
      : { insetInlineStart: Math.min(drag.start, drag.end), inlineSize: Math.abs(drag.end - drag.start) };
  return { ref, handlers, selection, isDragging: drag !== undefined, stop: () => setDrag(undefined) };
}
