/**
 * The metadata database as lines of JSON, for a backup. They say the same whatever the kind of database, so they can be
 * loaded into the other one (see load.ts):
 *
 *   {"schema":23}
 *   {"table":"users","columns":["id","username",…]}
 *   ["5f0c…","alice",…]
 *
 * A table stands after those it refers to. Everything is of one moment; nodes go on writing meanwhile.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { Kysely, sql } from 'kysely';
import { StartupError } from '#core/index.ts';
import type { DatabaseKind } from './columns.ts';
import { migrations } from './migrations/registry.ts';
import { type MetadataDeps, parseMetadataUri } from './open.ts';
import { checkPostgres, createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Database } from './tables/index.ts';

type Value = string | number | boolean | null;
export type DumpedLine =
  | { readonly schema: number }
  | { readonly table: string; readonly columns: readonly string[] }
  | readonly Value[];

/** Left out is what belongs to the nodes that run now: who they are, what they lead, who is logged in. */
const TABLES: Readonly<Record<keyof Database, 'dumped' | 'left out'>> = {
  schema_migrations: 'left out',
  nodes: 'left out',
  leases: 'left out',
  sessions: 'left out',
  cluster_settings: 'dumped',
  users: 'dumped',
  roles: 'dumped',
  user_roles: 'dumped',
  access_tokens: 'dumped',
  audit_log: 'dumped',
  system_messages: 'dumped',
  notifications: 'dumped',
  traffic: 'dumped',
  inputs: 'dumped',
  input_static_fields: 'dumped',
  extractors: 'dumped',
  streams: 'dumped',
  stream_rules: 'dumped',
  index_sets: 'dumped',
  indices: 'dumped',
  index_set_fields: 'dumped',
  index_version: 'dumped',
  stream_fields: 'dumped',
  indices_without_stream_fields: 'dumped',
  saved_searches: 'dumped',
  search_history: 'dumped',
  view_searches: 'dumped',
  alert_notifications: 'dumped',
  alert_notices: 'dumped',
  alert_deliveries: 'dumped',
  alert_delivery_attempts: 'dumped',
  alert_rules: 'dumped',
  alert_rule_states: 'dumped',
  alerts: 'dumped',
  outputs: 'dumped',
  stream_outputs: 'dumped',
  pipeline_rules: 'dumped',
  pipelines: 'dumped',
  pipeline_connections: 'dumped',
  grok_patterns: 'dumped',
  lookup_caches: 'dumped',
  lookup_adapters: 'dumped',
  lookup_tables: 'dumped',
  lookup_entries: 'dumped',
};

const CHUNK = 500;

/** Index sets have a table of their own for their messages. */
export function readIndexSetIds(deps: MetadataDeps, uri: string): Promise<string[]> {
  return withDatabase(deps, uri, async (db) => {
    await requireOwnSchema(db);
    const rows = await db.selectFrom('index_sets').select('id').execute();
    return rows.map(({ id }) => id);
  });
}

/** Calls `write` with each line in turn. Rejects with a `StartupError` if the database is of another version. */
export async function dumpMetadata(
  deps: MetadataDeps,
  uri: string,
  write: (line: DumpedLine) => Promise<void>,
): Promise<void> {
  await withDatabase(deps, uri, async (db, kind) => {
    const begin = kind === 'sqlite' ? sql`begin` : sql`begin isolation level repeatable read read only`;
    await begin.execute(db);
    try {
      await write({ schema: await requireOwnSchema(db) });
      for (const [table, what] of Object.entries(TABLES)) {
        if (what === 'dumped') await dumpTable(db, kind, table as keyof Database, write);
      }
    } finally {
      // Nothing was written. Without the connection there is nothing to end, and the first error counts.
      await sql`rollback`.execute(db).catch(() => {});
    }
  });
}

/** The rows of one table of a dump. */
export async function recordsOf(
  lines: AsyncIterable<DumpedLine>,
  table: keyof Database,
): Promise<Readonly<Record<string, Value>>[]> {
  const records: Record<string, Value>[] = [];
  let columns: readonly string[] | undefined;
  for await (const line of lines) {
    if ('table' in line) columns = line.table === table ? line.columns : undefined;
    else if (Array.isArray(line) && columns !== undefined) {
      const row: readonly Value[] = line;
      records.push(Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
    }
  }
  return records;
}

async function dumpTable(
  db: Kysely<Database>,
  kind: DatabaseKind,
  table: keyof Database,
  write: (line: DumpedLine) => Promise<void>,
): Promise<void> {
  let columns: string[] | undefined;
  for await (const row of rowsOf(db, kind, table)) {
    if (columns === undefined) {
      columns = Object.keys(row);
      await write({ table, columns });
    }
    await write(Object.values(row));
  }
}

async function* rowsOf(
  db: Kysely<Database>,
  kind: DatabaseKind,
  table: keyof Database,
): AsyncGenerator<Record<string, Value>> {
  if (kind === 'sqlite') {
    yield* db.selectFrom(table).selectAll().stream() as AsyncIterable<Record<string, Value>>;
    return;
  }
  await sql`declare dumped no scroll cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Record<string, Value>>`fetch ${sql.lit(CHUNK)} from dumped`.execute(db);
    yield* rows;
    if (rows.length === 0) break;
  }
  await sql`close dumped`.execute(db);
}

/** One connection to a database as it is: nothing is migrated, because a node may be running on it. */
export async function withDatabase<T>(
  { logger }: MetadataDeps,
  uri: string,
  work: (db: Kysely<Database>, kind: DatabaseKind) => Promise<T>,
): Promise<T> {
  const target = parseMetadataUri(uri);
  if (target.kind === 'sqlite' && !fs.existsSync(target.path)) {
    throw new StartupError(
      `there is no metadata database ${target.path}`,
      'Give data_dir and metadata_uri as the node has them.',
    );
  }
  const scope = new AsyncLocalStorage<{ open: boolean }>();
  if (target.kind === 'postgres') await checkPostgres(target.uri);
  const db = new Kysely<Database>({
    dialect:
      target.kind === 'sqlite'
        ? createSqliteDialect(target.path, scope)
        : createPostgresDialect(logger, target.uri, 'migration', scope),
  });
  try {
    return await db.connection().execute((connection) => work(connection, target.kind));
  } finally {
    await db.destroy();
  }
}

async function requireOwnSchema(db: Kysely<Database>): Promise<number> {
  const tables = await db.introspection.getTables();
  const found = tables.some(({ name }) => name === 'schema_migrations')
    ? await db
        .selectFrom('schema_migrations')
        .select((expression) => expression.fn.max('version').as('version'))
        .executeTakeFirst()
    : undefined;
  const version = found?.version ?? 0;
  if (version === migrations.length) return version;
  throw new StartupError(
    `the metadata database has schema version ${version}, and this program has version ${migrations.length}`,
    'Back up with the version of Millrace that runs, or start this version once: it brings the database up to date.',
  );
}
