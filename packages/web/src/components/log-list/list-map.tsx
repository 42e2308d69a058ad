import { useComputedColorScheme } from '@mantine/core';
import { type PointerEvent, useEffect, useRef } from 'react';
import { isErrorLevel, type LogMessage, levelOf } from '../../lib/messages/index.ts';
import classes from './log-list.module.css';

interface ListMapProps {
  readonly messages: readonly LogMessage[];
  /** Rows in which the text was found. */
  readonly hits: readonly number[];
  readonly isMarked: (message: LogMessage) => boolean;
  readonly hasMarks: boolean;
  /** Scrolls to this share of the list. */
  readonly onGo: (share: number) => void;
}

const WIDTH = 12;
const TICK = 2;

/** The whole list at a glance: errors, found text and marks, each in a lane of its own. */
export function ListMap({ messages, hits, isMarked, hasMarks, onGo }: ListMapProps) {
  'use memo';
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides the colours
  useEffect(() => {
    const draw = () => {
      if (canvas.current !== null) paint(canvas.current, messages, hits, hasMarks ? isMarked : undefined);
    };
    draw();
    const observer = new ResizeObserver(draw);
    if (canvas.current !== null) observer.observe(canvas.current);
    return () => observer.disconnect();
  }, [messages, hits, isMarked, hasMarks, theme]);
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onGo(Math.min(1, Math.max(0, (event.clientY - box.top) / Math.max(1, box.height))));
  };
  return (
    <div className={classes.map} aria-hidden="true">
      <canvas
        ref={canvas}
        title="Errors, found text and marks of the whole list"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && go(event)}
      />
    </div>
  );
}

function paint(
  canvas: HTMLCanvasElement,
  messages: readonly LogMessage[],
  hits: readonly number[],
  isMarked: ((message: LogMessage) => boolean) | undefined,
): void {
  const { clientHeight: height } = canvas;
  const scale = window.devicePixelRatio;
  canvas.width = WIDTH * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (context === null || messages.length === 0) return;
  context.scale(scale, scale);
  const styles = getComputedStyle(canvas);
  const yOf = (row: number) => (row / messages.length) * (height - TICK);
  const lane = (colour: string, x: number, width: number, rows: Iterable<number>) => {
    context.fillStyle = styles.getPropertyValue(colour);
    let last = -TICK;
    for (const row of rows) {
      const y = Math.floor(yOf(row));
      if (y === last) continue;
      last = y;
      context.fillRect(x, y, width, TICK);
    }
  };
  lane(
    '--map-error',
    1,
    4,
    rowsWith(messages, (message) => isErrorLevel(levelOf(message))),
  );
  lane('--map-found', 5, 4, hits);
  if (isMarked !== undefined) lane('--map-mark', 9, 3, rowsWith(messages, isMarked));
}

function* rowsWith(messages: readonly LogMessage[], isWanted: (message: LogMessage) => boolean) {
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message !== undefined && isWanted(message)) yield at;
  }
}
