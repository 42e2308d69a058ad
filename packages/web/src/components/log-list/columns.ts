import { fieldText, type LogMessage } from '../../lib/messages/index.ts';

/** One column of a list; without a width it has the one that suits its field. */
export interface LogColumn {
  readonly field: string;
  readonly width?: number;
}

export const MIN_COLUMN_WIDTH = 40;
export const MAX_COLUMN_WIDTH = 2000;
const MIN_FLEXIBLE_WIDTH = 200;
const MAX_FITTED_WIDTH = 800;
/** Rows that decide how wide a column that fits is. */
const FITTED_ROWS = 1000;
/** Between the text of a cell and the next column. */
export const CELL_PADDING = 12;

/** The message takes what is left, or the last column; unless somebody gave it a width. */
export function flexibleColumn(columns: readonly LogColumn[]): string | undefined {
  const flexible = columns.find(({ field }) => field === 'message') ?? columns.at(-1);
  return flexible?.width === undefined ? flexible?.field : undefined;
}

export function columnWidth({ field, width }: LogColumn, hasDates: boolean): number {
  if (width !== undefined) return width;
  if (field === 'timestamp') return hasDates ? 188 : 112;
  if (field === 'level') return 64;
  return field === 'source' ? 152 : 168;
}

/** For `grid-template-columns`. */
export function gridColumns(columns: readonly LogColumn[], hasDates: boolean): string {
  const flexible = flexibleColumn(columns);
  return columns
    .map((column) =>
      column.field === flexible
        ? `minmax(${MIN_FLEXIBLE_WIDTH}px, 1fr)`
        : `${columnWidth(column, hasDates)}px`,
    )
    .join(' ');
}

/** The widths that columns have in a list that is so wide inside. */
export function widthsIn(available: number, columns: readonly LogColumn[], hasDates: boolean): number[] {
  const flexible = flexibleColumn(columns);
  const fixed = columns
    .filter(({ field }) => field !== flexible)
    .reduce((sum, column) => sum + columnWidth(column, hasDates), 0);
  return columns.map((column) =>
    column.field === flexible
      ? Math.max(MIN_FLEXIBLE_WIDTH, available - fixed)
      : columnWidth(column, hasDates),
  );
}

/** The width that shows the values of a column whole, within reason. */
export function fittedWidth(field: string, messages: readonly LogMessage[], characterWidth: number): number {
  // The heading has a menu behind its name.
  let longest = field.length + 5;
  for (const { fields } of messages.slice(0, FITTED_ROWS)) {
    longest = Math.max(longest, fieldText(fields[field]).length);
  }
  return Math.min(MAX_FITTED_WIDTH, Math.ceil(longest * characterWidth) + CELL_PADDING + 4);
}

export function withWidth(columns: readonly LogColumn[], field: string, width: number): readonly LogColumn[] {
  const clamped = Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));
  return columns.map((column) => (column.field === field ? { field, width: clamped } : column));
}

export function withoutColumn(columns: readonly LogColumn[], field: string): readonly LogColumn[] {
  return columns.filter((column) => column.field !== field);
}

/** Before the message, which takes the rest of the line. */
export function withColumn(columns: readonly LogColumn[], field: string): readonly LogColumn[] {
  const at = columns.findIndex((column) => column.field === 'message');
  return at < 0 ? [...columns, { field }] : columns.toSpliced(at, 0, { field });
}

/** To the place that another column has now. */
export function movedColumn(columns: readonly LogColumn[], field: string, to: number): readonly LogColumn[] {
  const from = columns.findIndex((column) => column.field === field);
  const column = columns[from];
  if (column === undefined) return columns;
  const place = Math.min(columns.length - 1, Math.max(0, to));
  return columns.toSpliced(from, 1).toSpliced(place, 0, column);
}
