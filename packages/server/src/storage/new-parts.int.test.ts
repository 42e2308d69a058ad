/** What is left of new parts is merged when intake pauses, and a kill at any point loses and doubles nothing. */
import { expect, test } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { startTestEngine, TEST_DATABASE, type TestEngine, useTestEngine } from '#testing/engine.ts';
import { eventually } from '#testing/eventually.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import type { ClickHouse, ClickHouseServer } from './clickhouse/index.ts';
import { createMessageBlock } from './message-block.ts';
import { createMessageTables } from './message-tables.ts';
import { createNewPartsMerge } from './new-parts.ts';
import { INSERT_SETTINGS, MERGE_LIMITS, settingsList } from './schema/message-table.ts';

const PATIENCE = { timeoutMs: 120_000, intervalMs: 50 };
const logger = createLogger({ level: 'silent' });
const engine = useTestEngine();
let tables = 0;

type Engine = Pick<TestEngine, 'clickhouse'>;

async function newTable({ clickhouse }: Engine): Promise<string> {
  const table = `new_parts_${++tables}`;
  await createMessageTables(clickhouse, { database: TEST_DATABASE }).ensure(table);
  return table;
}

/** One part of two messages, with a token that follows from its number. */
async function insert({ clickhouse }: Engine, table: string, number: number, index = 0): Promise<void> {
  const block = createMessageBlock({ indexSetId: 'a', nodeId: 'node-1' });
  for (const offset of [number * 2, number * 2 + 1]) {
    block.append(
      testMessage({ id: testMessageId(offset), message: `word${offset} refused` }),
      testTarget(['a']),
    );
  }
  await clickhouse.servers[0]?.insertNative({
    database: TEST_DATABASE,
    table,
    block: block.encode(index),
    settings: INSERT_SETTINGS,
    deduplicationToken: `token ${number}`,
  });
}

async function stateOf({ clickhouse }: Engine, table: string) {
  const [row] = await clickhouse.query<{ rows: string; ids: string; levels: number[]; limits: number }>(
    `SELECT count() AS rows, uniqExact(id) AS ids,
       (SELECT arraySort(groupArray(level)) FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}) AS levels,
       (SELECT countSubstrings(engine_full, {limits:String}) FROM system.tables WHERE database = {database:String} AND name = {table:String}) AS limits
     FROM ${table}`,
    { parameters: { database: TEST_DATABASE, table, limits: settingsList(MERGE_LIMITS) } },
  );
  return {
    rows: Number(row?.rows),
    ids: Number(row?.ids),
    levels: row?.levels,
    hasUsualLimits: Number(row?.limits) === 1,
  };
}

function mergeOf(clickhouse: ClickHouse) {
  return createNewPartsMerge(
    { clickhouse: () => clickhouse, logger },
    { database: TEST_DATABASE, pauseSeconds: 0 },
  );
}

test('what is left of new parts is merged, and merged parts are left alone', async () => {
  const table = await newTable(engine());
  const merge = mergeOf(engine().clickhouse);
  for (let number = 0; number < 3; number++) await insert(engine(), table, number);
  await merge.run();
  expect(await stateOf(engine(), table)).toEqual({ rows: 6, ids: 6, levels: [1], hasUsualLimits: true });

  await insert(engine(), table, 3);
  await merge.run();
  expect((await stateOf(engine(), table)).levels).toEqual([0, 1]);
});

test('each index has its new parts merged', async () => {
  const table = await newTable(engine());
  for (let number = 0; number < 3; number++) {
    await insert(engine(), table, number, 0);
    await insert(engine(), table, number + 10, 1);
  }
  await mergeOf(engine().clickhouse).run();
  expect(await stateOf(engine(), table)).toEqual({ rows: 12, ids: 12, levels: [1, 1], hasUsualLimits: true });
});

test('a table with a recent insert is left alone', async () => {
  const table = await newTable(engine());
  for (let number = 0; number < 3; number++) await insert(engine(), table, number);
  const { clickhouse } = engine();
  const database = TEST_DATABASE;
  await createNewPartsMerge({ clickhouse: () => clickhouse, logger }, { database, pauseSeconds: 600 }).run();
  expect((await stateOf(engine(), table)).levels).toEqual([0, 0, 0]);
});

