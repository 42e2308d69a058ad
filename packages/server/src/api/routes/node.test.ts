import {
  clusterNodeListSchema,
  clusterOverviewSchema,
  NOTIFICATION_TYPES,
  runtimeMemorySchema,
} from '@millrace/contract';
import type { InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AuditEntry, NotFoundError } from '#core/index.ts';
import { basic, fixtureAuthenticator } from '#testing/api-fixture.ts';
import { type FuzzRequest, fuzzApi } from '#testing/api-fuzz.ts';
import { type ClusterFixture, startClusterFixture } from '#testing/cluster-fixture.ts';
import { permissionMatrixProblems } from '#testing/permission-matrix.ts';
import { routeProblems } from '#testing/route-problems.ts';
import { openApiDocument } from '../openapi/document.ts';

const NODE_ID = '11111111-2222-4333-8444-555555555555';
const users: Record<string, string[]> = {
  admin: ['*'],
  nobody: [],
  partly: ['metrics:read:a.count', 'notifications:read:generic'],
};
let node: ClusterFixture;

beforeAll(async () => {
  node = await startClusterFixture({
    nodeId: NODE_ID,
    authenticator: fixtureAuthenticator(users),
    routes: {
      messageCount: (indexSetId) => {
        if (indexSetId === undefined) return 12;
        if (indexSetId === 'set1') return 5;
        throw new NotFoundError(`Index set ${indexSetId} not found.`);
      },
    },
  });
});

