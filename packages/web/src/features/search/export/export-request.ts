import type { ExportFormatName, ExportJobRequest } from '@millrace/contract';
import type { LogMessage } from '../../../lib/messages/index.ts';
import { type Run, timeRangeOf } from '../run.ts';

export interface ExportChoices {
  readonly format: ExportFormatName;
  readonly fields: readonly string[];
  /** The most rows; undefined for all. */
  readonly limit: number | undefined;
}

export function exportRequest(run: Run, { format, fields, limit }: ExportChoices): ExportJobRequest {
  return {
    query_string: run.query,
    timerange: timeRangeOf(run),
    streams: [...run.streams],
    time_zone: run.zone,
    sort: run.sort,
    fields_in_order: [...fields],
    format,
    ...(limit === undefined ? {} : { limit }),
  };
}

/** `millrace-2026-11-15T10-00-00.csv`: the end of the range, in characters that every file system takes. */
export function exportFileName(run: Run, format: ExportFormatName): string {
  const end = new Date(run.span.to).toISOString().slice(0, 19).replaceAll(':', '-');
  return `millrace-${end}.${format === 'text' ? 'txt' : format}`;
}

/** Of quotes, separators and line ends around a value. */
const AROUND_VALUE = 3;

/** Bytes of a row on average, judged by messages that are there already; undefined without any. */
export function bytesPerRow(
  messages: readonly LogMessage[],
  choices: Pick<ExportChoices, 'format' | 'fields'>,
) {
  if (messages.length === 0) return undefined;
  const encoder = new TextEncoder();
  const total = messages.reduce((sum, { fields }) => {
    const row = choices.fields.reduce((bytes, name) => {
      const value = fields[name];
      const text =
        value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
      const isJson = choices.format === 'json' || choices.format === 'ndjson';
      const nameBytes = isJson && value !== undefined ? encoder.encode(name).length + AROUND_VALUE : 0;
      return bytes + encoder.encode(text).length + AROUND_VALUE + nameBytes;
    }, 0);
    return sum + row;
  }, 0);
  return total / messages.length;
}
