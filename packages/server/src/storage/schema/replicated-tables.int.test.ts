import { expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import type { ClickHouse, ClickHouseServer, Replication } from '#storage/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createMessageTables } from '../message-tables.ts';
import { putBackMergeLimits } from '../new-parts.ts';
import { granuleOf } from './granule.ts';
import { createMessageTable, onEveryReplica } from './message-table.ts';
import { TABLE_MIGRATIONS } from './migrations.ts';

/** The statements for replicated tables. The embedded ClickHouse cannot run them, but it can read them. */

const opened = useTestClickHouse();
const CLUSTER: Replication = { cluster: "it's", insertQuorum: 2 };
const EACH: Replication = { insertQuorum: 0 };

/** A server that keeps its statements; its tables have the oldest layout. Without a definition it has no table yet. */
function recorder(
  url: string,
  statements: string[],
  definition: () => string | undefined = () => undefined,
): ClickHouseServer {
  const server: Partial<ClickHouseServer> = {
    url,
    async command(sql) {
      statements.push(`${url}: ${sql}`);
    },
    query: async <Row>(sql: string) => {
      if (!sql.includes('AS definition')) return laterAnswer(sql) as Row[];
      const known = definition();
      return (known === undefined ? [] : [{ definition: known }]) as Row[];
    },
  };
  return server as ClickHouseServer;
}

function laterAnswer(sql: string) {
  return sql.includes('engine_full')
    ? [{ name: 'messages' }]
    : [{ comment: 'millrace messages, layout 1', engine: 'ReplicatedMergeTree' }];
}

/** One shard with two replicas and one with a single server. */
function cluster(replication: Replication) {
  const statements: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((url) => recorder(url, statements));
  if (a === undefined || b === undefined || c === undefined) throw new Error('no servers');
  const servers = [{ ...a, replicas: [a, b], current: () => b }, c];
  const each = async (sql: string) => {
    for (const server of [a, b, c]) await server.command(sql);
  };
  const clickhouse = { servers, replication, commandOnEach: each } as unknown as ClickHouse;
  return { statements, tables: createMessageTables(clickhouse, { database: 'd' }) };
}

async function formatted(sql: string): Promise<string> {
  const [row] = await opened().clickhouse.query<{ text: string }>(
    'SELECT formatQuerySingleLine({sql:String}) AS text',
    { parameters: { sql: sql.replaceAll(/\{number:UInt32\}/g, '1') } },
  );
  return row?.text ?? '';
}

async function sent(replication: Replication): Promise<string[]> {
  const { statements, tables } = cluster(replication);
  await tables.createDatabase();
  await tables.ensure('messages');
  await tables.dropIndex('messages', 1);
  await tables.drop('messages');
  return statements;
}

test('every statement is one that ClickHouse understands', async () => {
  for (const replication of [CLUSTER, EACH]) {
    for (const statement of await sent(replication)) {
      const text = await formatted(statement.slice(3));
      expect(text.includes('ON CLUSTER'), text).toBe(
        replication === CLUSTER && !text.includes('DROP PARTITION'),
      );
    }
  }
});

test('tables are made, changed and dropped on every replica; an index is dropped on one of each shard', async () => {
  const statements = await sent(EACH);
  const on = (part: string) =>
    statements
      .filter((statement) => statement.includes(part))
      .map(([url]) => url)
      .join('');
  expect(on('CREATE DATABASE')).toBe('abc');
  expect(on('CREATE TABLE')).toBe('abc');
  expect(on('DROP TABLE')).toBe('abc');
  expect(on('DROP PARTITION')).toBe('ac');
  expect(
    on('MODIFY SETTING min_parts_to_merge_at_once = 20, max_bytes_to_merge_at_max_space_in_pool = 134217728'),
  ).toHaveLength(6);
  expect(on("MODIFY COMMENT 'millrace messages, layout 4'")).toBe('abc');
});

test('the layout is that of other tables, with a path in Keeper and tokens that are kept for a week', async () => {
  const text = await formatted(createMessageTable('d', 'messages', { replication: CLUSTER }));
  expect(text).toContain("CREATE TABLE IF NOT EXISTS d.messages ON CLUSTER `it's` (");
  expect(text).toContain(
    "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')",
  );
  expect(text).toContain('replicated_deduplication_window = 10000');
  expect(text).toContain('replicated_deduplication_window_seconds = 604800');
  const plain = await formatted(createMessageTable('d', 'messages'));
  const layout = (sql: string) => sql.slice(sql.indexOf('('), sql.indexOf(') ENGINE'));
  expect(layout(text)).toBe(layout(plain));
  const probe = createMessageTable('d', 'insert_probe', { replication: CLUSTER, isLocal: true });
  expect(await formatted(probe)).toContain(' ENGINE = MergeTree ');
});

test('a replica that joins gets the granules of the others, of whichever version they are', async () => {
  const statements: string[] = [];
  const old = 'ReplicatedMergeTree(…) SETTINGS old_parts_lifetime = 60, index_granularity = 2048';
  const away = () => {
    throw new RetryableError('it does not answer');
  };
  const replicas = [
    recorder('a', statements, away),
    recorder('b', statements),
    recorder('c', statements, () => old),
  ];
  const other = recorder('d', statements);
  const shard = { ...recorder('a', statements), replicas };
  const clickhouse = { servers: [shard, other], replication: EACH } as unknown as ClickHouse;
  await createMessageTables(clickhouse, { database: 'd' }).ensure('messages', [...replicas.slice(1), other]);
  const created = statements.filter((statement) => statement.includes('CREATE TABLE'));
  const granules = created.map(
    (sql) => /index_granularity = \d+, index_granularity_bytes = \d+/.exec(sql)?.[0],
  );
  const ofOld = 'index_granularity = 2048, index_granularity_bytes = 10485760';
  const current = 'index_granularity = 2048, index_granularity_bytes = 4194304';
  expect(granules).toEqual([ofOld, ofOld, current]);
  expect(granuleOf('MergeTree PARTITION BY index_number')).toEqual({ rows: 8192, bytes: 10_485_760 });
});

test('a table that is not replicated is refused when it should be, and used otherwise', async () => {
  const { clickhouse, database } = opened();
  await createMessageTables(clickhouse, { database }).ensure('plain');
  const tables = createMessageTables({ ...clickhouse, replication: EACH }, { database });
  await expect(tables.ensure('plain')).rejects.toThrow('is not replicated (MergeTree)');
});

test('changed limits are put back with ON CLUSTER', async () => {
  const statements: string[] = [];
  await putBackMergeLimits(recorder('a', statements), 'd', { replication: CLUSTER });
  expect(statements).toHaveLength(1);
  expect(await formatted(statements[0]?.slice(3) ?? '')).toContain(
    "d.messages ON CLUSTER `it's` (MODIFY SETTING",
  );
  for (const { statements: list } of TABLE_MIGRATIONS) {
    for (const sql of list(onEveryReplica('`d`.`t`', CLUSTER))) await formatted(sql);
  }
});