afterAll(() => node.stop());

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more: InjectOptions = {}) {
  const response = await node.api.fastify.inject({
    ...more,
    method,
    url: `/api${path}`,
    headers: { authorization: basic('admin'), 'x-requested-by': 'test', ...more.headers },
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return { status: response.statusCode, body: isJson ? response.json() : response.body, response };
}

const as = (user: string) => ({ headers: { authorization: basic(user) } });
const lastAudit = (): AuditEntry | undefined => node.audited.at(-1);

describe('all routes', () => {
  test('have no problems', () => {
    expect(routeProblems(node.routes)).toEqual([]);
  });

  test('require their permission', async () => {
    let count = 0;
    const problems = await permissionMatrixProblems(node.routes, {
      send: (request) => node.api.fastify.inject({ ...request, headers: { ...request.headers } }),
      userWith: async (permissions) => {
        const name = `user${count++}`;
        users[name] = [...permissions];
        return { authorization: basic(name) };
      },
      pathValues: () => ({ status: 'alive', level: 'debug' }),
    });
    expect(problems).toEqual([]);
  });

  test('answer any request without an internal error', async () => {
    const report = await fuzzApi(openApiDocument(node.routes, { version: '1' }), {
      send: (request: FuzzRequest) =>
        node.api.fastify.inject({ ...request, headers: { ...request.headers } }),
      credentials: { authorization: basic('admin') },
      runsPerOperation: 15,
      // It answers 503 and 429 on purpose.
      skip: (_method, path) => path === '/system/lbstatus',
    });
    expect(report.statuses[200]).toBeGreaterThan(0);
    node.cluster.status.unlockPause();
    node.cluster.status.resumeProcessing();
  });
});

describe('cluster information', () => {
  const FIELDS: Record<string, RegExp | string | boolean> = {
    facility: /^[a-z-]+$/,
    codename: /^[A-Z][a-z]+$/,
    node_id: NODE_ID,
    cluster_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    version: /^\d+\.\d+\.\d+\+\w+$/,
    started_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    hostname: /./,
    lifecycle: 'running',
    lb_status: 'alive',
    timezone: /^[A-Za-z]+(\/[A-Za-z_/+-]+)?$/,
    operating_system: /^[A-Z]\w+ .+/,
    is_processing: true,
  };

  test.each(Object.entries(FIELDS))('GET /cluster has the field %s of a node', async (name, expected) => {
    const { status, body } = await call('GET', '/cluster');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([NODE_ID]);
    const value = body[NODE_ID][name];
    if (expected instanceof RegExp) expect(value).toMatch(expected);
    else expect(value).toBe(expected);
  });

  test('GET /cluster?pretty=true is indented', async () => {
    const { body, response } = await call('GET', '/cluster?pretty=true');
    expect(clusterOverviewSchema.parse(body)).toEqual(body);
    expect(response.body).toBe(JSON.stringify(body, null, 2));
  });

  test('GET /system is the same for one node', async () => {
    expect((await call('GET', '/system')).body).toEqual((await call('GET', '/cluster')).body[NODE_ID]);
  });

  test('nodes can be listed and found', async () => {
    const { body } = await call('GET', '/system/cluster/nodes', as('nobody'));
    expect(clusterNodeListSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      total: 1,
      nodes: [
        {
          node_id: NODE_ID,
          short_node_id: '11111111',
          type: 'server',
          is_master: true,
          is_leader: true,
          transport_address: `${node.api.address()}/api/`,
        },
      ],
    });
    for (const path of ['/system/cluster/node', `/system/cluster/nodes/${NODE_ID}`]) {
      expect((await call('GET', path)).body).toMatchObject({ node_id: NODE_ID });
    }
    expect(await call('GET', '/system/cluster/nodes/other')).toMatchObject({
      status: 404,
      body: { type: 'ApiError', message: 'Node other not found.' },
    });
  });

  test.each([
    ['/system/jvm', runtimeMemorySchema],
    [`/cluster/${NODE_ID}/jvm`, runtimeMemorySchema],
  ])('GET %s returns the runtime memory', async (path, schema) => {
    const { body } = await call('GET', path);
    expect(schema.parse(body)).toEqual(body);
  });

  test('a thread dump is JSON or text', async () => {
    expect((await call('GET', '/system/threaddump')).body.threaddump).toContain('javascriptStack');
    expect((await call('GET', `/cluster/${NODE_ID}/threaddump`)).body.threaddump).toContain('javascriptHeap');
    const text = await call('GET', '/system/threaddump', {
      headers: { authorization: basic('admin'), accept: 'text/plain' },
    });
    expect(text.response.headers['content-type']).toMatch(/^text\/plain/);
    expect(JSON.parse(text.body)).toHaveProperty('javascriptStack');
  });

  test('other information about the node', async () => {
    expect((await call('GET', '/system/locales', as('nobody'))).body.locales).toHaveProperty('en');
    expect((await call('GET', '/system/configuration')).body).toEqual({ http_bind_address: '127.0.0.1:0' });
    for (const part of ['', '/fs', '/jvm', '/network', '/os', '/process']) {
      expect((await call('GET', `/system/stats${part}`)).status).toBe(200);
    }
    expect((await call('GET', '/system/cluster/traffic?days=2&daily=true')).body).toMatchObject({
      input: {},
    });
    expect((await call('GET', '/system/cluster/traffic?days=0')).status).toBe(400);
  });

  test('an unknown node: 404 with its id', async () => {
    for (const [method, path] of [
      ['GET', '/cluster/nowhere/jvm'],
      ['GET', '/cluster/nowhere/journal'],
      ['POST', '/cluster/nowhere/processing/pause'],
      ['PUT', '/cluster/nowhere/lbstatus/override/dead'],
    ] as const) {
      expect(await call(method, path)).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('nowhere') },
      });
    }
  });

  test('the journal of a node without one', async () => {
    const none = {
      enabled: false,
      append_events_per_second: 0,
      read_events_per_second: 0,
      uncommitted_journal_entries: 0,
      journal_size: 0,
      journal_size_limit: 0,
      number_of_segments: 0,
      oldest_segment: null,
      journal_config: null,
    };
    expect((await call('GET', '/system/journal')).body).toEqual(none);
    expect((await call('GET', `/cluster/${NODE_ID}/journal`)).body).toEqual(none);
  });

  test('counts', async () => {
    expect((await call('GET', '/count/total')).body).toEqual({ events: 12 });
    expect((await call('GET', '/count/set1/total')).body).toEqual({ events: 5 });
    expect((await call('GET', '/count/set2/total')).status).toBe(404);
  });
});

