import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedTestEngine, startTestShards } from '../../packages/server/src/testing/engine.ts';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import {
  startTestPostgres,
  type TestPostgres,
  whyNoPostgres,
} from '../../packages/server/src/testing/postgres.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode, temporaryDirectory } from '../support/node-process.ts';

const env = { ...KNOWN_PASSWORD, MILLRACE_PASSWORD_SECRET: 'the secret of both' };
const MESSAGES = 60;
/** Another one than that of the single node. */
const DATABASE = 'logs';

async function ended(command: NodeProcess, code: number): Promise<string> {
  expect((await command.exited()).code, command.output()).toBe(code);
  return command.output();
}

async function send(port: number, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const body = JSON.stringify({ version: '1.1', host: 'moves', short_message: `number ${n}`, _n: n });
    const { status } = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
    expect(status).toBe(202);
  }
}

describe.skipIf(whyNoPostgres() !== undefined)('millrace migrate', () => {
  let postgres: TestPostgres;
  let shards: StartedTestEngine[] = [];
  beforeAll(async () => {
    [postgres, shards] = await Promise.all([startTestPostgres(), startTestShards(2)]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(shards.map((shard) => shard.stop()));
    await postgres?.stop();
  });

  function uri(): string {
    return shards
      .map(({ engine }) => {
        const { url, username, password, nativePort } = engine.endpoint();
        const address = new URL(url);
        address.username = username;
        address.password = encodeURIComponent(password.reveal());
        return `${address.href.replace(/\/$/, '')}?native_port=${nativePort}`;
      })
      .join(', ');
  }

  async function stored(): Promise<number[][]> {
    return Promise.all(
      shards.map(async ({ clickhouse }) => {
        const tables = await clickhouse.query<{ name: string }>(
          `SELECT name FROM system.tables WHERE database = '${DATABASE}' AND startsWith(name, 'millrace_')`,
        );
        const rows = await Promise.all(
          tables.map(({ name }) =>
            clickhouse.query<{ n: number }>(
              `SELECT toUInt32(fields.n) AS n FROM ${DATABASE}.\`${name}\` WHERE source = 'moves'`,
            ),
          ),
        );
        return rows.flat().map(({ n }) => Number(n));
      }),
    );
  }

  test('a single node is moved to PostgreSQL and two shards, though the first attempt is killed', async () => {
    const clickhouse_cold_dir = path.join(temporaryDirectory(), 'cold');
    const node = startNode({ processing_workers: '1', clickhouse_cold_dir }, { env });
    const address = await node.ready();
    const port = await node.inputPort('GELF HTTP');
    const { index_sets } = (await callApi(address, 'GET', '/system/indices/index_sets')).body;
    const set = index_sets.find((each: { default: boolean }) => each.default);
    const count = async () => (await callApi(address, 'GET', '/count/total')).body.events;
    for (const half of [0, 1]) {
      const end = ((half + 1) * MESSAGES) / 2;
      await send(port, (half * MESSAGES) / 2, end);
      await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(end));
      if (half === 0) await callApi(address, 'POST', `/cluster/deflector/${set.id}/cycle`);
    }
    // What retention does with an index that is old enough.
    await askEngine(
      node.dataDir,
      `ALTER TABLE millrace.\`millrace_${set.id}\` MOVE PARTITION 0 TO VOLUME 'cold'`,
    );
    node.kill();
    await node.exited();
    expect(fs.readdirSync(clickhouse_cold_dir)).not.toEqual([]);

    const settings = {
      migrate_from: node.dataDir,
      metadata_uri: await postgres.createDatabase(),
      clickhouse_uri: uri(),
      clickhouse_database: DATABASE,
    };
    const dataDir = temporaryDirectory();
    const migrating = () => startNode(settings, { env, dataDir, command: 'migrate' });
    const first = migrating();
    await first.printed(/Index \d+ of \S+: \d+ messages/);
    first.kill('SIGKILL');
    await first.exited();

    const second = await ended(migrating(), 0);
    expect(second).toContain('were there already');
    expect(second).toContain('Migration complete');
    const found = await stored();
    expect(found.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: MESSAGES }, (_, n) => n));
    expect(found.every((numbers) => numbers.length > 0)).toBe(true);
    // Once more: everything is found to be there, and nothing is sent.
    expect(await ended(migrating(), 0)).not.toContain('messages, the same on both sides.');

    const other = { ...settings, metadata_uri: await postgres.createDatabase() };
    const refused = startNode(other, { env, command: 'migrate' });
    expect(await ended(refused, 1)).toContain('has messages already');
  }, 900_000);
});
