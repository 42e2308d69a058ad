import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { useCluster } from '../support/cluster.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode, temporaryDirectory } from '../support/node-process.ts';

/** Up to ten starts of a node in a test: on a machine with other work they take minutes. */
const TIMEOUT_MS = 900_000;

const env = { ...KNOWN_PASSWORD, MILLRACE_PASSWORD_SECRET: 'the secret of the first installation' };

async function send(port: number, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    const body = JSON.stringify({
      version: '1.1',
      host: 'backup',
      short_message: `number ${number}`,
      _n: number,
    });
    const { status } = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
    expect(status).toBe(202);
  }
}

async function numbers(address: string): Promise<number[]> {
  const { body } = await callApi(
    address,
    'GET',
    '/search/universal/relative?query=source:backup&range=0&limit=5000&fields=n',
  );
  return body.messages
    .map(({ message }: { message: { n: number } }) => message.n)
    .sort((a: number, b: number) => a - b);
}

async function succeeded(command: NodeProcess): Promise<string> {
  expect(await command.exited(), command.output()).toEqual({ code: 0, signal: null });
  return command.output();
}

async function refused(command: NodeProcess): Promise<string> {
  expect((await command.exited()).code, command.output()).toBe(1);
  return command.output();
}

describe('millrace backup and restore', { timeout: TIMEOUT_MS }, () => {
  test('a backup under load brings back what was stored when it began, and everything that was set up', async () => {
    const backups = temporaryDirectory();
    // Its tables name a storage policy that the one that is restored does not have.
    const clickhouse_cold_dir = path.join(temporaryDirectory(), 'cold');
    const node = startNode({ backup_dir: backups, processing_workers: '1', clickhouse_cold_dir }, { env });
    const address = await node.ready();
    const port = await node.inputPort('GELF HTTP');
    const user = {
      username: 'vera',
      password: 'a long password',
      first_name: 'Vera',
      last_name: 'V',
      email: 'v@example.org',
      permissions: [],
      roles: ['Reader'],
    };
    expect((await callApi(address, 'POST', '/users', user)).status).toBe(201);
    const [indexSet] = (await callApi(address, 'GET', '/system/indices/index_sets')).body.index_sets;
    const stream = { title: "Vera's", description: '', rules: [], index_set_id: indexSet.id };
    const streamId = (await callApi(address, 'POST', '/streams', stream)).body.stream_id;
    const input = {
      title: 'of this node',
      type: 'gelf-tcp',
      global: false,
      node: (await callApi(address, 'GET', '/system')).body.node_id,
      configuration: { bind_address: '127.0.0.1', port: 0 },
    };
    expect((await callApi(address, 'POST', '/system/inputs', input)).status).toBe(201);
    await send(port, 0, 300);
    await eventually(async () => expect(await numbers(address)).toHaveLength(300));

    const load = send(port, 300, 600);
    const output = await succeeded(
      startNode({ backup_dir: backups }, { env, dataDir: node.dataDir, command: 'backup' }),
    );
    await load;
    const [, folder = ''] = /Backup complete: (.+)/.exec(output) ?? [];
    expect(fs.readdirSync(backups)).toEqual([path.basename(folder)]);
    expect(fs.statSync(folder).mode & 0o077).toBe(0);
    node.kill('SIGKILL');
    await node.exited();

    const restoring = startNode({ restore_from: folder }, { env, command: 'restore' });
    await succeeded(restoring);
    expect(restoring.output()).not.toContain('password_secret');
    expect(restoring.output()).toContain('The storage policy of the backup does not exist here');
    const restored = startNode({}, { env, dataDir: restoring.dataDir });
    const restoredAddress = await restored.ready();
    const found = await eventually(async () => {
      const all = await numbers(restoredAddress);
      expect(all.length).toBeGreaterThanOrEqual(300);
      return all;
    });
    expect(found).toEqual(Array.from({ length: found.length }, (_, number) => number));
    expect((await callApi(restoredAddress, 'GET', `/streams/${streamId}`)).body).toMatchObject({
      title: "Vera's",
    });
    const vera = await fetch(`${restoredAddress}/api/system/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-by': 'test' },
      body: JSON.stringify({ username: 'vera', password: 'a long password', host: '' }),
    });
    expect(vera.status).toBe(200);
    // The node is another one, and has the input of the old one all the same.
    await eventually(async () => {
      const { states } = (await callApi(restoredAddress, 'GET', '/system/inputstates')).body;
      const found = states.find(
        ({ message_input: { title } }: { message_input: { title: string } }) => title === input.title,
      );
      expect(found?.state).toBe('RUNNING');
    });
    // It goes on from there: nothing that comes now is taken for what it has.
    await send(await restored.inputPort('GELF HTTP'), found.length, found.length + 50);
    await eventually(async () => expect(await numbers(restoredAddress)).toHaveLength(found.length + 50));
    restored.kill();
    await restored.exited();

    // A node that does not run is backed up as well, by itself.
    const again = await succeeded(
      startNode({ backup_dir: backups }, { env, dataDir: restoring.dataDir, command: 'backup' }),
    );
    expect(again).toContain('Backup complete');
    expect(
      await refused(
        startNode({ restore_from: folder }, { env, dataDir: restoring.dataDir, command: 'restore' }),
      ),
    ).toContain('this data directory is in use');
    fs.writeFileSync(path.join(restoring.dataDir, 'restoring'), '');
    expect(await refused(startNode({}, { env, dataDir: restoring.dataDir }))).toContain('was interrupted');
    const [part = ''] = fs.readdirSync(path.join(folder, 'messages'));
    fs.renameSync(path.join(folder, 'messages', part), path.join(backups, part));
    expect(await refused(startNode({ restore_from: folder }, { env, command: 'restore' }))).toContain(
      'a part of the backup is missing',
    );
    const damaged = path.join(folder, 'metadata.jsonl.gz');
    fs.appendFileSync(damaged, 'x');
    const failed = startNode({ restore_from: folder }, { env, command: 'restore' });
    expect(await refused(failed)).toContain('is damaged');
    expect(fs.existsSync(path.join(failed.dataDir, 'clickhouse'))).toBe(false);
  });

  test('says what is wrong with a folder, a secret and a missing argument', async () => {
    expect(await refused(startNode({}, { env, command: 'restore' }))).toContain('--restore_from');
    const empty = temporaryDirectory();
    expect(await refused(startNode({ restore_from: empty }, { env, command: 'restore' }))).toContain(
      'is not a complete backup',
    );
    expect(
      await refused(startNode({}, { env, dataDir: path.join(empty, 'never'), command: 'backup' })),
    ).toContain('What to do');
  });
});

describe.skipIf(whyNoPostgres() !== undefined)('from one node to a cluster', { timeout: TIMEOUT_MS }, () => {
  const backupDir = temporaryDirectory();
  const cluster = useCluster({ backupDir });

  test('a backup of SQLite and the embedded ClickHouse is restored into PostgreSQL and a server, and that is backed up', async () => {
    const node = startNode({ backup_dir: path.join(backupDir, 'single') }, { env });
    const address = await node.ready();
    await send(await node.inputPort('GELF HTTP'), 0, 100);
    await eventually(async () => expect(await numbers(address)).toHaveLength(100));
    node.kill();
    await node.exited();
    const own = { backup_dir: path.join(backupDir, 'single') };
    const output = await succeeded(startNode(own, { env, dataDir: node.dataDir, command: 'backup' }));
    const [, folder = ''] = /Backup complete: (.+)/.exec(output) ?? [];
    const place = path.join(backupDir, 'server');
    fs.cpSync(path.join(folder, 'messages'), path.join(place, path.basename(folder), '1'), {
      recursive: true,
    });

    const database = await cluster.createDatabase();
    const settings = {
      clickhouse_backup: `File('${place}/{name}')`,
      backup_dir: path.join(backupDir, 'cluster'),
    };
    const from = { restore_from: folder, ...settings };
    const unsaid = cluster.start(database, { restore_from: folder }, { command: 'restore' });
    expect(await refused(unsaid)).toContain('Set clickhouse_backup');
    const restored = await succeeded(cluster.start(database, from, { command: 'restore' }));
    expect(restored).toContain('does not have the password_secret');
    expect(await refused(cluster.start(database, from, { command: 'restore' }))).toContain(
      'the metadata database is in use',
    );
    const other = await cluster.createDatabase();
    expect(await refused(cluster.start(other, from, { command: 'restore' }))).toContain(
      'has messages already',
    );

    const first = cluster.start(database);
    const clusterAddress = await first.ready();
    await eventually(async () => expect(await numbers(clusterAddress)).toHaveLength(100));
    const again = await succeeded(cluster.start(database, settings, { command: 'backup' }));
    expect(again).not.toContain('NOT in this backup');
    expect(fs.readdirSync(place)).toHaveLength(2);
    const metadataOnly = { backup_dir: path.join(backupDir, 'cluster') };
    expect(await succeeded(cluster.start(database, metadataOnly, { command: 'backup' }))).toContain(
      'The messages are NOT in this backup',
    );
  });
});