describe('load balancer status', () => {
  afterEach(() => node.cluster.status.clearOverride());

  const ask = () => node.api.fastify.inject({ url: '/api/system/lbstatus' });

  test.each([
    ['alive', 200, 'ALIVE'],
    ['dead', 503, 'DEAD'],
    ['throttled', 429, 'THROTTLED'],
  ])('%s is %i %s for everybody', async (word, code, text) => {
    expect((await call('PUT', `/system/lbstatus/override/${word}`)).status).toBe(204);
    const answer = await ask();
    expect([answer.statusCode, answer.body]).toEqual([code, text]);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect((await call('GET', '/system')).body).toMatchObject({
      lb_status: word,
      lifecycle: `override lb:${word}`,
    });
    expect(lastAudit()).toMatchObject({
      actor: 'admin',
      action: 'node.override_lb_status',
      objectType: 'node',
      objectId: NODE_ID,
      after: { lb_status: word },
    });
    expect((await call('DELETE', '/system/lbstatus/override')).status).toBe(204);
    expect((await ask()).body).toBe('ALIVE');
  });

  test('any other status is refused and changes nothing', async () => {
    const { status, body } = await call('PUT', '/system/lbstatus/override/sleepy');
    expect(status).toBe(400);
    expect(body.message).toMatch(/"alive", "dead", "throttled".*"sleepy"/);
    expect((await ask()).body).toBe('ALIVE');
  });

  test('a full journal throttles', async () => {
    node.cluster.status.setJournalUtilization(95);
    expect((await ask()).statusCode).toBe(429);
    node.cluster.status.setJournalUtilization(1);
    expect((await ask()).statusCode).toBe(200);
  });

  test('it also works through the cluster path', async () => {
    expect((await call('PUT', `/cluster/${NODE_ID}/lbstatus/override/dead`)).status).toBe(204);
    expect((await ask()).body).toBe('DEAD');
  });
});

describe('processing', () => {
  const isProcessing = async () => (await call('GET', '/system')).body.is_processing as boolean;

  test.each([
    ['PUT', '/system/processing'],
    ['POST', `/cluster/${NODE_ID}/processing`],
    ['PUT', `/cluster/${NODE_ID}/processing`],
  ] as const)('%s %s/pause and /resume', async (method, path) => {
    expect((await call(method, `${path}/pause`)).status).toBe(204);
    expect(await isProcessing()).toBe(false);
    expect((await call('GET', '/system')).body.lifecycle).toBe('paused');
    expect(lastAudit()?.action).toBe('node.pause_processing');
    expect((await call(method, `${path}/resume`)).status).toBe(204);
    expect(await isProcessing()).toBe(true);
    expect(lastAudit()?.action).toBe('node.resume_processing');
  });

  test('a locked pause must be unlocked first', async () => {
    node.cluster.status.pauseProcessing({ locked: true });
    const refused = await call('PUT', '/system/processing/resume');
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('/system/processing/pause/unlock');
    expect((await call('PUT', '/system/processing/pause/unlock')).status).toBe(204);
    expect(await isProcessing()).toBe(false);
    expect((await call('PUT', '/system/processing/resume')).status).toBe(204);
    expect(await isProcessing()).toBe(true);
  });

  test('every change is in the system messages', async () => {
    await call('PUT', '/system/processing/pause');
    await call('PUT', '/system/processing/resume');
    const { body } = await call('GET', '/system/messages');
    expect(body.messages[0]).toMatchObject({
      caller: 'node',
      content: 'Message processing resumed (by admin)',
      node_id: NODE_ID,
    });
    expect(body.total).toBeGreaterThanOrEqual(2);
  });
});

