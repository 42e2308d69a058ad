import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode, temporaryDirectory } from '../support/node-process.ts';
import { writePlugin } from '../support/plugin-folder.ts';

/**
 * What plugins do wrong stays with them. One node has all of them, and each test continues where the one before ended:
 * whatever happens, messages go on to be received and stored.
 */

const ALL_MESSAGES = '000000000000000000000001';
const PATIENCE = { timeoutMs: 120_000, intervalMs: 100 };

/** An output that writes what it gets into a file, and does what the message or its configuration says. */
const MOODY = `
import { appendFile } from 'node:fs/promises';
import { defineOutput, definePlugin, field, types } from '@millrace/plugin-api';

const encode = (message) => {
  if (message.message === 'fail to encode') throw new Error('cannot encode this');
  while (message.message === 'never return');
  if (message.message === 'throw later') setTimeout(() => { throw new Error('nobody catches this'); }, 1);
  return Buffer.from(message.message);
};

export default definePlugin({
  components: [
    defineOutput({
      id: 'moody',
      name: 'Moody',
      description: 'Fails when it is told to.',
      fields: { file: field(types.text(), { humanName: 'File', description: 'Where to write.' }) },
      encoding: () => ({ key: 'text', create: () => ({ encode }) }),
      create: (_context, { file }) => ({
        async send(messages) {
          if (messages.some(({ payload }) => String(payload) === 'mistake')) undefined.name;
          await appendFile(file, messages.map(({ payload }) => payload + '\\n').join(''));
        },
        close: async () => true,
      }),
    }),
  ],
});
`;

const CLASH = `
import { defineOutput, definePlugin, jsonEncoding } from '@millrace/plugin-api';
export default definePlugin({
  components: [
    defineOutput({
      id: 'stdout',
      name: 'Mine',
      description: 'Has the name of another one.',
      fields: {},
      encoding: () => jsonEncoding(),
      create: () => ({ send: async () => {}, close: async () => true }),
    }),
  ],
});
`;

let node: NodeProcess;
let address: string;
let http: number;
let received: string;

async function start(dataDir: string): Promise<void> {
  node = startNode(
    { processing_workers: '2', plugin_call_timeout: '1s', plugin_max_faults: '1' },
    { env: KNOWN_PASSWORD, dataDir },
  );
  address = await node.ready();
  http = await node.inputPort('GELF HTTP');
}

beforeAll(async () => {
  const dataDir = path.join(temporaryDirectory(), 'data');
  const directory = path.join(dataDir, 'plugins');
  mkdirSync(directory, { recursive: true });
  received = path.join(dataDir, 'received');
  writePlugin(directory, 'moody', MOODY);
  writePlugin(directory, 'clash', CLASH);
  writePlugin(directory, 'throws', "const broken: number = 1; throw new Error('broken ' + broken);", {
    entry: 'index.ts',
  });
  writePlugin(directory, 'exits', 'process.exit(3);');
  writePlugin(directory, 'too-new', 'export default 1;', { api: '9.0' });
  writePlugin(directory, 'no-plugin', 'export default 1;');
  mkdirSync(path.join(directory, 'empty'));
  await start(dataDir);
});

afterAll(async () => {
  node.kill();
  await node.exited();
});

async function plugins(): Promise<Record<string, { state: string; reason: string | null; faults: number }>> {
  const { body } = await callApi(address, 'GET', '/system/plugins');
  return Object.fromEntries(body.plugins.map((plugin: { name: string }) => [plugin.name, plugin]));
}

async function send(text: string): Promise<void> {
  const body = JSON.stringify({ version: '1.1', host: 'mill', short_message: text });
  const answer = await fetch(`http://127.0.0.1:${http}/gelf`, { method: 'POST', body });
  expect(answer.status).toBe(202);
}

/** Waits until the value is as it should be, and resolves with it. */
function becomes<Value>(
  read: () => Value | Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  return eventually(async () => {
    const value = await read();
    expect(value).toSatisfy(isRight);
    return value;
  }, PATIENCE);
}

