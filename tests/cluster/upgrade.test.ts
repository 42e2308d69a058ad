/** Nodes of a release and the next one beside each other, as while a cluster is upgraded node by node. */
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { createOldTable } from '../../packages/server/src/testing/old-tables.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { call, useCluster } from '../support/cluster.ts';
import type { NodeProcess } from '../support/node-process.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };
const TABLE = 'millrace_000000000000000000000001';

describe.skipIf(whyNoPostgres() !== undefined)('a cluster that is upgraded', () => {
  const cluster = useCluster();

  async function connect(database: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  async function comment(): Promise<string | undefined> {
    const [row] = await cluster.storage.clickhouse.query<{ comment: string }>(
      `SELECT comment FROM system.tables WHERE database = 'millrace' AND name = '${TABLE}'`,
    );
    return row?.comment;
  }

  /** Stores a message through this node, and finds it. */
  async function works(node: NodeProcess, text: string): Promise<void> {
    const address = await node.ready();
    const port = await node.inputPort('GELF HTTP');
    const body = JSON.stringify({ version: '1.1', host: 'upgrade', short_message: text });
    expect((await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body })).status).toBe(202);
    await eventually(async () => {
      const query = `/search/universal/relative?query=${text}&range=0`;
      expect((await call(address, 'GET', query)).total_results).toBe(1);
    }, PATIENCE);
  }

  test('nodes start together on old tables, go on when a newer node has changed them, and refuse what is too new', async () => {
    const database = await cluster.createDatabase();
    const { clickhouse } = cluster.storage;
    await clickhouse.commandOnEach('CREATE DATABASE IF NOT EXISTS millrace');
    await clickhouse.commandOnEach(createOldTable(`millrace.${TABLE}`, 1));

    const nodes = [cluster.start(database), cluster.start(database)];
    await Promise.all(nodes.map((node, index) => works(node, `together${index}`)));
    await eventually(async () => expect(await comment()).toMatch(/layout [^1]/), PATIENCE);
    const layout = Number(/\d+$/.exec((await comment()) ?? '')?.[0]);
    const client = await connect(database);
    const { rows } = await client.query('select version from schema_migrations order by version');
    expect(rows.map(({ version }) => Number(version))).toEqual(rows.map((_, index) => index + 1));

    // What a node of the next release does when it starts.
    await client.query('alter table streams add column from_the_next_release text');
    await client.query(
      `insert into schema_migrations (version, name, applied_at, release) values (${rows.length + 1}, 'next', 0, 2)`,
    );
    await clickhouse.commandOnEach(
      `ALTER TABLE millrace.${TABLE} ADD COLUMN from_the_next_release UInt8 DEFAULT 7`,
    );
    await clickhouse.commandOnEach(
      `ALTER TABLE millrace.${TABLE} MODIFY COMMENT 'millrace messages, layout ${layout + 1}'`,
    );
    await Promise.all(nodes.map((node, index) => works(node, `mixed${index}`)));
    const restarted = cluster.start(database);
    await works(restarted, 'restarted');
    expect(restarted.output()).toContain('a node of the next release has migrated the metadata schema');
    const { stream_id: streamId } = await call(await restarted.ready(), 'POST', '/streams', {
      title: 'Made by the older node',
      index_set_id: '000000000000000000000001',
    });
    expect(streamId).toMatch(/^[0-9a-f]+$/);

    await client.query('update schema_migrations set release = 3 where release = 2');
    const refused = cluster.start(database);
    expect((await refused.exited()).code).not.toBe(0);
    expect(refused.output()).toContain('newer by more than one release');
    await works(restarted, 'unharmed');
  });
});
