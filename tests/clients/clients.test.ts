/**
 * Clients of Graylog's API. Their own code cannot be part of this project, so each has a script beside this file that
 * makes the calls of the original, in its order, and fails where the original would.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const [USER = '', PASSWORD = ''] = Buffer.from(rootCredentials().replace('Basic ', ''), 'base64')
  .toString()
  .split(':');
const DEFAULT_STREAM_ID = '000000000000000000000001';

let node: NodeProcess;
let address: string;

beforeAll(async () => {
  node = startNode({}, { env: KNOWN_PASSWORD });
  address = await node.ready();
  const port = await node.inputPort('GELF HTTP');
  for (const user of ['ann', 'ann', 'bob']) {
    const sent = await fetch(`http://127.0.0.1:${port}/gelf`, {
      method: 'POST',
      body: JSON.stringify({
        version: '1.1',
        host: 'c',
        short_message: `of ${user}`,
        _client: 'mcp',
        _user: user,
      }),
    });
    expect(sent.status).toBe(202);
  }
  await until(async () => {
    const { body } = await callApi(
      address,
      'GET',
      '/search/universal/relative?query=client:mcp&range=0&limit=1',
    );
    return body.total_results === 3;
  });
});

afterAll(async () => {
  node.kill();
  await node.exited();
});

/** What a script prints. It fails with what it says about the answer it did not expect. */
async function script(name: string, ...args: string[]): Promise<string> {
  const file = path.join(import.meta.dirname, name);
  const [program, ...rest] = name.endsWith('.py') ? [PYTHON, '-B', file] : ['/bin/bash', file];
  const { stdout } = await run(program ?? '', [...rest, address, ...args]);
  return stdout;
}

test('the Zabbix check finds every attribute', async () => {
  const lines = (await script('zabbix.sh', USER, PASSWORD)).trim().split('\n');
  const found = Object.fromEntries(lines.map((line) => line.split(/ (.*)/s).slice(0, 2)));
  expect(lines).toHaveLength(34);
  expect(found).toMatchObject({
    node_is_master: 'true',
    node_type: 'server',
    lb_status: 'alive',
    system_lifecycle: 'running',
    system_isprocessing: 'true',
    cluster_input_count: '3',
    cluster_user_count: expect.stringMatching(/^\d+$/),
    es_cluster_health: 'GREEN',
    names: 'warn,error,fatal',
  });
  expect(Number(found.total_message_count)).toBeGreaterThanOrEqual(3);
});

test('the Nagios plugin finds its figures', async () => {
  expect(await script('nagios.py', USER, PASSWORD)).toMatch(
    /^nodeid=\S+ clusterid=\S+ processing=True events=\d+ inputs=3 throughput=\d+\n$/,
  );
});

test('the Ansible modules create, find, change and delete', async () => {
  const made = JSON.parse(await script('ansible.py', USER, PASSWORD, String(await freePort('tcp'))));
  expect(Object.keys(made)).toEqual(['index_set', 'stream', 'input', 'pipeline']);
  const { body } = await callApi(address, 'GET', '/streams');
  expect(body.streams.map(({ id }: { id: string }) => id)).not.toContain(made.stream);
});

test('the Terraform provider reads what it sent', async () => {
  const made = JSON.parse(await script('terraform.py', USER, PASSWORD, String(await freePort('udp'))));
  expect(Object.keys(made)).toEqual(['input', 'index_set', 'template']);
});

test('a field type of the Terraform provider applies to the next messages', async () => {
  const { body } = await callApi(address, 'GET', '/system/indices/index_sets');
  const indexSet = body.index_sets.find((each: { default: boolean }) => each.default).id;
  await script('terraform_field_type.py', USER, PASSWORD, indexSet, 'tf_port', 'long');
  const port = await node.inputPort('GELF HTTP');
  // A worker may learn of the type a moment after the client was told.
  await until(async () => {
    const sent = await fetch(`http://127.0.0.1:${port}/gelf`, {
      method: 'POST',
      body: JSON.stringify({ version: '1.1', host: 'c', short_message: 'typed', _tf_port: '8080' }),
    });
    expect(sent.status).toBe(202);
    const path = '/search/universal/relative?query=message:typed&range=0&limit=100';
    const { messages } = (await callApi(address, 'GET', path)).body;
    return messages.some((each: { message: { tf_port: unknown } }) => each.message.tf_port === 8080);
  });
  await script('terraform_field_type.py', USER, PASSWORD, indexSet, 'tf_port', '');
});

test('settings of the cluster change what exists, and what has no effect is refused', async () => {
  const { order, refused } = JSON.parse(await script('cluster_config.py', USER, PASSWORD));
  expect(order).toHaveLength(2);
  expect(refused).toContain('use a lookup table with a MaxMind data adapter');
});

test('CoPilot adds its webhook to the list of allowed URLs', async () => {
  const list = JSON.parse(await script('copilot.py', USER, PASSWORD));
  expect(list).toMatchObject({ disabled: false, entries: [{ title: 'CoPilot', type: 'literal' }] });
});

test('the MCP server searches and aggregates with a token', async () => {
  const { body } = await callApi(address, 'POST', `/users/${USER}/tokens/mcp`);
  const found = JSON.parse(await script('mcp.py', body.token, DEFAULT_STREAM_ID));
  const byUser = { ann: 2, bob: 1 };
  expect(found).toEqual({
    messages: { total: 3, messages: ['of ann', 'of ann', 'of bob'] },
    by_user: { rows: byUser, total: 3 },
    by_user_4: { rows: byUser, total: 3 },
    total: { rows: { '': 3 }, total: 3 },
    days: 3,
    columns: ['timestamp', '_id', 'source', 'message', 'level'],
    rows: 3,
    groups: byUser,
    valid: 'OK',
  });
});
