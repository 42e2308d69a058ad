import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PermanentError, RetryableError, Secret } from '#core/index.ts';
import { useTestEngine } from '#testing/engine.ts';
import { eventually } from '#testing/eventually.ts';
import { UInt32Column } from '#testing/native-columns.ts';
import { createClickHouse } from './client.ts';
import { clickHouseErrorCode, isUnreachable } from './errors.ts';
import { createNativeBatch } from './native.ts';
import { type ClickHouseEndpoint, quoteIdentifier } from './server.ts';

const MEMORY_CAP = 1.2 * 10 ** 9;
const engine = useTestEngine({ maxMemoryBytes: MEMORY_CAP });

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** A client for the engine with some part of the address changed. */
async function as<Result>(
  changes: Partial<ClickHouseEndpoint>,
  use: (clickhouse: ReturnType<typeof createClickHouse>) => Promise<Result>,
): Promise<Result> {
  const clickhouse = createClickHouse([{ ...engine().engine.endpoint(), ...changes }]);
  try {
    return await use(clickhouse);
  } finally {
    await clickhouse.close();
  }
}

/** An address where nobody listens. */
async function deadEndpoint(): Promise<ClickHouseEndpoint> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { ...engine().engine.endpoint(), url: `http://127.0.0.1:${port}` };
}

function numbers(...values: number[]): Buffer {
  const batch = createNativeBatch({ n: new UInt32Column() });
  for (const value of values) {
    batch.columns.n.append(value);
    batch.endRow();
  }
  return batch.encode();
}

describe('permissions', () => {
  test('nobody but the working user with its password reaches the embedded server', async () => {
    const { clickhouse } = engine();
    await clickhouse.commandOnEach('CREATE TABLE private (n UInt32) ENGINE = MergeTree ORDER BY n');
    await clickhouse.servers[0]!.insertNative({ table: 'private', block: numbers(1) });
    for (const login of [
      { password: new Secret('wrong') },
      { username: 'admin' },
      // The user of the start statement has no password.
      { username: 'default', password: new Secret('') },
    ]) {
      await as(login, async (client) => {
        for (const sql of ['SELECT 1', 'SELECT * FROM test.private', 'SELECT * FROM system.processes']) {
          expect(String(await failure(client.query(sql))), sql).toContain('There is no handle');
        }
        for (const sql of ['DROP TABLE test.private', 'SYSTEM STOP LISTEN HTTP', 'SYSTEM SHUTDOWN']) {
          expect(String(await failure(client.commandOnEach(sql))), sql).toContain('There is no handle');
        }
      });
    }
    expect(await clickhouse.query('SELECT n FROM private')).toEqual([{ n: 1 }]);
  });

  test('not even the working user reads files, fetches addresses or stops the server', async () => {
    const { clickhouse } = engine();
    for (const sql of [
      "SELECT * FROM file('/etc/hostname', 'LineAsString')",
      "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
    ]) {
      expect(clickHouseErrorCode(await failure(clickhouse.query(sql)))).toBe(497);
    }
    expect(clickHouseErrorCode(await failure(clickhouse.commandOnEach('SYSTEM SHUTDOWN')))).toBe(497);
  });

  test('secrets on disk are for the owner only', () => {
    const folder = path.join(engine().dataDir, 'clickhouse');
    const modeOf = (name: string) => fs.statSync(path.join(folder, name)).mode & 0o777;
    expect([modeOf('.'), modeOf('password'), modeOf('engine.xml')]).toEqual([0o700, 0o600, 0o600]);
  });
});

test('a query that exceeds the memory limit fails with code 241, and the server keeps running', async () => {
  const { clickhouse, engine: embedded } = engine();
  const before = embedded.pid;
  const error = await failure(clickhouse.query('SELECT length(range(400000000)) AS n'));
  expect(error).toBeInstanceOf(RetryableError);
  expect(clickHouseErrorCode(error)).toBe(241);
  expect(isUnreachable(error)).toBe(false);
  expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(embedded.pid).toBe(before);
  expect(embedded.state).toBe('running');
});

test('the same token stores rows once, another one stores them again', async () => {
  const { clickhouse } = engine();
  await clickhouse.commandOnEach(`CREATE TABLE deduplicated (n UInt32) ENGINE = MergeTree ORDER BY n
    SETTINGS non_replicated_deduplication_window = 1000`);
  const insert = (deduplicationToken: string) =>
    clickhouse.servers[0]!.insertNative({ table: 'deduplicated', block: numbers(1, 2), deduplicationToken });
  await insert('a');
  await insert('a');
  expect(await clickhouse.query('SELECT count() AS n FROM deduplicated')).toEqual([{ n: '2' }]);
  await insert('b');
  expect(await clickhouse.query('SELECT count() AS n FROM deduplicated')).toEqual([{ n: '4' }]);
});

