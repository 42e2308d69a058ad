/** Messages as lines of text, one way for each kind of file. */
import type { FieldValue } from '#core/index.ts';
import { type FoundMessage, messageJson } from '../messages/index.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'text';

export interface ExportLines {
  /** With a line feed; empty where there is none. */
  readonly header: string;
  /** With a line feed. */
  line(message: FoundMessage): string;
}

export interface ExportLinesConfig {
  /** The columns, in this order. */
  readonly fields: readonly string[];
  /** Marks cells that a spreadsheet would compute. */
  readonly escapeFormulas?: boolean | undefined;
}

export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  text: 'text/plain; charset=utf-8',
};

export function exportLines(format: ExportFormat, config: ExportLinesConfig): ExportLines {
  const { fields, escapeFormulas = false } = config;
  switch (format) {
    case 'csv': {
      const row = (cells: readonly string[]) =>
        `${cells.map((cell) => csvCell(cell, escapeFormulas)).join(',')}\n`;
      return {
        header: row(fields),
        line: (message) => row(fields.map((field) => cellText(message, field))),
      };
    }
    case 'ndjson':
      return { header: '', line: (message) => `${JSON.stringify(selected(message, fields))}\n` };
    case 'text':
      return {
        header: '',
        line: (message) =>
          `${fields.map((field) => withoutLineBreaks(cellText(message, field))).join('\t')}\n`,
      };
  }
}

/** In the order that was asked for. A message without a field has no entry for it. */
function selected(message: FoundMessage, fields: readonly string[]): Record<string, unknown> {
  const all = messageJson(message);
  const names = fields.filter((field) => Object.hasOwn(all, field) || field === 'gl2_message_id');
  return Object.fromEntries(names.map((field) => [field, all[field === 'gl2_message_id' ? '_id' : field]]));
}

function cellText(message: FoundMessage, field: string): string {
  if (field === 'timestamp') return new Date(message.timestamp).toISOString();
  if (field === '_id' || field === 'gl2_message_id') return message.id;
  return valueText(message.fields.get(field));
}

function valueText(value: FieldValue | readonly string[] | undefined): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Always in quotes; line breaks are written as `\n` and `\r`, so that a message is one line whatever it holds. */
function csvCell(text: string, escapeFormulas: boolean): string {
  const safe = escapeFormulas && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${withoutLineBreaks(safe).replaceAll('"', '""')}"`;
}

function withoutLineBreaks(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll('\n', '\\n').replaceAll('\r', '\\r') : text;
}
