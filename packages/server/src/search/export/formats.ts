/**
 * Messages as lines of text, for each export format. The engine formats the lines: it already has the values, and
 * formatting them in this process would take several times as long.
 */
import { csvLine, InvalidError } from '#core/index.ts';
import { EXACT_JSON_SETTINGS, fieldColumn } from '#storage/index.ts';
import { groupKeyOf, isoTime, isoTimeIn } from '../aggregation/field-values.ts';
import { visibleColumn } from '../own-fields.ts';
import type { SqlParameters } from '../query/index.ts';
import { escapeFormula, FORMULA_PATTERN } from '../spreadsheet-formulas.ts';
import { requireTimeZone } from '../time/index.ts';

export type ExportFormat = 'csv' | 'json' | 'ndjson' | 'text';

export interface ExportLinesSettings {
  /** The columns in order: `timestamp`, `_id` or any field. */
  readonly fields: readonly string[];
  /** Puts an apostrophe in front of cells that a spreadsheet would run as a formula. */
  readonly escapeFormulas?: boolean | undefined;
  /** The zone of the times in the file; UTC by default. */
  readonly timeZone?: string | undefined;
}

export interface ExportLines {
  /** Ends with a line feed; empty for formats without one. */
  readonly header: string;
  /** Between two lines. */
  readonly separator: string;
  readonly footer: string;
  /** Columns of each table. */
  readonly columns: readonly string[];
  /** SQL over these columns: the line of a message, without a line feed. */
  readonly line: string;
}

export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  text: 'text/plain; charset=utf-8',
};

/** NDJSON needs these settings: numbers with all their digits, and no unnecessary escapes. */
export const EXPORT_SETTINGS = {
  ...EXACT_JSON_SETTINGS,
  output_format_json_escape_forward_slashes: 0,
} as const;

export function exportLines(
  format: ExportFormat,
  { fields, escapeFormulas = false, timeZone = 'UTC' }: ExportLinesSettings,
  parameters: SqlParameters,
): ExportLines {
  const timeText = timeTextIn(requireTimeZone(timeZone), parameters);
  const names = [...new Set(fields)];
  const select = (expression: (name: string) => string) =>
    names.map((name, index) => `${expression(name)} AS ${columnOf(index)}`);
  const columns = select((name) => groupKeyOf(name)?.expression ?? visibleColumn(name));
  const cells = fields.map((name) => cellText(name, columnOf(names.indexOf(name)), timeText));
  const plain = { header: '', separator: '\n', footer: '' };
  switch (format) {
    case 'csv':
      return {
        ...plain,
        header: csvLine(fields.map((field) => headerCell(field, escapeFormulas))),
        columns,
        line: `concat('"', ${cells.map((cell) => csvExpression(cell, escapeFormulas)).join(`, '","', `)}, '"')`,
      };
    case 'text': {
      // A single column has nothing that a tab could end.
      const written = cells.map(withoutLineBreaks).map(cells.length > 1 ? withoutTabs : String);
      return { ...plain, columns, line: `concat(${written.join(", '\\t', ")}, '')` };
    }
    case 'json':
    case 'ndjson': {
      const entries = names.map((name, index) => {
        const key = parameters.add(`${JSON.stringify(name)}:`, 'String');
        return jsonEntry(name, key, columnOf(index), timeText);
      });
      const present = `arrayFilter(entry -> notEmpty(entry), [${entries.join(', ')}]::Array(String))`;
      const line = `concat('{', arrayStringConcat(${present}, ','), '}')`;
      const list = { header: '[\n', separator: ',\n', footer: '\n]\n' };
      return { ...(format === 'json' ? list : plain), columns: select(visibleColumn), line };
    }
  }
}

/** `String`: SQL for a time column. */
type TimeText = (column: string) => string;

function timeTextIn(timeZone: string, parameters: SqlParameters): TimeText {
  if (timeZone === 'UTC') return isoTime;
  // The engine knows zones by their names only.
  if (/^[+-]/.test(timeZone)) {
    throw new InvalidError(
      `The time zone ${JSON.stringify(timeZone)} is an offset. Exports need a time zone with a name, such as UTC or Europe/Berlin.`,
    );
  }
  const zone = parameters.add(timeZone, 'String');
  return (column) => isoTimeIn(column, zone);
}

function columnOf(index: number): string {
  return `cell_${index}`;
}

/** `String`; empty for a message without the field. */
function cellText(name: string, column: string, timeText: TimeText): string {
  if (fieldColumn(name).kind === 'time') return timeText(column);
  const key = groupKeyOf(name);
  return key === undefined ? `arrayStringConcat(${column}, ',')` : `ifNull(${key.text(column)}, '')`;
}

/** `String`: `"name":value`; empty for a message without the field. */
function jsonEntry(name: string, key: string, column: string, timeText: TimeText): string {
  switch (fieldColumn(name).kind) {
    case 'time':
      return `concat(${key}, '"', ${timeText(column)}, '"')`;
    case 'list':
    case 'number':
    case 'keyword':
      return `concat(${key}, toJSONString(${column}))`;
    case 'text':
      return name === 'full_message'
        ? `if(empty(${column}), '', concat(${key}, toJSONString(${column})))`
        : `concat(${key}, toJSONString(${column}))`;
    case 'dynamic':
      return `if(isNull(${column}), '', concat(${key}, toJSONString(${column})))`;
  }
}

/** The same as `csvExpression`, for names of fields. */
function headerCell(name: string, escapeFormulas: boolean): string {
  return (escapeFormulas ? escapeFormula(name) : name).replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The text between the quotes, in SQL. Line breaks become `\n` and `\r`, so that every message is one line. */
function csvExpression(text: string, escapeFormulas: boolean): string {
  const pattern = `'${FORMULA_PATTERN.replaceAll('\\', '\\\\')}'`;
  const safe = escapeFormulas ? `if(match(${text}, ${pattern}), concat('\\'', ${text}), ${text})` : text;
  return `replaceAll(${withoutLineBreaks(safe)}, '"', '""')`;
}

function withoutLineBreaks(text: string): string {
  return `replaceAll(replaceAll(${text}, '\\n', '\\\\n'), '\\r', '\\\\r')`;
}

function withoutTabs(text: string): string {
  return `replaceAll(${text}, '\\t', '\\\\t')`;
}
