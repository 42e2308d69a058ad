import type { Message } from '#core/index.ts';
import { createMessageBlock, createMessageTables, INSERT_SETTINGS } from '#storage/index.ts';
import type { TestClickHouse } from './clickhouse.ts';
import { testTarget } from './messages.ts';
import { createOldTable } from './old-tables.ts';

/** The node that stores them. A predicate that is compared with SQL has to know it: `gl2_source_node`. */
export const STORING_NODE_ID = 'node-1';

/** Stores messages in a table of their own, in several parts that have no index yet, as they arrive. */
export async function storeMessages(
  server: TestClickHouse,
  table: string,
  messages: readonly Message[],
  parts = 2,
): Promise<void> {
  await createMessageTables(server.clickhouse, server).ensure(table);
  const size = Math.ceil(messages.length / parts);
  for (let start = 0; start < messages.length; start += size) {
    await insertMessages(server, table, messages.slice(start, start + size));
  }
}

/**
 * Stores messages in a table of their own, as it is some time after an upgrade: in parts of the layout before, inserted
 * and merged, and in parts of the current layout, inserted and merged.
 */
export async function storeInEveryKindOfPart(
  server: TestClickHouse,
  table: string,
  messages: readonly Message[],
): Promise<void> {
  const { clickhouse } = server;
  await clickhouse.commandOnEach(createOldTable(table, 2));
  const quarter = (number: number) => messages.filter((_, position) => position % 4 === number);
  await insertMessages(server, table, quarter(0));
  await mergeParts(server, table);
  await insertMessages(server, table, quarter(1));
  await createMessageTables(clickhouse, server).ensure(table);
  await insertMessages(server, table, quarter(2));
  await insertMessages(server, table, quarter(3), 1);
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} PARTITION 1 FINAL`);
  const found = await clickhouse.query<{ levels: number[] }>(
    'SELECT arraySort(groupArray(level)) AS levels FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}',
    { parameters: { database: server.database, table } },
  );
  if (found[0]?.levels.join(' ') !== '0 0 1 1') {
    throw new Error(`the parts have the levels ${found[0]?.levels}`);
  }
}

export async function insertMessages(
  { clickhouse }: Pick<TestClickHouse, 'clickhouse'>,
  table: string,
  messages: readonly Message[],
  indexNumber = 0,
): Promise<void> {
  const block = createMessageBlock({ indexSetId: 'a', nodeId: STORING_NODE_ID });
  for (const message of messages) block.append(message, testTarget(['a'], message.streams));
  await clickhouse.servers[0]?.insertNative({
    table,
    block: block.encode(indexNumber),
    settings: INSERT_SETTINGS,
  });
}

/** One part for each index, with the indexes over the texts. */
export async function mergeParts({ clickhouse }: TestClickHouse, table: string): Promise<void> {
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
}

/** The same, in the form of large parts: a file for each of the fields that most messages have. */
export async function mergeIntoLargeParts(server: TestClickHouse, table: string): Promise<void> {
  await server.clickhouse.commandOnEach(
    `ALTER TABLE ${table} MODIFY SETTING min_rows_for_wide_part = 0, min_bytes_for_wide_part = 0`,
  );
  await mergeParts(server, table);
}
