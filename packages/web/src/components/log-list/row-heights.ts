import { fieldText, type LogMessage } from '../../lib/messages/index.ts';
import { CELL_PADDING, type LogColumn } from './columns.ts';

export const LINE_HEIGHT = 20;
/** Characters of a row; the detail has more. */
export const ROW_CHARACTERS = 2000;
/** Characters that all have the same width. Everything else is measured where it is drawn. */
const PLAIN = /^[\u0020-\u007e\n]*$/;

/** Lines that a text takes in a column; undefined when only the browser knows. */
export function wrappedLines(text: string, perLine: number): number | undefined {
  const shown = text.length > ROW_CHARACTERS ? text.slice(0, ROW_CHARACTERS) : text;
  if (!PLAIN.test(shown)) return undefined;
  if (shown.length <= perLine && !shown.includes('\n')) return 1;
  let lines = 0;
  for (const line of shown.split('\n')) lines += Math.max(1, Math.ceil(line.length / perLine));
  // A break at the very end begins no line that could be seen.
  return shown.endsWith('\n') ? Math.max(1, lines - 1) : lines;
}

export interface WrapLayout {
  readonly columns: readonly LogColumn[];
  readonly widths: readonly number[];
  readonly characterWidth: number;
}

/** Lines of a whole row; undefined when it has to be measured. */
export function rowLines({ fields }: LogMessage, layout: WrapLayout): number | undefined {
  let most = 1;
  for (let at = 0; at < layout.columns.length; at += 1) {
    const field = layout.columns[at]?.field ?? '';
    if (field === 'timestamp' || field === 'level') continue;
    const inside = (layout.widths[at] ?? 0) - CELL_PADDING;
    const lines = wrappedLines(
      fieldText(fields[field]),
      Math.max(1, Math.floor(inside / layout.characterWidth)),
    );
    if (lines === undefined) return undefined;
    most = Math.max(most, lines);
  }
  return most;
}

const SAMPLE = 100;
let measured: number | undefined;

/** The width of one character of log text. */
export function characterWidth(): number {
  if (measured !== undefined) return measured;
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 7.2;
  const font = getComputedStyle(document.documentElement).getPropertyValue('--font-mono');
  context.font = `12px ${font}`;
  measured = context.measureText('0'.repeat(SAMPLE)).width / SAMPLE;
  return measured;
}
