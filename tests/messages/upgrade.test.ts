/**
 * An installation of an earlier version upgrades its message tables while messages come in. The node is killed as soon as
 * the upgrade has visibly begun, with messages in its journal that may or may not be stored, and is started again. Kills
 * after every single statement are in `storage/schema/migrations.int.test.ts`.
 */
import { expect, test } from 'vitest';
import { versionComment } from '../../packages/server/src/storage/schema/message-table.ts';
import { TABLE_MIGRATIONS } from '../../packages/server/src/storage/schema/migrations.ts';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { createOldTable } from '../../packages/server/src/testing/old-tables.ts';
import { type CrashLoad, startCrashLoad } from '../support/crash-load.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { ENGINE_PATIENCE } from '../support/killable-node.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const ACKNOWLEDGED_A_STEP = 200;
const NEWEST = TABLE_MIGRATIONS.at(-1)?.version ?? 0;
const TABLE = "database = 'millrace' AND name LIKE 'millrace\\_%'";

interface TableRow {
  readonly name: string;
  readonly comment: string;
  readonly sql: string;
}

/** The table of the default index set; waits for the engine and for the table. */
function tableOf(dataDir: string): Promise<TableRow> {
  return eventually(async () => {
    const [row] = await askEngine<TableRow>(
      dataDir,
      `SELECT name, comment, create_table_query AS sql FROM system.tables WHERE ${TABLE}`,
    );
    if (row === undefined) throw new Error('no table yet');
    return row;
  }, ENGINE_PATIENCE);
}

/** What the version before has: the same node with the table of that version, before the first message. */
async function becomeOld(dataDir: string, layout: 1 | 2): Promise<TableRow> {
  const { name } = await tableOf(dataDir);
  await askEngine(dataDir, `DROP TABLE millrace.${name} SYNC`);
  await askEngine(dataDir, createOldTable(`millrace.${name}`, layout));
  return tableOf(dataDir);
}

async function moreAcknowledged(load: CrashLoad): Promise<void> {
  const enough = load.acknowledged.size + ACKNOWLEDGED_A_STEP;
  await until(() => load.acknowledged.size >= enough, ENGINE_PATIENCE);
}

async function killed(node: NodeProcess): Promise<void> {
  node.kill('SIGKILL');
  await node.exited();
}

/** How often each text is stored. */
async function storedTexts(dataDir: string, table: string): Promise<ReadonlyMap<string, number>> {
  const rows = await askEngine<{ message: string; times: string }>(
    dataDir,
    `SELECT message, count() AS times FROM millrace.${table} GROUP BY message`,
  );
  return new Map(rows.map(({ message, times }) => [message, Number(times)]));
}

test.each([1, 2] as const)(
  'tables of layout %i are upgraded under load, with a kill in between: nothing is lost or stored twice',
  async (layout) => {
    const ports = { http: 0, tcp: 0 };
    const start = (dataDir?: string) =>
      startNode(
        { processing_workers: '2' },
        { env: KNOWN_PASSWORD, ...(dataDir !== undefined && { dataDir }) },
      );
    let node = start();
    const { dataDir } = node;
    await node.ready();
    ports.http = await node.inputPort('GELF HTTP');
    const old = await becomeOld(dataDir, layout);
    expect(old.comment).toBe(`millrace messages, layout ${layout}`);
    const load = startCrashLoad({ ports, httpSenders: 8, tcpConnections: 0, httpPauseMs: 5 });
    try {
      await moreAcknowledged(load);
      expect((await tableOf(dataDir)).comment).toBe(old.comment);
      await killed(node);

      // The first start of the new version, which ends as soon as the table is not the old one any more.
      node = start(dataDir);
      const listening = node.inputPort('GELF HTTP').then((port) => {
        ports.http = port;
      });
      await until(async () => (await tableOf(dataDir)).sql !== old.sql, {
        ...ENGINE_PATIENCE,
        intervalMs: 1,
      });
      await killed(node);
      await Promise.allSettled([listening]);

      node = start(dataDir);
      const address = await node.ready();
      ports.http = await node.inputPort('GELF HTTP');
      await moreAcknowledged(load);
      await load.stop();
      await until(async () => {
        const { status, body } = await callApi(address, 'GET', '/system/journal');
        return status === 200 && body.uncommitted_journal_entries === 0;
      }, ENGINE_PATIENCE);
      const upgraded = await tableOf(dataDir);
      expect(upgraded).toMatchObject({ name: old.name, comment: versionComment(NEWEST) });
      const stored = await storedTexts(dataDir, old.name);
      expect([...load.acknowledged].filter((text) => !stored.has(text))).toEqual([]);
      expect([...stored].filter(([, times]) => times > 1)).toEqual([]);
      expect(load.acknowledged.size).toBeGreaterThanOrEqual(2 * ACKNOWLEDGED_A_STEP);
    } finally {
      await load.stop();
      node.kill();
      await node.exited();
    }
  },
);
