/** Tables as text: CSV for programs, box drawing for people. */
import type { TableCell, TableResponse } from '@millrace/contract';
import { csvLine } from '#core/index.ts';
import { escapeFormula } from '../spreadsheet-formulas.ts';

/** What tables show where there is no value. */
export const EMPTY_CELL = '-';

export interface TableCsvOptions {
  /** Puts an apostrophe in front of texts that a spreadsheet would run as a formula. */
  readonly escapeFormulas?: boolean;
}

export function renderCsvTable({ schema, datarows }: TableResponse, options: TableCsvOptions = {}): string {
  const textOf = options.escapeFormulas === true ? escapedText : cellText;
  return [schema.map(({ name }) => name), ...datarows.map((row) => row.map(textOf))].map(csvLine).join('');
}

/** Negative numbers and the dash of an empty cell are not formulas. */
function escapedText(cell: TableCell): string {
  const text = cellText(cell);
  return typeof cell === 'string' && cell !== EMPTY_CELL ? escapeFormula(text) : text;
}

export function renderTextTable({ schema, datarows }: TableResponse): string {
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