const lines = (): string[] => {
  try {
    return readFileSync(received, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

async function stored(text: string): Promise<number> {
  const query = encodeURIComponent(`message:"${text}"`);
  const { body } = await callApi(address, 'GET', `/search/universal/relative?range=3600&query=${query}`);
  return body.total_results;
}

async function notified(type: string): Promise<{ plugin: string; reason: string }[]> {
  const { body } = await callApi(address, 'GET', '/system/notifications');
  return body.notifications
    .filter((each: { type: string }) => each.type === type)
    .map(({ details }: { details: { plugin: string; reason: string } }) => details);
}

test('the node starts, and says of each plugin that cannot be loaded why', async () => {
  const all = await plugins();
  expect(all).toMatchObject({
    moody: { state: 'running', reason: null, components: [{ kind: 'output', type: 'moody' }] },
    clash: { state: 'failed', reason: expect.stringContaining('"stdout": the other one is built in') },
    throws: { state: 'failed', reason: expect.stringMatching(/^broken 1 \(at .*throws\/index\.ts:1:/) },
    exits: { state: 'failed', reason: expect.stringContaining('ended its thread with code 3') },
    'too-new': { state: 'failed', reason: expect.stringContaining('this node loads plugins for 1.0') },
    'no-plugin': { state: 'failed', reason: expect.stringContaining('export default definePlugin') },
    empty: { state: 'failed', reason: 'it has no package.json' },
  });
  const named = (await notified('plugin_failed')).map(({ plugin }) => plugin);
  expect(named.sort()).toEqual(['clash', 'empty', 'exits', 'no-plugin', 'throws', 'too-new']);
  const types = await callApi(address, 'GET', '/system/outputs/available');
  expect(types.body.types['org.graylog2.outputs.LoggingOutput'].name).toBe('STDOUT');
});

test('an output of a plugin gets messages', async () => {
  const created = await callApi(address, 'POST', '/system/outputs', {
    title: 'moody',
    type: 'moody',
    configuration: { file: received },
  });
  expect(created.body).toMatchObject({ type: 'moody' });
  await callApi(address, 'POST', `/streams/${ALL_MESSAGES}/outputs`, { outputs: [created.body.id] });
  await send('hello');
  await becomes(lines, (all) => all.includes('hello'));
});

test('an error that nobody catches and a message that it cannot encode are faults, and stop nothing', async () => {
  await send('throw later');
  await becomes(plugins, ({ moody }) => moody?.faults === 1);
  expect((await plugins()).moody?.reason).toContain('nobody catches this');
  await becomes(
    () => notified('plugin_failed'),
    (all) => all.some(({ plugin }) => plugin === 'moody'),
  );
  await send('after it');
  await becomes(lines, (all) => all.includes('after it'));
});

test('after more faults than allowed it is switched off, and somebody can enable it again', async () => {
  await send('fail to encode');
  await becomes(plugins, ({ moody }) => moody?.state === 'switched_off');
  const [told] = await becomes(
    () => notified('plugin_switched_off'),
    (all) => all.length > 0,
  );
  expect(told).toMatchObject({ plugin: 'moody', reason: expect.stringContaining('cannot encode this') });
  await send('while it is off');
  await becomes(
    () => stored('while it is off'),
    (found) => found === 1,
  );
  expect(lines()).not.toContain('while it is off');
  expect((await callApi(address, 'PUT', '/system/plugins/moody/enable')).status).toBe(204);
  expect(await notified('plugin_switched_off')).toEqual([]);
  await send('on again');
  await becomes(lines, (all) => all.includes('on again'));
  expect(await plugins()).toMatchObject({ moody: { state: 'running', faults: 0 } });
});

test('a call that never returns costs its worker, which is started again, until the plugin is switched off', async () => {
  await send('never return');
  await becomes(plugins, ({ moody }) => moody?.state === 'switched_off');
  expect((await plugins()).moody?.reason).toContain('did not return within 1000 ms');
  await send('behind the loop');
  for (const text of ['never return', 'behind the loop']) {
    await becomes(
      () => stored(text),
      (found) => found === 1,
    );
  }
});

test('what is switched off stays so after a restart; permissions and unknown names are checked', async () => {
  node.kill();
  await node.exited();
  await start(node.dataDir);
  expect(await plugins()).toMatchObject({ moody: { state: 'switched_off' } });
  expect((await callApi(address, 'PUT', '/system/plugins/nobody/enable')).status).toBe(404);
  expect((await callApi(address, 'PUT', '/system/plugins/throws/enable')).status).toBe(409);
  expect((await fetch(`${address}/api/system/plugins`)).status).toBe(401);
});
