/** Fills an empty metadata database with the lines of a dump (see dump.ts). */
import fs from 'node:fs';
import { type Kysely, sql, type TableMetadata } from 'kysely';
import { StartupError } from '#core/index.ts';
import { type DumpedLine, withDatabase } from './dump.ts';
import { migrations } from './migrations/registry.ts';
import { type Metadata, type MetadataDeps, openMetadata, parseMetadataUri } from './open.ts';
import type { Database } from './tables/index.ts';

/** A row has up to some twenty columns; SQLite takes 32 766 values in a statement. */
const ROWS_AT_ONCE = 200;
const SEQUENCE = 'sequence';

type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

interface Target {
  readonly db: AnyDatabase;
  readonly kind: Metadata['kind'];
  readonly tables: readonly TableMetadata[];
}

/** Rejects with a `StartupError` if this dump cannot be loaded there. Changes nothing. */
export async function requireLoadable(deps: MetadataDeps, uri: string, first: DumpedLine): Promise<void> {
  schemaOf(first);
  const target = parseMetadataUri(uri);
  if (target.kind === 'sqlite' && !fs.existsSync(target.path)) return;
  await withDatabase(deps, uri, requireEmpty);
}

/**
 * A dump of an older version is loaded into the tables of that version, which are then migrated. All or nothing:
 * after a failure the database is as empty as before. Resolves with the number of rows by table.
 */
export async function loadMetadata(
  deps: MetadataDeps,
  uri: string,
  lines: AsyncIterable<DumpedLine>,
): Promise<Readonly<Record<string, number>>> {
  const iterator = lines[Symbol.asyncIterator]();
  const { value: first } = await iterator.next();
  await requireLoadable(deps, uri, first);
  const metadata = await openMetadata(deps, { uri, migrations: migrations.slice(0, schemaOf(first)) });
  let loaded: Record<string, number>;
  try {
    const tables = await metadata.db.introspection.getTables();
    loaded = await metadata.transaction(({ db }) =>
      loadTables({ db: db as unknown as AnyDatabase, kind: metadata.kind, tables }, iterator),
    );
  } finally {
    await metadata.close();
  }
  const migrated = await openMetadata(deps, { uri });
  await migrated.close();
  return loaded;
}

function schemaOf(line: DumpedLine | undefined): number {
  if (line === undefined || !('schema' in line)) throw new Error('the dump does not say its schema version');
  if (line.schema <= migrations.length) return line.schema;
  throw new StartupError(
    `the backup has schema version ${line.schema}, but this program supports versions up to ${migrations.length}: a newer Millrace has made it`,
    'Restore it with that version.',
  );
}

/** Every node that has ever started has index sets. */
async function requireEmpty(db: Kysely<Database>): Promise<void> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'index_sets')) return;
  const found = await db.selectFrom('index_sets').select('id').limit(1).executeTakeFirst();
  if (found === undefined) return;
  throw new StartupError(
    'the metadata database is in use: there are index sets in it',
    'Restore into an empty one: set metadata_uri to another database, or give another data_dir.',
  );
}

async function loadTables(target: Target, lines: AsyncIterator<DumpedLine>): Promise<Record<string, number>> {
  const loaded: Record<string, number> = {};
  let current: { readonly table: string; readonly columns: readonly string[] } | undefined;
  let rows: (readonly unknown[])[] = [];
  const flush = async () => {
    if (current !== undefined && rows.length > 0) await insertRows(target, current, rows);
    rows = [];
  };
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value;
    if ('table' in line) {
      await flush();
      current = line;
      loaded[line.table] = 0;
      // Some tables have a first row from the beginning.
      await target.db.deleteFrom(line.table).execute();
    } else if (Array.isArray(line) && current !== undefined) {
      rows.push(line);
      loaded[current.table] = (loaded[current.table] ?? 0) + 1;
      if (rows.length >= ROWS_AT_ONCE) await flush();
    }
  }
  await flush();
  if (target.kind === 'postgres') await continueSequences(target, Object.keys(loaded));
  else if (loaded.inputs) await freeInputs(target);
  return loaded;
}

async function insertRows(
  { db, tables }: Target,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const known = tables.find(({ name }) => name === table);
  // SQLite says 0 and 1.
  const isBoolean = columns.map((column) =>
    /^bool/i.test(known?.columns.find(({ name }) => name === column)?.dataType ?? ''),
  );
  const values = rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => {
        const value = row[index];
        return [column, isBoolean[index] && value !== null ? Boolean(value) : value];
      }),
    ),
  );
  await db.insertInto(table).values(values).execute();
}

/** The only node of an SQLite is a new one: inputs of the old one would not start anywhere. */
async function freeInputs({ db }: Target): Promise<void> {
  await db.updateTable('inputs').set({ global: true, node_id: null }).where('global', '=', false).execute();
}

/** SQLite goes on after the highest number by itself. */
async function continueSequences({ db, tables }: Target, loaded: readonly string[]): Promise<void> {
  for (const { name, columns } of tables) {
    if (!loaded.includes(name) || !columns.some((column) => column.name === SEQUENCE)) continue;
    await sql`select setval(pg_get_serial_sequence(${name}, ${SEQUENCE}), max(${sql.ref(SEQUENCE)})) from ${sql.table(name)}`.execute(
      db,
    );
  }
}
