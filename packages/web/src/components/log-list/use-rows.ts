import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { fieldText, type LogMessage, messageKey } from '../../lib/messages/index.ts';
import { widthsIn } from './columns.ts';
import type { LogListProps } from './list-props.ts';
import { characterWidth, LINE_HEIGHT, rowLines, type WrapLayout, wrappedLines } from './row-heights.ts';

const COMPACT_HEIGHT = 22;
const NORMAL_HEIGHT = 26;
/** Time and source, and the first line of the text below them. */
const NARROW_HEIGHT = 52;
const NARROW_LINES = 2;
const NARROW_PADDING = 24;
/** The heading stays above the rows, and is a part of what scrolls: a line and its border, as in the style sheet. */
const HEAD_HEIGHT = 25;
/** Of a row, at its sides. */
const ROW_PADDING = 20;
const OVERSCAN = 10;

/**
 * The rows in sight. Their heights are arithmetic, so that scrolling never jumps; only what is expanded and what has
 * characters of unknown width is measured.
 */
export function useRows(
  { messages, columns, hasDates, isNarrow, isCompact, isWrapped, expanded }: LogListProps,
  scroller: RefObject<HTMLDivElement | null>,
  width: number,
) {
  const rowHeight = isNarrow ? NARROW_HEIGHT : isCompact ? COMPACT_HEIGHT : NORMAL_HEIGHT;
  const headHeight = isNarrow ? 0 : HEAD_HEIGHT;
  const lines = useMemo(() => {
    if (width === 0) return undefined;
    if (isNarrow) return narrowLines(width);
    if (!isWrapped) return undefined;
    return lineCounter({
      columns,
      widths: widthsIn(width - ROW_PADDING, columns, hasDates),
      characterWidth: characterWidth(),
    });
  }, [columns, width, hasDates, isWrapped, isNarrow]);
  const heightOf = (at: number) => {
    const message = messages[at];
    const count = message === undefined ? 1 : (lines?.(message) ?? 1);
    return rowHeight + (count - 1) * LINE_HEIGHT;
  };
  // The same function for the same messages: with another one all rows are laid out again.
  const keyOf = useCallback((at: number) => rowKey(messages[at], at), [messages]);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights make the measured ones wrong
  useLayoutEffect(() => {
    virtualizer.measure();
    for (const row of scroller.current?.querySelectorAll('[data-measured=true]') ?? []) {
      virtualizer.measureElement(row);
    }
  }, [rowHeight, lines]);
  useFolding(expanded, messages, (at) => virtualizer.resizeItem(at, heightOf(at)));
  const isMeasured = (at: number) => {
    const message = messages[at];
    return lines !== undefined && message !== undefined && lines(message) === undefined;
  };
  return { virtualizer, items: virtualizer.getVirtualItems(), rowHeight, headHeight, isMeasured };
}

/** A row that is closed has its old height again, also when it is out of sight. */
function useFolding(
  expanded: string | undefined,
  messages: readonly LogMessage[],
  fold: (at: number) => void,
) {
  const before = useRef(expanded);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is open matters
  useLayoutEffect(() => {
    const closed = before.current;
    before.current = expanded;
    if (closed === undefined || closed === '' || closed === expanded) return;
    const at = messages.findIndex((message) => messageKey(message) === closed);
    if (at >= 0) fold(at);
  }, [expanded]);
}

/** On a phone long texts are cut after two lines. */
function narrowLines(width: number): (message: LogMessage) => number {
  const perLine = Math.max(1, Math.floor((width - NARROW_PADDING) / characterWidth()));
  return ({ fields }) =>
    Math.min(NARROW_LINES, wrappedLines(fieldText(fields.message), perLine) ?? NARROW_LINES);
}

/** Counts once for each message. */
function lineCounter(layout: WrapLayout): (message: LogMessage) => number | undefined {
  const known = new WeakMap<LogMessage, number>();
  return (message) => {
    let lines = known.get(message);
    if (lines === undefined) {
      lines = rowLines(message, layout) ?? 0;
      known.set(message, lines);
    }
    return lines === 0 ? undefined : lines;
  };
}

function rowKey(message: LogMessage | undefined, at: number): string {
  return message === undefined ? String(at) : messageKey(message);
}