describe('metrics', () => {
  beforeAll(() => {
    node.metrics.counter('a.count').increment(3);
    node.metrics.gauge('a.gauge', () => 7);
    node.metrics.timer('b.time').update(100);
    node.system.history.sample();
  });

  test('one by its name', async () => {
    expect((await call('GET', '/system/metrics/a.count')).body).toEqual({ count: 3 });
    node.metrics.meter('a.meter').mark(4);
    expect((await call('GET', '/system/metrics/a.meter')).body).toMatchObject({
      rate: { total: 4 },
      count: 4,
      m1_rate: expect.any(Number),
      m5_rate: expect.any(Number),
      m15_rate: expect.any(Number),
      units: 'events/second',
    });
    node.metrics.remove('a.meter');
    expect(await call('GET', '/system/metrics/nothing')).toMatchObject({ status: 404 });
    expect((await call('GET', '/system/metrics/a.gauge', as('partly'))).status).toBe(403);
    expect((await call('GET', '/system/metrics/a.count', as('partly'))).status).toBe(200);
  });

  test('all, and their names', async () => {
    const { body } = await call('GET', '/system/metrics');
    expect(body.counters['a.count']).toEqual({ count: 3 });
    expect(body.gauges['a.gauge']).toEqual({ value: 7 });
    expect((await call('GET', '/system/metrics/names')).body.names).toContain('b.time');
    expect((await call('GET', `/cluster/${NODE_ID}/metrics/names`)).body.names).toContain('b.time');
  });

  test.each(['/system/metrics', `/cluster/${NODE_ID}/metrics`])('several at %s/multiple', async (path) => {
    const payload = { metrics: ['a.gauge', 'nothing', 'a.count', 'a.gauge'] };
    const { body } = await call('POST', `${path}/multiple`, { payload });
    expect(body).toEqual({
      total: 2,
      metrics: [
        { full_name: 'a.gauge', name: 'gauge', type: 'gauge', metric: { value: 7 } },
        { full_name: 'a.count', name: 'count', type: 'counter', metric: { count: 3 } },
      ],
    });
    const partly = await call('POST', `${path}/multiple`, {
      payload,
      headers: { authorization: basic('partly') },
    });
    expect(partly.body.metrics.map((metric: { full_name: string }) => metric.full_name)).toEqual(['a.count']);
    expect((await call('POST', `${path}/multiple`, { payload: { names: [] } })).status).toBe(400);
  });

  test('several of all nodes', async () => {
    const { body } = await call('POST', '/cluster/metrics/multiple', { payload: { metrics: ['a.count'] } });
    expect(body).toMatchObject({ [NODE_ID]: { total: 1 } });
  });

  test.each(['/system/metrics', `/cluster/${NODE_ID}/metrics`])('a namespace at %s', async (path) => {
    expect((await call('GET', `${path}/namespace/a.`)).body.total).toBe(2);
    expect((await call('GET', `${path}/namespace/a.co`)).body.total).toBe(1);
    expect((await call('GET', `${path}/namespace/a`, as('partly'))).body.total).toBe(1);
    expect((await call('GET', `${path}/namespace/zzz`)).status).toBe(404);
    expect((await call('GET', `${path}/namespace/a`, as('nobody'))).status).toBe(404);
  });

  test('history', async () => {
    const { body } = await call('GET', '/system/metrics/a.count/history');
    expect(body).toMatchObject({ name: 'a.count', node: NODE_ID, type: 'counter' });
    expect(body.values[0]).toMatchObject({ count: 3, timestamp: expect.stringMatching(/Z$/) });
    expect((await call('GET', '/system/metrics/a.count/history?after=99999999999999')).body.values).toEqual(
      [],
    );
    expect((await call('GET', '/system/metrics/nothing/history')).status).toBe(404);
  });

  test('for Prometheus', async () => {
    const { body, response } = await call('GET', '/metrics');
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(body).toMatch(/^millrace_a_count_total 3$/m);
    expect((await node.api.fastify.inject({ url: '/api/metrics' })).statusCode).toBe(401);
    expect((await call('GET', '/metrics', as('nobody'))).status).toBe(403);
  });

  test('throughput is the rate of stored messages', async () => {
    expect((await call('GET', '/system/throughput')).body).toEqual({ throughput: 0 });
    node.metrics.gauge('org.graylog2.throughput.output.1-sec-rate', () => 41.6);
    expect((await call('GET', '/system/throughput')).body).toEqual({ throughput: 42 });
  });
});

