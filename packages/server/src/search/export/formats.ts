/**
 * Messages as lines of text, one way for each kind of file. The engine writes them: it has the values at hand, and
 * reading them into this process only to write them again would take it several times as long.
 */
import { EXACT_JSON_SETTINGS, fieldColumn } from '#storage/index.ts';
import { groupKeyOf, isoTime } from '../aggregation/field-values.ts';
import { FORMULA, uncomputed } from '../formulas.ts';
import type { SqlParameters } from '../query/index.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'text';

export interface ExportLinesConfig {
  /** The columns, in this order. `timestamp`, `_id` and any field. */
  readonly fields: readonly string[];
  /** Marks cells that a spreadsheet would compute. */
  readonly escapeFormulas?: boolean | undefined;
}

export interface ExportLines {
  /** With a line feed; empty where there is none. */
  readonly header: string;
  /** Columns of each table. */
  readonly columns: readonly string[];
  /** SQL over them: the line of a message, without a line feed. */
  readonly line: string;
}

export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  text: 'text/plain; charset=utf-8',
};

/** What the lines of NDJSON are right under: every digit as a number, and no more escapes than there must be. */
export const EXPORT_SETTINGS = {
  ...EXACT_JSON_SETTINGS,
  output_format_json_escape_forward_slashes: 0,
} as const;

export function exportLines(
  format: ExportFormat,
  { fields, escapeFormulas = false }: ExportLinesConfig,
  parameters: SqlParameters,
): ExportLines {
  const names = [...new Set(fields)];
  const select = (expression: (name: string) => string) =>
    names.map((name, index) => `${expression(name)} AS ${columnOf(index)}`);
  const stored = (name: string) => fieldColumn(name).expression;
  const columns = select((name) => groupKeyOf(name)?.expression ?? stored(name));
  const cells = fields.map((name) => cellText(name, columnOf(names.indexOf(name))));
  switch (format) {
    case 'csv':
      return {
        header: `${fields.map((field) => csvCell(field, escapeFormulas)).join(',')}\n`,
        columns,
        line: `concat('"', ${cells.map((cell) => csvExpression(cell, escapeFormulas)).join(`, '","', `)}, '"')`,
      };
    case 'text':
      return { header: '', columns, line: `concat(${cells.map(withoutLineBreaks).join(", '\\t', ")}, '')` };
    case 'ndjson': {
      const entries = names.map((name, index) => {
        const key = parameters.add(`${JSON.stringify(name)}:`, 'String');
        return jsonEntry(name, key, columnOf(index));
      });
      const present = `arrayFilter(entry -> notEmpty(entry), [${entries.join(', ')}]::Array(String))`;
      const line = `concat('{', arrayStringConcat(${present}, ','), '}')`;
      return { header: '', columns: select(stored), line };
    }
  }
}

function columnOf(index: number): string {
  return `cell_${index}`;
}

/** `String`; empty for a message without the field. */
function cellText(name: string, column: string): string {
  const key = groupKeyOf(name);
  return key === undefined ? `arrayStringConcat(${column}, ',')` : `ifNull(${key.text(column)}, '')`;
}

/** `String`: `"name":value`; empty for a message without the field. */
function jsonEntry(name: string, key: string, column: string): string {
  switch (fieldColumn(name).kind) {
    case 'time':
      return `concat(${key}, '"', ${isoTime(column)}, '"')`;
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

/** Always in quotes; line breaks are written as `\n` and `\r`, so that a message is one line whatever it holds. */
function csvCell(text: string, escapeFormulas: boolean): string {
  const line = (escapeFormulas ? uncomputed(text) : text).replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${line.replaceAll('"', '""')}"`;
}

/** What is between the quotes, in SQL. */
function csvExpression(text: string, escapeFormulas: boolean): string {
  const pattern = `'${FORMULA.replaceAll('\\', '\\\\')}'`;
  const safe = escapeFormulas ? `if(match(${text}, ${pattern}), concat('\\'', ${text}), ${text})` : text;
  return `replaceAll(${withoutLineBreaks(safe)}, '"', '""')`;
}

function withoutLineBreaks(text: string): string {
  return `replaceAll(replaceAll(${text}, '\\n', '\\\\n'), '\\r', '\\\\r')`;
}
