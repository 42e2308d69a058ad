import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { InvalidError, RetryableError, StartupError } from '#core/index.ts';
import { startCuttableProxy } from '#testing/cuttable-proxy.ts';
import { eventually } from '#testing/eventually.ts';
import { open } from '#testing/metadata-backend.ts';
import { startTestPostgres, type TestPostgres, whyNoPostgres } from '#testing/postgres.ts';
import { metadataSuite } from './metadata.suite.ts';

let server: TestPostgres;

async function startupError(uri: string): Promise<StartupError> {
  const error = await open(uri).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(StartupError);
  return error as StartupError;
}

describe.skipIf(whyNoPostgres())('PostgreSQL', () => {
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server?.stop());

  metadataSuite({
    kind: 'postgres',
    newDatabase: () => server.createDatabase(),
    migratedDatabase: () => server.migratedDatabase(),
  });

  test('postgresql:// is the same as postgres://', async () => {
    const uri = (await server.createDatabase()).replace('postgres://', 'postgresql://');
    expect((await open(uri)).kind).toBe('postgres');
  });

  test('text sorts by code point even if the database has a language collation', async () => {
    const uri = await server.createDatabase("locale_provider icu icu_locale 'en' template template0");
    const { db, repositories } = await open(uri);
    const { rows } = await sql<{
      first: string;
    }>`select min(x) as first from (values ('B'), ('a')) as t(x)`.execute(db);
    expect(rows).toEqual([{ first: 'a' }]);
    for (const key of ['a', 'B', '_']) await repositories.clusterSettings.set(key, 1);
    expect([...(await repositories.clusterSettings.listByPrefix('')).keys()]).toEqual(['B', '_', 'a']);
  });

  test('an unreachable server: the error names the address, never the password', async () => {
    const error = await startupError('postgres://anna:geheim%21@127.0.0.1:1/logs');
    expect(error.message).toContain('postgres://anna@127.0.0.1:1/logs');
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.whatToDo).toContain('server is running');
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toMatch(/geheim/);
  });

  test('wrong password, unknown user and unknown database are reported', async () => {
    const url = new URL(server.uri);
    url.password = 'wrong-one';
    const wrong = await startupError(url.href);
    expect(wrong.message).toContain('refused the user');
    expect(wrong.whatToDo).toContain('password in metadata_uri');
    expect(wrong.message).not.toContain('wrong-one');

    const missing = await startupError(server.uri.replace(/postgres$/, 'no_such'));
    expect(missing.message).toContain('no such database');
    expect(missing.whatToDo).toContain('createdb');
  });

  test('a database that cannot store every text is refused', async () => {
    const uri = await server.createDatabase(
      "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0",
    );
    const error = await startupError(uri);
    expect(error.message).toContain('LATIN1');
    expect(error.whatToDo).toContain('UTF8');
  });

  test('a user without privileges on the schema is refused', async () => {
    const uri = new URL(await server.createDatabase());
    await server.query("create role guest login password 'guest'");
    uri.username = 'guest';
    uri.password = 'guest';
    const error = await startupError(uri.href);
    expect(error.message).toContain('permission denied');
    expect(error.whatToDo).toContain('grant');
  });

  test('a lost connection is a retryable error, and the retry succeeds', async () => {
    const uri = await server.createDatabase();
    const { db, repositories } = await open(uri);
    const database = new URL(uri).pathname.slice(1);
    const running = sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
    let cut = 0;
    while (cut === 0) {
      const rows = await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database}' and query like '%pg_sleep%' and state = 'active'`,
      );
      cut = rows.length;
    }
    expect(await running).toBeInstanceOf(RetryableError);
    await repositories.clusterSettings.set('a', 1);
    expect(await repositories.clusterSettings.find('a')).toBe(1);
  });

  test('a connection lost inside a transaction: retryable error, nothing stored, pool intact', async () => {
    const uri = await server.createDatabase();
    const { db, repositories, transaction } = await open(uri);
    await expect(
      transaction(async (scope) => {
        await scope.repositories.clusterSettings.set('a', 1);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(scope.db);
        await server.query(`select pg_terminate_backend(${rows[0]?.pid})`);
        await scope.repositories.clusterSettings.set('b', 1);
      }),
    ).rejects.toBeInstanceOf(RetryableError);
    expect((await repositories.clusterSettings.listByPrefix('')).size).toBe(0);
    // More than the pool's size: the pool has lost no connection.
    await Promise.all(Array.from({ length: 30 }, () => sql`select 1`.execute(db)));
  });

  test('a server that allows no writes is unavailable, and used again once it does', async () => {
    const uri = await server.createDatabase();
    const database = new URL(uri).pathname.slice(1);
    const allowWrites = (allowed: boolean) =>
      server.query(
        `alter database ${database} set default_transaction_read_only = ${allowed ? 'off' : 'on'}`,
      );
    const { repositories } = await open(uri);
    await allowWrites(false);
    // The setting is one of new connections.
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await eventually(() => expect(repositories.clusterSettings.set('a', 1)).rejects.toThrow(/read-only/));
    await expect(repositories.clusterSettings.set('a', 1)).rejects.toBeInstanceOf(RetryableError);
    await allowWrites(true);
    await repositories.clusterSettings.set('a', 2);
    expect(await repositories.clusterSettings.find('a')).toBe(2);
  });

  test('a password that is no longer accepted is an unavailable server, until it is again', async () => {
    await server.query("create role rotated superuser login password 'old'");
    const uri = new URL(await server.createDatabase());
    uri.username = 'rotated';
    uri.password = 'old';
    const { repositories } = await open(uri.href);
    await server.query("alter role rotated password 'new'");
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotated'");
    await eventually(() =>
      expect(repositories.clusterSettings.find('a')).rejects.toThrow(/password authentication failed/),
    );
    await expect(repositories.clusterSettings.find('a')).rejects.toBeInstanceOf(RetryableError);
    await server.query("alter role rotated password 'old'");
    expect(await repositories.clusterSettings.find('a')).toBeUndefined();
  });

  test('text that is too long for an index is refused', async () => {
    const { lookupAdapters, lookupEntries } = (await open(await server.migratedDatabase())).repositories;
    const { id } = await lookupAdapters.insert({
      name: 'a',
      title: 'A',
      description: '',
      type: 'keyvalue',
      configuration: {},
    });
    // Nothing in it repeats: otherwise the server would compress it.
    const key = Array.from({ length: 1000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
    const stored = lookupEntries.change(id, key, () => ({ value: 'x', expiresAt: undefined }));
    await expect(stored).rejects.toBeInstanceOf(InvalidError);
    await expect(stored).rejects.toThrow(/too long/);
  });

  test('the server cancels a statement that takes too long', async () => {
    const { db, transaction } = await open(await server.createDatabase());
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
    expect(rows).toEqual([{ statement_timeout: '30s' }]);
    await expect(
      transaction(async (scope) => {
        await sql`set local statement_timeout = 20`.execute(scope.db);
        await sql`select pg_sleep(60)`.execute(scope.db);
      }),
    ).rejects.toBeInstanceOf(RetryableError);
  });

  test('a server that vanishes without a word: heartbeats give up soon, and go on when it is back', async () => {
    const proxy = await startCuttableProxy(() => Number(new URL(server.uri).port));
    onTestFinished(() => proxy.cut());
    const uri = new URL(await server.createDatabase());
    uri.port = String(proxy.port);
    const { repositories } = await open(uri.href);
    expect(await repositories.leases.acquire('leader', 'a', 60_000)).toBe(true);
    proxy.hang();
    await expect(repositories.leases.acquire('leader', 'a', 60_000)).rejects.toBeInstanceOf(RetryableError);
    // A new connection gets no answer either.
    await expect(repositories.nodes.listSeen()).rejects.toBeInstanceOf(RetryableError);
    await proxy.mend();
    expect(await repositories.leases.holder('leader')).toBe('a');
  });

  test('a server that stops while we run gives retryable errors', async () => {
    const own = await startTestPostgres();
    const { repositories } = await open(own.uri);
    await repositories.clusterSettings.set('a', 1);
    await own.stop();
    await expect(repositories.clusterSettings.find('a')).rejects.toBeInstanceOf(RetryableError);
  });
});
