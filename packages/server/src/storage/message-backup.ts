/**
 * Backups of the messages, made by ClickHouse itself: the parts as they are, while messages come in and are searched. A
 * backup of a server has what was stored when it began.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PermanentError, RetryableError } from '#core/index.ts';
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
  const begin = `BACKUP DATABASE ${database} TO ${options.place}`;
  return run(server, begin, {}, 'BACKUP_CREATED', options);
}

export interface RestoreOptions extends BackupOptions {
  /** The name of the database in the backup. */
  readonly from: string;
  /** The tables may have messages, to which those of the backup are added. */
  readonly addsToTables: boolean;
  /** The tables are there already, and may have another engine than those of the backup. */
  readonly hasOwnTables?: boolean;
}

export async function restoreMessages(
  server: ClickHouseServer,
  { from, addsToTables, hasOwnTables = false, ...options }: RestoreOptions,
): Promise<BackupFigures> {
  const [database, original] = [quoteIdentifier(options.database), quoteIdentifier(from)];
  const begin = `RESTORE DATABASE ${original} AS ${database} FROM ${options.place}`;
  const figures = await run(
    server,
    begin,
    {
      allow_non_empty_tables: Number(addsToTables),
      // Servers of one cluster may have tables of different ages.
      allow_different_table_def: Number(hasOwnTables || addsToTables),
    },
    'RESTORED',
    options,
  );
  // A command also makes the embedded ClickHouse copy the definitions of tables, and tells whether a write has failed.
  await server.command('SELECT 1');
  return figures;
}

/** For this long a server may not answer while it works. */
const PATIENCE_MS = 60_000;

/**
 * A request that takes hours would break with its connection, so the engine works by itself and is asked how far it is.
 * With an id of ours, a request that the client repeats is refused and not carried out twice.
 */
async function run(
  server: ClickHouseServer,
  begin: string,
  settings: Readonly<Record<string, number>>,
  done: string,
  { progress, signal }: BackupOptions,
): Promise<BackupFigures> {
  const id = randomUUID();
  const list = [`id = '${id}'`, ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`)];
  try {
    await server.query(`${begin} SETTINGS ${list.join(', ')} ASYNC`);
  } catch (error) {
    // It may have begun all the same: the client repeats a statement whose connection is lost.
    if ((await findBackup(server, id).catch(() => undefined)) === undefined) throw error;
  }
  let answeredAt = performance.now();
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
    try {
      const row = await lookAt(server, id);
      answeredAt = performance.now();
      if (row.status === done) {
        return { bytes: Number(row.uncompressed_size), files: Number(row.num_files) };
      }
      if (/FAILED|CANCELLED/.test(row.status)) {
        throw new PermanentError(`ClickHouse at ${server.url}: ${row.error.split('\n')[0]}`);
      }
      progress?.({ doneBytes: Number(row.bytes_read), bytes: Number(row.total_size) });
    } catch (error) {
      if (!(error instanceof RetryableError) || performance.now() - answeredAt > PATIENCE_MS) throw error;
    }
    await delay(wait, undefined, signal && { signal }).catch(() => {});
    if (signal?.aborted) {
      await end(server, id);
      signal.throwIfAborted();
    }
  }
}

async function lookAt(server: ClickHouseServer, id: string): Promise<BackupRow> {
  const row = await findBackup(server, id);
  if (row !== undefined) return row;
  throw new PermanentError(`ClickHouse at ${server.url} was restarted meanwhile; start again`);
}

async function findBackup(server: ClickHouseServer, id: string): Promise<BackupRow | undefined> {
  const [row] = await server.query<BackupRow>(
    `SELECT status, error, num_files, total_size, uncompressed_size, bytes_read
     FROM system.backups WHERE id = {id:String}`,
    { parameters: { id } },
  );
  return row;
}

async function end(server: ClickHouseServer, id: string): Promise<void> {
  await server.command(
    'KILL QUERY WHERE query_id IN (SELECT query_id FROM system.backups WHERE id = {id:String}) SYNC',
    { parameters: { id } },
  );
}

/** The bytes of all messages, as they are on disk. */
export async function storedBytes(server: ClickHouseServer, database: string): Promise<number> {
  const [row] = await server.query<{ bytes: string }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = {database:String}',
    { parameters: { database } },
  );
  return Number(row?.bytes ?? 0);
}

/** How many messages there are, by table. */
export async function countMessages(
  server: ClickHouseServer,
  database: string,
): Promise<Readonly<Record<string, number>>> {
  const rows = await server.query<{ table: string; rows: string }>(
    `SELECT table, sum(rows) AS rows FROM system.parts WHERE active AND database = {database:String}
     GROUP BY table ORDER BY table`,
    { parameters: { database }, mustBeComplete: true },
  );
  return Object.fromEntries(rows.map(({ table, rows: count }) => [table, Number(count)]));
}