describe('notifications', () => {
  test('are listed if the caller may read them, and can be removed', async () => {
    await node.system.notifications.publish({ type: 'generic', severity: 'urgent', details: { a: 1 } });
    await node.system.notifications.publish({ type: 'no_input_running' });
    expect((await call('GET', '/system/notifications')).body).toMatchObject({ total: 2 });
    expect((await call('GET', '/system/notifications', as('partly'))).body).toMatchObject({
      total: 1,
      notifications: [{ type: 'generic', severity: 'urgent', node_id: NODE_ID, details: { a: 1 } }],
    });
    expect((await call('GET', '/system/notifications', as('nobody'))).body.total).toBe(0);
    expect((await call('DELETE', '/system/notifications/generic')).status).toBe(204);
    expect(lastAudit()).toMatchObject({ action: 'notification.delete', objectId: 'generic' });
    expect((await call('DELETE', '/system/notifications/NO_INPUT_RUNNING')).status).toBe(204);
    expect((await call('GET', '/system/notifications')).body.total).toBe(0);
  });

  test('of an unknown type: 400 with the known types', async () => {
    const { status, body } = await call('DELETE', '/system/notifications/coffee');
    expect(status).toBe(400);
    for (const type of NOTIFICATION_TYPES) expect(body.message).toContain(type);
  });
});

test('shutdown is accepted and happens after the answer', async () => {
  const before = node.stopRequests();
  for (const path of ['/system/shutdown/shutdown', `/cluster/${NODE_ID}/shutdown`]) {
    expect((await call('POST', path)).status).toBe(202);
    expect(lastAudit()).toMatchObject({ action: 'node.shutdown', actor: 'admin' });
  }
  await new Promise(setImmediate);
  expect(node.stopRequests()).toBe(before + 2);
});

describe('what waits', () => {
  test('is shown by the names of buffers, in messages and in percent', async () => {
    const size = { input: 0, process: 1000, output: 400 };
    const usage = { input: 0, process: 250, output: 400 };
    for (const [name, most] of Object.entries(size)) {
      const waiting = usage[name as keyof typeof usage];
      node.metrics.gauge(`org.graylog2.buffers.${name}.size`, () => most);
      node.metrics.gauge(`org.graylog2.buffers.${name}.usage`, () => waiting);
    }
    const { status, body } = await call('GET', '/system/buffers');
    expect([status, body]).toEqual([
      200,
      {
        buffers: {
          input: { utilization_units: 0, utilization: 0 },
          process: { utilization_units: 250, utilization: 25 },
          output: { utilization_units: 400, utilization: 100 },
        },
      },
    ]);
    expect((await call('GET', '/system/buffers', as('nobody'))).status).toBe(403);
    node.metrics.remove('org.graylog2.buffers');
  });

  test('all nodes say up to when they have processed and stored', async () => {
    const { status, body } = await call('GET', '/cluster/processing/status');
    const time = '1970-01-01T00:00:00.000Z';
    expect([status, body]).toEqual([
      200,
      { [NODE_ID]: { receive_times: { ingest: time, post_processing: time, post_indexing: time } } },
    ]);
  });

  test('log lines are counted by level', async () => {
    const read = async () =>
      (await call('GET', '/system/metrics/org.apache.logging.log4j.core.Appender.warn')).body;
    expect((await read()).count).toEqual(expect.any(Number));
  });
});
