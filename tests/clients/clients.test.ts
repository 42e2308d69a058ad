/**
 * Clients of Graylog's API. Their own code cannot be part of this project, so each has a script beside this file that
 * makes the calls of the original, in its order, and fails where the original would.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode, temporaryDirectory } from '../support/node-process.ts';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const ANSIBLE = '/usr/bin/ansible-playbook';
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
  expect(lines).toHaveLength(33);
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

test('the agent of Checkmk fills its sections', async () => {
  const sections = JSON.parse(await script('checkmk.py', USER, PASSWORD));
  expect(sections).toMatchObject({
    alerts: expect.any(Number),
    cluster_health: 'green',
    cluster_inputstates: 3,
    cluster_stats: { input_count: 3, global_input_count: 3, user_count: expect.any(Number), storage: 1 },
    failures: [0, 0, 0],
    jvm: { 'jvm.memory.heap.used': expect.any(Number), 'jvm.memory.heap.max': expect.any(Number) },
    nodes: [['alive', 'running', true, expect.any(String), 3]],
    sources: { c: 3 },
    sources_since: { c: 3 },
    events: 0,
  });
  expect(sections.streams).toContainEqual(['All messages', false, true]);
});

test('Telegraf reads metrics by their names and of a namespace', async () => {
  const found = JSON.parse(await script('telegraf.py', USER, PASSWORD));
  const gauge = { value: expect.any(Number) };
  expect(found).toMatchObject({
    'jvm.memory.heap.used': gauge,
    'org.graylog2.throughput.input.1-sec-rate': gauge,
    ...Object.fromEntries(
      ['input', 'process', 'output'].flatMap((name) => [
        [`org.graylog2.buffers.${name}.usage`, gauge],
        [`org.graylog2.buffers.${name}.size`, gauge],
      ]),
    ),
  });
});

test('the MCP server of ew-i reads throughput, buffers and journal of every node', async () => {
  // src/graylog_mcp/infrastructure/graylog_system.py
  const names = [
    'org.graylog2.throughput.input.1-sec-rate',
    'org.graylog2.throughput.output.1-sec-rate',
    'org.graylog2.buffers.input.usage',
    'org.graylog2.buffers.process.usage',
    'org.graylog2.buffers.output.usage',
    'org.graylog2.journal.entries-uncommitted',
  ];
  const { body } = await callApi(address, 'POST', '/cluster/metrics/multiple', { metrics: names });
  const [ofNode] = Object.values<{ metrics: { full_name: string; metric: { value: number } }[] }>(body);
  const metrics = ofNode?.metrics ?? [];
  expect(metrics.map((each) => each.full_name).sort()).toEqual(names.toSorted());
  for (const { metric } of metrics) expect(metric.value).toEqual(expect.any(Number));
});

test('buffers and the state of processing, as the web interface of Graylog asks for them', async () => {
  const { body } = await callApi(address, 'GET', '/system/buffers');
  const buffer = { utilization: expect.any(Number), utilization_units: expect.any(Number) };
  expect(body.buffers).toMatchObject({ input: buffer, process: buffer, output: buffer });
  const status = await callApi(address, 'GET', '/cluster/processing/status');
  expect(Object.values(status.body)).toMatchObject([
    {
      receive_times: {
        ingest: expect.any(String),
        post_processing: expect.any(String),
        post_indexing: expect.any(String),
      },
    },
  ]);
});

test.skipIf(!existsSync(ANSIBLE))(
  'Ansible itself sets up an index set and a stream, with numbers as text',
  async () => {
    const play = path.join(import.meta.dirname, 'ansible.yml');
    const values = { api: `${address}/api`, user: USER, password: PASSWORD };
    const { stdout } = await run(ANSIBLE, ['-i', 'localhost,', '-e', JSON.stringify(values), play], {
      env: {
        PATH: '/usr/bin:/bin',
        HOME: temporaryDirectory(),
        LC_ALL: 'C.UTF-8',
        ANSIBLE_PYTHON_INTERPRETER: PYTHON,
      },
    });
    expect(stdout).toMatch(/localhost +: ok=7 +changed=0 +unreachable=0 +failed=0/);
  },
);

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

test('URLs that are not on the list are not called', async () => {
  const list = {
    disabled: false,
    entries: [{ id: '1', title: 'ours', type: 'literal', value: 'http://192.0.2.1/ok' }],
  };
  expect((await callApi(address, 'PUT', '/system/urlallowlist', list)).status).toBe(204);
  const output = async (url: string) => {
    const body = { title: url, type: 'http', configuration: { url } };
    const { id } = (await callApi(address, 'POST', '/system/outputs', body)).body;
    const states = async () =>
      (await callApi(address, 'GET', '/system/outputs/states')).body.states.filter(
        (state: { id: string }) => state.id === id,
      );
    await until(async () => (await states())[0]?.state !== 'STARTING');
    const [state] = await states();
    await callApi(address, 'DELETE', `/system/outputs/${id}`);
    return [state.state, state.detailed_message];
  };
  expect(await output('http://192.0.2.1/other')).toEqual([
    'INVALID_CONFIGURATION',
    expect.stringContaining('not on the list of allowed URLs'),
  ]);
  expect((await output('http://192.0.2.1/ok'))[0]).not.toBe('INVALID_CONFIGURATION');
  await callApi(address, 'PUT', '/system/urlallowlist', { disabled: true, entries: [] });
});

test('index sets rotate by TimeBasedSizeOptimizingStrategy, as an example of sven-borkert’s provider does', async () => {
  const rotation = 'org.graylog2.indexer.rotation.strategies.TimeBasedSizeOptimizingStrategy';
  const strategies = {
    rotation_strategy_class: rotation,
    rotation_strategy: { type: `${rotation}Config`, index_lifetime_min: 'P30D', index_lifetime_max: 'P40D' },
  };
  const { body: list } = await callApi(address, 'GET', '/system/indices/index_sets');
  const { id: _, ...original } = list.index_sets.find((each: { default: boolean }) => each.default);
  const { rotation_strategy: __, data_tiering: ___, ...rest } = original;
  const wanted = { ...rest, ...strategies, title: 'Sized', index_prefix: 'sized', default: false };
  const made = await callApi(address, 'POST', '/system/indices/index_sets', wanted);
  expect([made.status, made.body]).toMatchObject([200, strategies]);
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