test('parts that cannot be merged are tried once', async () => {
  const table = await newTable(engine());
  await insert(engine(), table, 0);
  await insert(engine(), table, 1);
  const commands: string[] = [];
  // As if larger parts lay between them: nothing is merged.
  const clickhouse = watched(engine().clickhouse, (sql) => {
    commands.push(sql);
    return !sql.startsWith('OPTIMIZE');
  });
  const merge = mergeOf(clickhouse);
  await merge.run();
  expect(commands.filter((sql) => sql.includes(table)).length).toBe(3);
  await merge.run();
  expect(commands.filter((sql) => sql.includes(table)).length).toBe(3);
  await insert(engine(), table, 2);
  await merge.run();
  expect(commands.filter((sql) => sql.includes(table)).length).toBe(6);
});

/** Passes on only those commands for which `passes` returns true. */
function watched(clickhouse: ClickHouse, passes: (sql: string) => boolean): ClickHouse {
  const servers = clickhouse.servers.map(
    (server): ClickHouseServer => ({
      ...server,
      url: server.url,
      command: async (sql, options) => {
        if (passes(sql)) await server.command(sql, options);
      },
    }),
  );
  return { ...clickhouse, servers, present: async () => servers };
}

test.each([0, 1, 2, 3])('node and engine are killed after %i statements of the merge', async (statements) => {
  let running = await startTestEngine();
  try {
    const table = await newTable(running);
    for (let number = 0; number < 5; number++) await insert(running, table, number);
    let sent = 0;
    // A node that is dead sends nothing more, whatever its code would do next.
    const dying = watched(running.clickhouse, (sql) => {
      if (sent === statements) throw new Error('killed');
      sent += 1;
      return sql !== '';
    });
    await mergeOf(dying)
      .run()
      .catch(() => {});
    expect(sent).toBe(statements);
    process.kill(running.engine.pid ?? 0, 'SIGKILL');
    await running.engine.stop();
    running = await running.startAgain();

    await createMessageTables(running.clickhouse, { database: TEST_DATABASE }).ensure(table);
    for (let number = 0; number < 6; number++) await insert(running, table, number);
    expect(await stateOf(running, table)).toMatchObject({ rows: 12, ids: 12, hasUsualLimits: true });
    await mergeOf(running.clickhouse).run();
    expect(await stateOf(running, table)).toMatchObject({ rows: 12, ids: 12, hasUsualLimits: true });
  } finally {
    await running.stop();
  }
});

test('an engine that is killed in the middle of the merge, with inserts beside it', async () => {
  const running = await startTestEngine();
  try {
    const table = await newTable(running);
    const rows = 400_000;
    const fill = (part: number) =>
      running.clickhouse.servers[0]?.command(
        `INSERT INTO ${table} (timestamp, received_at, id_offset, text)
         SELECT number, number, number + ${part * rows}, concat('row ', toString(rand64(number))) FROM numbers(${rows})`,
        { settings: INSERT_SETTINGS },
      );
    for (let part = 10; part < 13; part++) await fill(part);
    const merge = mergeOf(running.clickhouse);
    const first = merge.run();
    first.catch(() => {});
    await eventually(
      async () => {
        const [row] = await running.clickhouse.query<{ n: string }>('SELECT count() AS n FROM system.merges');
        expect(Number(row?.n)).toBeGreaterThan(0);
      },
      { ...PATIENCE, intervalMs: 5 },
    );
    await insert(running, table, 0);
    process.kill(running.engine.pid ?? 0, 'SIGKILL');
    await first.catch(() => {});

    await eventually(() => insert(running, table, 0), PATIENCE);
    await eventually(() => merge.run(), PATIENCE);
    await eventually(async () => {
      expect(await stateOf(running, table)).toMatchObject({
        rows: 3 * rows + 2,
        ids: 3 * rows + 2,
        hasUsualLimits: true,
      });
    }, PATIENCE);
  } finally {
    await running.stop();
  }
});
