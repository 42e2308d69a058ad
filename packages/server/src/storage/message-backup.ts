/**
 * Backups of the messages, made by ClickHouse itself: the parts as they are, while messages come in and are searched. A
 * backup of a server has what was stored when it began.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PermanentError } from '#core/index.ts';
import { type ClickHouseServer, quoteIdentifier } from './clickhouse/index.ts';

export interface BackupFigures {
  /** Of all files, as they are in the backup. */
  readonly bytes: number;
  readonly files: number;
}

export interface BackupProgress {
  readonly doneBytes: number;
  readonly bytes: number;
}

export interface BackupOptions {
  readonly database: string;
  /** Where to, as ClickHouse writes it: `File('/backups/one')`. */
  readonly place: string;
  readonly progress?: (progress: BackupProgress) => void;
  readonly signal?: AbortSignal;
}

interface BackupRow {
  readonly status: string;
  readonly error: string;
  readonly num_files: string;
  readonly total_size: string;
  readonly uncompressed_size: string;
  readonly bytes_read: string;
}

const FIRST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 1000;

/** `File('…')` with a path of any characters. */
export function filePlace(path: string): string {
  return `File('${path.replace(/[\\']/g, (character) => `\\${character}`)}')`;
}

export function backUpMessages(server: ClickHouseServer, options: BackupOptions): Promise<BackupFigures> {
  const database = quoteIdentifier(options.database);
  return run(server, `BACKUP DATABASE ${database} TO ${options.place} ASYNC`, 'BACKUP_CREATED', options);
}

/** Adds the messages of a backup to those that the database has. */
export function restoreMessages(
  server: ClickHouseServer,
  { from, ...options }: BackupOptions & { readonly from: string },
): Promise<BackupFigures> {
  const [database, original] = [quoteIdentifier(options.database), quoteIdentifier(from)];
  const sql = `RESTORE DATABASE ${original} AS ${database} FROM ${options.place} SETTINGS allow_non_empty_tables = 1 ASYNC`;
  return run(server, sql, 'RESTORED', options);
}

/** A request that takes hours would break with its connection, so the engine works by itself and is asked how far it is. */
async function run(
  server: ClickHouseServer,
  sql: string,
  done: string,
  { progress, signal }: BackupOptions,
): Promise<BackupFigures> {
  const [started] = await server.query<{ id: string }>(sql, signal && { signal });
  const id = started?.id ?? '';
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
    const [row] = await server.query<BackupRow>(
      `SELECT status, error, num_files, total_size, uncompressed_size, bytes_read
       FROM system.backups WHERE id = {id:String}`,
      { parameters: { id }, ...(signal && { signal }) },
    );
    if (row === undefined) {
      throw new PermanentError(`ClickHouse at ${server.url} has been restarted meanwhile; start again`);
    }
    if (row.status === done) {
      return { bytes: Number(row.uncompressed_size), files: Number(row.num_files) };
    }
    if (/FAILED|CANCELLED/.test(row.status)) {
      throw new PermanentError(`ClickHouse at ${server.url}: ${row.error.split('\n')[0]}`);
    }
    progress?.({ doneBytes: Number(row.bytes_read), bytes: Number(row.total_size) });
    await delay(wait, undefined, signal && { signal });
  }
}

/** How many messages there are, by table. */
export async function countMessages(
  server: ClickHouseServer,
  database: string,
): Promise<Readonly<Record<string, number>>> {
  const rows = await server.query<{ table: string; rows: string }>(
    `SELECT table, sum(rows) AS rows FROM system.parts WHERE active AND database = {database:String}
     GROUP BY table ORDER BY table`,
    { parameters: { database } },
  );
  return Object.fromEntries(rows.map(({ table, rows: count }) => [table, Number(count)]));
}
