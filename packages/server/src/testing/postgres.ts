import pg from 'pg';
import { onTestFinished } from 'vitest';
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** A PostgreSQL server that belongs to one test file: real, on a loopback port, gone when the file is done. */
export interface TestPostgres {
  /** The server's first database, as its superuser. */
  readonly uri: string;
  /** Makes an empty database and gives its address. `options` is SQL after `create database <name>`. */
  createDatabase(options?: string): Promise<string>;
  /**
   * Like `createDatabase`, for tests that start from the program's schema without changing it. A database is emptied and
   * used again when the test that had it is over: creating and migrating one takes a quarter of a second.
   */
  migratedDatabase(): Promise<string>;
  /** Runs SQL as the superuser, in the first database. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/**
 * Why PostgreSQL tests cannot run here, or undefined when they can. For `describe.skipIf`: on a developer's
 * machine the tests are left out with this reason; in CI a missing server is a failure.
 */
export function whyNoPostgres(): string | undefined {
  if (findPostgresPrograms()) return undefined;
  const reason = 'PostgreSQL is not installed (Debian package: postgresql), its tests do not run';
  if (process.env.CI === 'true') throw new Error(reason);
  process.stderr.write(`${reason}\n`);
  return reason;
}

async function queryDatabase(uri: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: uri });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** All rows but the record of migrations. */
const EMPTY_ALL_TABLES = `do $$ begin execute (
  select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
  from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'); end $$`;

export async function startTestPostgres(): Promise<TestPostgres> {
  return createHandle(await startPostgresServer());
}

function createHandle({ uri: address, stop }: PostgresServer): TestPostgres {
  const query = (sql: string) => queryDatabase(address('postgres'), sql);
  const unused: string[] = [];
  let databases = 0;
  async function createDatabase(options = ''): Promise<string> {
    databases += 1;
    await query(`create database test_${databases} ${options}`);
    return address(`test_${databases}`);
  }
  return {
    uri: address('postgres'),
    query,
    createDatabase,
    async migratedDatabase() {
      const used = unused.pop();
      const uri = used ?? (await createDatabase());
      onTestFinished(() => void unused.push(uri));
      if (used !== undefined) await queryDatabase(used, EMPTY_ALL_TABLES);
      return uri;
    },
    stop,
  };
}
