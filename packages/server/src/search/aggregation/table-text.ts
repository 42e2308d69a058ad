/** Tables as text: CSV for programs, boxes for people. */
import type { TableCell, TableResponse } from '@millrace/contract';
import { uncomputed } from '../formulas.ts';
import { EMPTY_CELL } from './metrics.ts';

/** All cells in quotes, as Graylog writes them. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
}

export interface TableCsvOptions {
  /** Puts an apostrophe before texts that a spreadsheet would compute. */
  readonly escapeFormulas?: boolean;
}

export function tableCsv({ schema, datarows }: TableResponse, options: TableCsvOptions = {}): string {
  const textOf = options.escapeFormulas === true ? uncomputedText : cellText;
  return [schema.map(({ name }) => name), ...datarows.map((row) => row.map(textOf))].map(csvLine).join('');
}

/** Numbers are what they are, and so is a missing cell. */
function uncomputedText(cell: TableCell): string {
  const text = cellText(cell);
  return typeof cell === 'string' && cell !== EMPTY_CELL ? uncomputed(text) : text;
}

export function tableBoxes({ schema, datarows }: TableResponse): string {
  const rows = [schema.map(({ name }) => name), ...datarows.map((row) => row.map(cellText))].map((row) =>
    row.map(inOneLine),
  );
  const widths = schema.map((_, at) => rows.reduce((most, row) => Math.max(most, width(row[at] ?? '')), 0));
  const rule = (left: string, middle: string, right: string) =>
    `${left}${widths.map((each) => '─'.repeat(each)).join(middle)}${right}\n`;
  const line = (row: readonly string[]) =>
    `│${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - width(cell))).join('│')}│\n`;
  const [header = [], ...body] = rows;
  return [
    rule('┌', '┬', '┐'),
    line(header),
    rule('├', '┼', '┤'),
    ...body.map(line),
    rule('└', '┴', '┘'),
  ].join('');
}

function cellText(cell: TableCell): string {
  return Array.isArray(cell) ? `[${cell.join(', ')}]` : String(cell);
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

const segmenter = new Intl.Segmenter('en');

/** Characters as people count them. */
function width(text: string): number {
  return /^[\u0020-\u007e]*$/.test(text) ? text.length : [...segmenter.segment(text)].length;
}
