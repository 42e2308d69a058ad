/** Nodes that start at the same time, and nodes of two releases beside each other. */
import { expect, test } from 'vitest';
import { createTurn, type TakeTurn } from '#cluster/service.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createOldTable } from '#testing/old-tables.ts';
import type { ClickHouse } from '../clickhouse/index.ts';
import { createMessageTables } from '../message-tables.ts';
import { createMessageTable, MESSAGE_TABLE_VERSION, versionComment } from './message-table.ts';
import { TABLE_MIGRATIONS } from './migrations.ts';

const server = useTestClickHouse();

/** Remembers what is changed; `beforeChange` may hold a change up. */
function recording(beforeChange: () => Promise<void> = async () => {}) {
  const { clickhouse } = server();
  const changes: string[] = [];
  const recorded: ClickHouse = {
    ...clickhouse,
    servers: clickhouse.servers.map((each) => ({
      ...each,
      async command(sql, options) {
        if (sql.startsWith('ALTER')) {
          await beforeChange();
          changes.push(sql);
        }
        await each.command(sql, options);
      },
    })),
  };
  return { clickhouse: recorded, changes };
}

async function turnsOfNodes(clock: ManualClock): Promise<(nodeId: string) => TakeTurn> {
  const { leases } = (await openTestMetadata(clock)).repositories;
  const deps = { leases, clock, monotonic: clock };
  return (nodeId) => createTurn(deps, { name: 'message tables', nodeId, durationMs: 10_000, retryMs: 5 });
}

async function layoutOf(table: string): Promise<string | undefined> {
  const [row] = await server().clickhouse.query<{ comment: string }>(
    `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
  );
  return row?.comment;
}

/** What one node sends for a table of the first layout. */
const CHANGES = TABLE_MIGRATIONS.reduce((sum, { statements }) => sum + statements('t').length + 1, 0);

test('of nodes that start at the same time, one changes a table', async () => {
  const { clickhouse, database } = server();
  await clickhouse.commandOnEach(createOldTable('together', 1));
  const turnOf = await turnsOfNodes(new ManualClock());
  const nodes = ['a', 'b', 'c'].map((nodeId) => ({ ...recording(), takeTurn: turnOf(nodeId) }));
  await Promise.all(
    nodes.map((node) =>
      createMessageTables(node.clickhouse, { database, takeTurn: node.takeTurn }).ensure('together'),
    ),
  );
  expect(nodes.map(({ changes }) => changes.length).toSorted((a, b) => a - b)).toEqual([0, 0, CHANGES]);
  expect(await layoutOf('together')).toBe(versionComment(MESSAGE_TABLE_VERSION));
});

test('a node that stood still while another one took its turn changes nothing any more', async () => {
  const { clickhouse, database } = server();
  await clickhouse.commandOnEach(createOldTable('paused', 1));
  const clock = new ManualClock();
  const turnOf = await turnsOfNodes(clock);
  const paused = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const slow = recording(async () => {
    paused.resolve();
    await goesOn.promise;
  });
  const takeTurn = turnOf('slow');
  const first = createMessageTables(slow.clickhouse, { database, takeTurn }).ensure('paused');
  await paused.promise;
  clock.advance(30_000);
  const other = recording();
  await createMessageTables(other.clickhouse, { database, takeTurn: turnOf('other') }).ensure('paused');
  expect(other.changes).toHaveLength(CHANGES);
  goesOn.resolve();
  await expect(first).rejects.toThrow('another node may be changing');
  // The statement that it was sending: every one can be repeated.
  expect(slow.changes).toHaveLength(1);
  expect(await layoutOf('paused')).toBe(versionComment(MESSAGE_TABLE_VERSION));
});

test('a table of the next release is used as it is, one of a later release is refused', async () => {
  const { clickhouse, database } = server();
  await clickhouse.commandOnEach(createMessageTable(database, 'newer'));
  await clickhouse.commandOnEach('ALTER TABLE newer ADD COLUMN from_the_next_release UInt8 DEFAULT 7');
  const next = versionComment(MESSAGE_TABLE_VERSION + 1);
  await clickhouse.commandOnEach(`ALTER TABLE newer MODIFY COMMENT '${next}'`);
  const { changes, ...old } = recording();
  await createMessageTables(old.clickhouse, { database }).ensure('newer');
  expect(changes.filter((sql) => !sql.includes('MODIFY SETTING'))).toEqual([]);
  expect(await layoutOf('newer')).toBe(next);

  const later = versionComment(MESSAGE_TABLE_VERSION + 2);
  await clickhouse.commandOnEach(`ALTER TABLE newer MODIFY COMMENT '${later}'`);
  await expect(createMessageTables(old.clickhouse, { database }).ensure('newer')).rejects.toThrow(later);
});
