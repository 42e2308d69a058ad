import type { Message } from '#core/index.ts';
import { createMessageBlock, createMessageTables, INSERT_SETTINGS } from '#storage/index.ts';
import type { TestClickHouse } from './clickhouse.ts';
import { testTarget } from './messages.ts';

/** Stores messages in a table of their own, in several parts that have no index yet, as they arrive. */
export async function storeMessages(
  { clickhouse, database }: TestClickHouse,
  table: string,
  messages: readonly Message[],
  parts = 2,
): Promise<void> {
  await createMessageTables(clickhouse, { database }).ensure(table);
  const size = Math.ceil(messages.length / parts);
  for (let start = 0; start < messages.length; start += size) {
    const block = createMessageBlock({ indexSetId: 'a', nodeId: 'node-1' });
    for (const message of messages.slice(start, start + size)) {
      block.append(message, testTarget(['a'], message.streams));
    }
    await clickhouse.servers[0]?.insertNative({ table, block: block.encode(0), settings: INSERT_SETTINGS });
  }
}

/** One part, with the index. */
export async function mergeParts({ clickhouse }: TestClickHouse, table: string): Promise<void> {
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
}
