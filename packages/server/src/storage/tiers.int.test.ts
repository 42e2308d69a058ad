import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedTestEngine, startTestEngine, TEST_DATABASE } from '#testing/engine.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { createOldTable } from '#testing/old-tables.ts';
import { insertMessages } from '#testing/stored-messages.ts';
import { EMBEDDED_TIERS } from './embedded/index.ts';
import { backUpMessages, countMessages, restoreMessages } from './message-backup.ts';
import { createMessageTables } from './message-tables.ts';

/** The volume for old messages, on a real engine: a second directory. */

const TABLE = 'messages';
const coldDir = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-cold-'));
let running: StartedTestEngine;

beforeAll(async () => {
  running = await startTestEngine({ coldDir });
}, 180_000);
afterAll(async () => {
  await running.stop();
  fs.rmSync(coldDir, { recursive: true, force: true });
});

/** The same rows once more would count as a repeated insert. */
let offset = 0;
const newMessages = (count: number) =>
  Array.from({ length: count }, () => testMessage({ id: testMessageId(offset++), message: 'stored' }));

const tables = (tiers = true) =>
  createMessageTables(running.clickhouse, {
    database: TEST_DATABASE,
    ...(tiers && { tiers: EMBEDDED_TIERS }),
  });

async function disks(): Promise<Record<string, string>> {
  const rows = await running.clickhouse.query<{ partition: string; disk: string }>(
    `SELECT partition, arrayStringConcat(arraySort(groupUniqArray(disk_name)), ' ') AS disk FROM system.parts
     WHERE active AND database = '${TEST_DATABASE}' AND table = '${TABLE}' GROUP BY partition`,
  );
  return Object.fromEntries(rows.map(({ partition, disk }) => [partition, disk]));
}

async function count(where = '1'): Promise<number> {
  const rows = await running.clickhouse.query<{ n: string }>(
    `SELECT count() AS n FROM ${TABLE} WHERE ${where}`,
  );
  return Number(rows[0]?.n);
}

test('a table that was there gets the policy; an index is moved, searched, written to and dropped there', async () => {
  await tables(false).ensure(TABLE);
  const target = { ...running, database: TEST_DATABASE };
  for (const number of [0, 1]) {
    await insertMessages(target, TABLE, newMessages(50), number);
    await insertMessages(target, TABLE, newMessages(50), number);
  }
  await tables().ensure(TABLE);
  await tables().ensure(TABLE);
  expect(await tables(false).hotIndices()).toBeUndefined();
  expect(await tables().hotIndices()).toHaveLength(2);

  await tables().moveIndex(TABLE, 0);
  expect(await disks()).toEqual({ 0: 'cold', 1: 'default' });
  expect(await tables().hotIndices()).toEqual([{ table: TABLE, number: 1 }]);
  await tables().moveIndex(TABLE, 0);
  expect(await count()).toBe(200);
  expect(await count('index_number = 0')).toBe(100);
  // A late write is on the first disk, and follows with the next move.
  await insertMessages(target, TABLE, newMessages(1), 0);
  expect(await tables().hotIndices()).toHaveLength(2);
  await tables().moveIndex(TABLE, 0);
  expect((await disks())[0]).toBe('cold');
  expect(fs.readdirSync(coldDir)).not.toEqual([]);

  await running.engine.stop();
  running = await running.startAgain();
  expect(await count('index_number = 0')).toBe(101);
  expect((await tables().figures()).map(({ messages }) => messages).sort()).toEqual([100, 101]);
});

test('servers put their backups on a disk of their own, and read them from there', async () => {
  const [server] = running.clickhouse.servers;
  if (server === undefined) throw new Error('no server');
  const place = "Disk('cold', 'backups/one/1')";
  const made = await backUpMessages(server, { database: TEST_DATABASE, place });
  expect(made.files).toBeGreaterThan(0);
  const restored = { database: 'restored', from: TEST_DATABASE, place, addsToTables: false };
  await restoreMessages(server, restored);
  expect(await countMessages(server, 'restored')).toEqual({ [TABLE]: 201 });
  // What a replicated installation does: the tables are there, with another definition.
  await running.clickhouse.commandOnEach('CREATE DATABASE others');
  await createMessageTables(running.clickhouse, { database: 'others' }).ensure(TABLE);
  await restoreMessages(server, { ...restored, database: 'others', hasOwnTables: true });
  expect(await countMessages(server, 'others')).toEqual({ [TABLE]: 201 });
  // Two servers become one, of which one joined after an upgrade: its tables have granules of another size.
  await running.clickhouse.commandOnEach('CREATE DATABASE older');
  await running.clickhouse.commandOnEach(createOldTable(`older.${TABLE}`, 2));
  await createMessageTables(running.clickhouse, { database: 'older' }).ensure(TABLE);
  await restoreMessages(server, { ...restored, database: 'older', addsToTables: true });
  expect(await countMessages(server, 'older')).toEqual({ [TABLE]: 201 });
  await tables().dropIndex(TABLE, 0);
  expect(await disks()).toEqual({ 1: 'default' });
});
