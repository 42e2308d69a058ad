import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type Parser, parse } from 'csv-parse';
import { defineAdapter } from '../../adapter-type.ts';
import type { LookupValue } from '../../answer.ts';
import { createFileAdapter } from '../../file-adapter.ts';
import type { MapSource } from '../../source.ts';
import { type CsvFileConfig, csvFileFields } from './config.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ROWS = 500_000;

export const csvFileAdapter = defineAdapter({
  id: 'csvfile',
  name: 'CSV file',
  description: 'Values from two columns of a CSV file. The file is read again when it changes.',
  fields: csvFileFields,
  create: ({ files }, config) =>
    createFileAdapter(
      files,
      { path: config.path, maxBytes: MAX_BYTES, refreshMs: config.check_interval * 1000 },
      (content) => readCsv(content, config),
    ),
});

async function readCsv(content: Buffer, config: CsvFileConfig): Promise<MapSource> {
  const ignoresCase = config.case_insensitive_lookup;
  const entries = new Map<string, LookupValue>();
  let columns: { readonly key: number; readonly value: number } | undefined;
  for await (const row of rowsOf(content, config)) {
    if (columns === undefined) {
      columns = columnsOf(row, config);
      continue;
    }
    const key = row[columns.key] ?? '';
    entries.set(ignoresCase ? key.toLowerCase() : key, row[columns.value] ?? '');
    if (entries.size > MAX_ROWS) throw new Error(`${config.path} has more than ${MAX_ROWS} keys`);
  }
  if (columns === undefined) throw new Error(`${config.path} is empty: its first line names the columns`);
  return { kind: 'map', entries, ignoresCase };
}

/** In pieces, so that the API is served meanwhile. */
function rowsOf(content: Buffer, { separator, quotechar }: CsvFileConfig): Parser & AsyncIterable<string[]> {
  const parser = parse({ delimiter: separator, quote: quotechar, bom: true, relax_column_count: true });
  Readable.from(piecesOf(content)).pipe(parser);
  return parser;
}

const PIECE_BYTES = 64 * 1024;

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    // The parser and its reader only ever wait for promises that are ready, so nothing else would get a turn.
    await setImmediate();
    // A copy: what the parser passes on must not be shared memory.
    yield Buffer.from(content.subarray(at, at + PIECE_BYTES));
  }
}

function columnsOf(row: readonly string[], { path, key_column, value_column }: CsvFileConfig) {
  const [key, value] = [row.indexOf(key_column), row.indexOf(value_column)];
  const missing = key < 0 ? key_column : value < 0 ? value_column : undefined;
  if (missing === undefined) return { key, value };
  const names = row.slice(0, 20).map((name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name));
  throw new Error(`${path} has no column "${missing}"; its first line names ${names.join(', ')}`);
}