test('values reach the statement as values, whatever is in them', async () => {
  const nasty = "'); DROP TABLE x; -- \\ \n\t\0 🦀 {a:String}";
  const big = 'x'.repeat(100_000);
  const rows = await engine().clickhouse.query(
    'SELECT {nasty:String} AS nasty, length({big:String}) AS big, {list:Array(String)} AS list, {n:Int64} AS n',
    { parameters: { nasty, big, list: ["it's", ''], n: '-9223372036854775808' } },
  );
  expect(rows).toEqual([{ nasty, big: '100000', list: ["it's", ''], n: '-9223372036854775808' }]);
});

test('names reach the statement as names', async () => {
  const { clickhouse } = engine();
  const table = 'odd `name\\ \' " 🦀';
  await clickhouse.commandOnEach(`CREATE TABLE ${quoteIdentifier(table)} (n UInt32) ENGINE = Memory`);
  await clickhouse.servers[0]!.insertNative({ table, block: numbers(7) });
  expect(await clickhouse.query(`SELECT n FROM ${quoteIdentifier(table)}`)).toEqual([{ n: 7 }]);
});

test('settings of a statement are applied', async () => {
  const { clickhouse } = engine();
  const error = await failure(
    clickhouse.servers[0]!.command('CREATE TABLE never (n UInt32) ENGINE = Memory', {
      settings: { readonly: '2' },
    }),
  );
  expect(error).toBeInstanceOf(PermanentError);
});

test('a refused statement or block is permanent', async () => {
  const { clickhouse } = engine();
  await clickhouse.commandOnEach('CREATE TABLE strict (other UInt32) ENGINE = Memory');
  for (const work of [
    () => clickhouse.query('SELEKT 1'),
    () => clickhouse.query('SELECT * FROM nothing'),
    () => clickhouse.servers[0]!.insertNative({ table: 'nothing', block: numbers(1) }),
    () =>
      clickhouse.servers[0]!.insertNative({
        table: 'strict',
        block: numbers(1),
        settings: { input_format_skip_unknown_fields: 0 },
      }),
  ]) {
    expect(await failure(work())).toBeInstanceOf(PermanentError);
  }
});

test('an error in the middle of a result fails the query instead of cutting the result', async () => {
  const error = await failure(
    engine().clickhouse.query("SELECT throwIf(number = 150000, 'in the middle') FROM numbers(200000)"),
  );
  expect(clickHouseErrorCode(error)).toBe(395);
});

test('an aborted query rejects with the reason and is cancelled on the server', async () => {
  const { clickhouse } = engine();
  const reason = new Error('the user left');
  const stop = new AbortController();
  const queryId = randomUUID();
  const running = failure(
    clickhouse.query('SELECT sleepEachRow(1) FROM numbers(600) SETTINGS max_block_size = 1', {
      queryId,
      signal: stop.signal,
      settings: { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 },
    }),
  );
  const countRunning = async () => {
    const rows = await clickhouse.query<{ n: string }>(
      'SELECT count() AS n FROM system.processes WHERE query_id = {queryId:String}',
      { parameters: { queryId } },
    );
    return Number(rows[0]?.n);
  };
  await eventually(async () => expect(await countRunning()).toBe(1));
  stop.abort(reason);
  expect(await running).toBe(reason);
  await eventually(async () => expect(await countRunning()).toBe(0));
  expect(await failure(clickhouse.query('SELECT 1', { signal: stop.signal }))).toBe(reason);
});

describe('an unreachable server', () => {
  test('is a retryable error', async () => {
    const client = createClickHouse([await deadEndpoint()]);
    for (const work of [
      () => client.query('SELECT 1'),
      () => client.commandOnEach('SELECT 1'),
      () => client.servers[0]!.ping(),
      () => client.servers[0]!.insertNative({ table: 'x', block: numbers(1) }),
    ]) {
      const error = await failure(work());
      expect(error).toBeInstanceOf(RetryableError);
      expect(isUnreachable(error)).toBe(true);
    }
    await client.close();
  });

  test('is skipped by queries if there is another', async () => {
    const client = createClickHouse([await deadEndpoint(), engine().engine.endpoint()]);
    for (let turn = 0; turn < 4; turn++) expect(await client.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isUnreachable(await failure(client.commandOnEach('SELECT 1')))).toBe(true);
    await client.close();
  });

  test('is found again at its new address', async () => {
    let endpoint = await deadEndpoint();
    const client = createClickHouse(() => [endpoint]);
    expect(isUnreachable(await failure(client.query('SELECT 1')))).toBe(true);
    endpoint = engine().engine.endpoint();
    expect(await client.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await client.close();
  });
});
