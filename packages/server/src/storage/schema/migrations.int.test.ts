/** An upgrade of existing tables: killed at any point, resumed, and searchable all the time. */
import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { createOldTable } from '#testing/old-tables.ts';
import type { ClickHouse } from '../clickhouse/index.ts';
import { createMessageBlock } from '../message-block.ts';
import { createMessageTables } from '../message-tables.ts';
import { createMessageTable, INSERT_SETTINGS } from './message-table.ts';
import { TABLE_MIGRATIONS } from './migrations.ts';
import { filteredWordsHint } from './text-index.ts';

const server = useTestClickHouse();
const LAYOUTS = [1, 2] as const;

async function insert(table: string, number: number): Promise<void> {
  const block = createMessageBlock({ indexSetId: 'a', nodeId: 'node-1' });
  const message = testMessage({ id: testMessageId(number), message: `Order a${10_000 + number} refused` });
  block.append(message, testTarget(['a']));
  await server().clickhouse.servers[0]?.insertNative({
    table,
    block: block.encode(0),
    settings: INSERT_SETTINGS,
    deduplicationToken: `token ${number}`,
  });
}

/** How many messages there are, and how many of them the searches find. */
async function figures(table: string): Promise<number[]> {
  const conditions = [
    '1',
    "hasAllTokens(text, ['refused'])",
    "NOT endsWith(_part, '_0') AND hasAllTokens(text, ['order']) OR endsWith(_part, '_0') AND hasToken(lowerUTF8(text), 'order')",
    `${filteredWordsHint('all', "['a10001']")} AND hasToken(lowerUTF8(text), 'a10001')`,
    'timestamp >= fromUnixTimestamp64Milli(0)',
  ];
  const columns = conditions.map((where, n) => `(SELECT count() FROM ${table} WHERE ${where}) AS c${n}`);
  const [row] = await server().clickhouse.query<Record<string, string>>(
    `SELECT ${columns.join(', ')}, (SELECT uniqExact(id) FROM ${table}) AS ids`,
  );
  return Object.values(row ?? {}).map(Number);
}

/** A node that is killed before its `last`th statement sends nothing more. */
function killedAfter(statements: number): { readonly clickhouse: ClickHouse; readonly sent: () => number } {
  const { clickhouse } = server();
  let sent = 0;
  return {
    sent: () => sent,
    clickhouse: {
      ...clickhouse,
      servers: clickhouse.servers.map((each) => ({
        ...each,
        async command(sql, options) {
          if (sent === statements) throw new Error('killed');
          sent += 1;
          await each.command(sql, options);
        },
      })),
    },
  };
}

/** What makes up a layout, as the engine says it. */
async function layoutOf(table: string): Promise<string[]> {
  const [row] = await server().clickhouse.query<{
    sql: string;
  }>(`SELECT create_table_query AS sql FROM system.tables
     WHERE database = currentDatabase() AND name = '${table}'`);
  // New indexes and settings are at the end of their lists; granules cannot be changed.
  return (row?.sql ?? '')
    .replace(table, '')
    .replace(/, index_granularity(?:_bytes)? = \d+/g, '')
    .split(/, (?=INDEX |\w+ = \d)|\) ENGINE|SETTINGS (?=non_)| (?=COMMENT )/)
    .sort();
}

test.each(LAYOUTS)(
  'a table of layout %i, killed after every statement',
  async (layout) => {
    const { clickhouse, database } = server();
    const all = TABLE_MIGRATIONS.filter(({ version }) => version > layout);
    // CREATE TABLE IF NOT EXISTS comes first, and the comment with the version after each migration.
    const statements = all.reduce((sum, each) => sum + each.statements('t').length + 1, 1);
    const fresh = `fresh_${layout}`;
    await clickhouse.commandOnEach(createMessageTable(database, fresh));
    for (let killed = 0; killed < statements; killed++) {
      const table = `layout_${layout}_killed_${killed}`;
      await clickhouse.commandOnEach(createOldTable(table, layout));
      await insert(table, 0);
      await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
      await insert(table, 1);
      const dying = killedAfter(killed);
      await expect(createMessageTables(dying.clickhouse, { database }).ensure(table)).rejects.toThrow(
        'killed',
      );
      expect(dying.sent()).toBe(killed);
      expect(await figures(table)).toEqual([2, 2, 2, 1, 2, 2]);

      await insert(table, 1);
      await insert(table, 2);
      await createMessageTables(clickhouse, { database }).ensure(table);
      for (const again of [0, 1, 2, 3]) await insert(table, again);
      expect(await figures(table)).toEqual([4, 4, 4, 1, 4, 4]);
      expect(await layoutOf(table)).toEqual(await layoutOf(fresh));
      await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
      expect(await figures(table)).toEqual([4, 4, 4, 1, 4, 4]);
    }
  },
  600_000,
);
