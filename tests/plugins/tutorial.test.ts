import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { writePlugin } from '../support/plugin-folder.ts';

/**
 * Follows docs/plugins.md in an empty folder: writes its files, runs its commands, against a node that has the examples
 * and an npm package in TypeScript as well. Only addresses and the password are other ones.
 */

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const EXAMPLES = path.join(ROOT, 'examples', 'plugins');
const PATIENCE = { timeoutMs: 120_000, intervalMs: 100 };
const BLOCK = /^```(\w+) (?:file=(\S+)|run)\n(.*?)^```$/gms;

const TYPED_PACKAGE = `
import { definePlugin, defineRetention } from '@millrace/plugin-api';
import { KEEP } from './keep.ts';
const keep: number = KEEP;
export default definePlugin({
  components: [
    defineRetention({
      id: 'typed-package',
      name: 'Typed',
      description: 'Shows that types are stripped below node_modules.',
      fields: {},
      create: () => ({ action: 'delete', keep }),
    }),
  ],
});
`;

const folder = mkdtempSync(path.join(tmpdir(), 'millrace-tutorial-'));
const commands: string[] = [];
let node: NodeProcess;
let address: string;

beforeAll(async () => {
  const [first, ...blocks] = readFileSync(path.join(ROOT, 'docs', 'plugins.md'), 'utf8').matchAll(BLOCK);
  await run('bash', ['-ec', first?.[3] ?? ''], { cwd: folder });
  for (const [, , file, text = ''] of blocks) {
    if (file === undefined) commands.push(text);
    else writeFileSync(path.join(folder, file), text);
  }
  const directory = path.join(folder, 'plugins');
  cpSync(EXAMPLES, directory, { recursive: true });
  const packages = path.join(directory, 'node_modules');
  mkdirSync(packages);
  const typed = writePlugin(packages, 'typed-package', TYPED_PACKAGE, { entry: 'index.ts' });
  writeFileSync(path.join(typed, 'keep.ts'), 'export const KEEP: number = 3;\n');
  node = startNode(
    { plugin_dir: directory, plugins: 'typed-package', alert_check_interval: '1', processing_workers: '1' },
    { env: KNOWN_PASSWORD },
  );
  address = await node.ready();
});

afterAll(async () => {
  node.kill();
  await node.exited();
});

test('all plugins are loaded, on the main thread and in the worker', async () => {
  const { body } = await callApi(address, 'GET', '/system/plugins');
  const names = body.plugins.map(({ name }: { name: string }) => name);
  const examples = readdirSync(EXAMPLES).map((name) => `example-${name}`);
  expect(names.sort()).toEqual([...examples, 'harbour', 'typed-package'].sort());
  for (const { name, state, reason, faults } of body.plugins) {
    expect({ name, state, reason, faults }).toEqual({ name, state: 'running', reason: null, faults: 0 });
  }
});

test('the commands of the tutorial end with messages in the output and an alert in the notification', async () => {
  const gelf = `http://127.0.0.1:${await node.inputPort('GELF HTTP')}`;
  const script = commands
    .join('\n')
    .replaceAll('http://127.0.0.1:9000', address)
    .replaceAll('http://127.0.0.1:12202', gelf)
    .replaceAll('admin:PASSWORD', 'admin:river');
  const { stdout } = await run('bash', ['-ec', script], { cwd: folder });
  expect(stdout).not.toContain('ApiError');
  const lines = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
  await eventually(() => {
    const texts = lines('ships.ndjson').map((line) => JSON.parse(line).message);
    expect(texts).toEqual(['Ada arrived', 'Grace arrived']);
  }, PATIENCE);
  await eventually(
    () =>
      expect(lines('bell.txt')[0]).toBe(
        'triggered: Harbour is full: 2 ships arrived in a minute, and there are 1 berths.',
      ),
    PATIENCE,
  );
});

test('the components of the examples work in a node', async () => {
  const port = 0;
  const input = await callApi(address, 'POST', '/system/inputs', {
    title: 'pairs',
    type: 'key-value-tcp',
    global: true,
    configuration: { bind_address: '127.0.0.1', port },
  });
  expect(input.status).toBe(201);
  const codec = await callApi(address, 'POST', '/messages/parse', {
    message: 'signed in user=ada',
    codec: 'key-value',
    configuration: {},
  });
  expect(codec.body.message.fields).toMatchObject({ message: 'signed in', user: 'ada' });
  const rotations = await callApi(address, 'GET', '/system/indices/rotation/strategies');
  expect(JSON.stringify(rotations.body)).toContain('calendar-day');
  const retentions = await callApi(address, 'GET', '/system/indices/retention/strategies');
  expect(JSON.stringify(retentions.body)).toContain('typed-package');
});

test('a stream rule of an example is checked and routes messages', async () => {
  const rule = (value: string) => ({ type: 128, field: 'client', value, inverted: false });
  const wrong = await callApi(address, 'POST', '/streams', { title: 'Inside', rules: [rule('the office')] });
  expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('write an address')]);
  const { body: made } = await callApi(address, 'POST', '/streams', {
    title: 'Inside',
    rules: [rule('10.0.0.0/8')],
  });
  const { stream_id: id } = made;
  const { body: types } = await callApi(address, 'GET', `/streams/${id}/rules/types`);
  expect(types.at(-1)).toMatchObject({ id: 128, name: 'in-network', short_desc: 'is in the network' });
  const tried = await callApi(address, 'POST', `/streams/${id}/testMatch`, {
    message: { client: '10.1.2.3' },
  });
  expect(tried.body.matches).toBe(true);
  await callApi(address, 'POST', `/streams/${id}/resume`);
  const gelf = `http://127.0.0.1:${await node.inputPort('GELF HTTP')}/gelf`;
  await eventually(async () => {
    for (const client of ['10.1.2.3', '192.0.2.1']) {
      const body = JSON.stringify({ host: 'a', short_message: `from ${client}`, _client: client });
      expect((await fetch(gelf, { method: 'POST', body })).status).toBe(202);
    }
    const path = `/search/universal/relative?query=*&range=0&filter=streams:${id}`;
    const { body } = await callApi(address, 'GET', path);
    expect(body.total_results).toBeGreaterThan(0);
    const found = body.messages.map(({ message }: { message: { client: string } }) => message.client);
    expect(new Set(found)).toEqual(new Set(['10.1.2.3']));
  }, PATIENCE);
});

test('the tests of the tutorial, and those of a new plugin of each kind, pass', async () => {
  const plugin = (...args: string[]) =>
    run(process.execPath, [path.join(ROOT, 'scripts', 'plugin.mjs'), ...args], { cwd: folder });
  const created = path.join(folder, 'created');
  mkdirSync(created);
  const kinds = ['output', 'condition', 'notification', 'input', 'rotation', 'retention', 'function'];
  for (const kind of [...kinds, 'stream-rule']) {
    await plugin('new', `my-${kind}`, '--kind', kind, '--in', created);
  }
  writeFileSync(path.join(created, 'package.json'), '{}');
  cpSync(path.join(folder, 'plugins', 'harbour'), path.join(created, 'harbour'), { recursive: true });
  const { stdout } = await plugin('test', created);
  expect(stdout).toMatch(/Test Files .*9 passed/);
  const { stdout: allowed } = await plugin('hash', path.join(created, 'my-output'));
  expect(allowed).toMatch(/^my-output=sha256:[0-9a-f]{64}\n$/);
});
