import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#core/index.ts';
import { basic, fixtureAuthenticator } from '#testing/api-fixture.ts';
import { type ClusterFixture, sharedDatabase, startClusterFixture } from '#testing/cluster-fixture.ts';
import { until } from '#testing/eventually.ts';

/** Two nodes with real ports and one database, and a third that has stopped answering. */

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-2222-4222-8222-222222222222';
const HANGING = '33333333-3333-4333-8333-333333333333';
const users = {
  admin: ['*'],
  onlyfirst: [`system:read:${FIRST}`],
  nopause: ['system:read', `processing:changestate:${FIRST}`],
};
const authenticator = fixtureAuthenticator(users);
let database: Awaited<ReturnType<typeof sharedDatabase>>;
let first: ClusterFixture;
let second: ClusterFixture;
let hanging: Server;
let hangingBeat: NodeJS.Timeout;

beforeAll(async () => {
  database = await sharedDatabase();
  const settings = { heartbeatMs: 50, staleTimeoutMs: 5000, peerTimeoutMs: 3000 };
  const start = (nodeId: string) =>
    startClusterFixture({ nodeId, authenticator, metadataUri: database.uri, settings });
  first = await start(FIRST);
  second = await start(SECOND);
  hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  clearInterval(hangingBeat);
  hanging.closeAllConnections();
  hanging.close();
  await second.stop();
  await first.stop();
  await database.remove();
});

async function call(node: ClusterFixture, method: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${node.api.address()}/api${path}`, {
    ...init,
    method,
    headers: { authorization: basic('admin'), 'x-requested-by': 'test', ...init.headers },
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const nodesSeenBy = async (node: ClusterFixture) =>
  Object.keys((await call(node, 'GET', '/cluster')).body).sort();

describe('two nodes', () => {
  test('both appear in the answer of either, each as it reports itself', async () => {
    for (const node of [first, second]) {
      await until(async () => (await nodesSeenBy(node)).length === 2);
      const { body } = await call(node, 'GET', '/cluster');
      expect(body[FIRST]).toMatchObject({ node_id: FIRST, lifecycle: 'running', lb_status: 'alive' });
      expect(body[SECOND]).toMatchObject({ node_id: SECOND, lifecycle: 'running' });
      expect(body[FIRST].cluster_id).toBe(body[SECOND].cluster_id);
      expect((await call(node, 'GET', '/system/cluster/nodes')).body.total).toBe(2);
    }
  });

  test('show only nodes the caller may read', async () => {
    const { body } = await call(first, 'GET', '/cluster', { headers: { authorization: basic('onlyfirst') } });
    expect(Object.keys(body)).toEqual([FIRST]);
  });

  test('recognise the caller by a session cookie too', async () => {
    const response = await fetch(`${first.api.address()}/api/cluster`, {
      headers: { cookie: 'theme=dark; authentication=admin' },
    });
    expect(await response.json()).toMatchObject({ [SECOND]: { node_id: SECOND } });
  });

  test('can be queried through each other', async () => {
    expect((await call(first, 'GET', `/cluster/${SECOND}/jvm`)).body.node_id).toBe(SECOND);
    expect((await call(first, 'GET', `/cluster/${SECOND}/threaddump`)).body.threaddump).toContain('libuv');
    expect((await call(first, 'GET', `/cluster/${SECOND}/journal`)).body.enabled).toBe(false);
    second.metrics.counter('only.second').increment(4);
    const payload = { body: '{"metrics":["only.second"]}', headers: { 'content-type': 'application/json' } };
    expect((await call(first, 'POST', `/cluster/${SECOND}/metrics/multiple`, payload)).body).toMatchObject({
      total: 1,
      metrics: [{ metric: { count: 4 } }],
    });
    expect((await call(first, 'POST', '/cluster/metrics/multiple', payload)).body).toMatchObject({
      [FIRST]: { total: 0 },
      [SECOND]: { total: 1 },
    });
    const recent = `/cluster/system/loggers/${SECOND}/messages/recent?limit=3&level=info`;
    expect(await call(first, 'GET', recent)).toMatchObject({
      status: 200,
      body: { messages: expect.any(Array) },
    });
    const namespace = `/cluster/${SECOND}/metrics/namespace`;
    expect((await call(first, 'GET', `${namespace}/only.`)).body.total).toBe(1);
    expect((await call(first, 'GET', `${namespace}/no%2Fsuch%3Fthing`)).status).toBe(404);
    expect((await call(first, 'GET', `/cluster/${SECOND}/metrics/names`)).body.names).toContain(
      'only.second',
    );
  });

  test('can be changed through each other, and the changed node records it', async () => {
    const before = first.audited.length;
    expect((await call(first, 'POST', `/cluster/${SECOND}/processing/pause`)).status).toBe(204);
    expect(second.cluster.status.view().lifecycle).toBe('paused');
    expect(second.audited.at(-1)).toMatchObject({ actor: 'admin', action: 'node.pause_processing' });
    second.cluster.status.pauseProcessing({ locked: true });
    const locked = await call(first, 'POST', `/cluster/${SECOND}/processing/resume`);
    expect(locked).toMatchObject({ status: 403, body: { message: expect.stringContaining('locked') } });
    second.cluster.status.unlockPause();
    expect((await call(first, 'PUT', `/cluster/${SECOND}/processing/resume`)).status).toBe(204);
    expect((await call(first, 'PUT', `/cluster/${SECOND}/lbstatus/override/dead`)).status).toBe(204);
    expect(second.cluster.status.view().loadBalancerStatus).toBe('dead');
    expect((await call(first, 'DELETE', `/cluster/${SECOND}/lbstatus/override`)).status).toBe(204);
    expect(second.cluster.status.view().loadBalancerStatus).toBe('alive');
    expect(first.cluster.status.view().lifecycle).toBe('running');
    const level = `/cluster/system/loggers/${SECOND}/subsystems/api/level/debug`;
    expect((await call(first, 'PUT', level)).status).toBe(204);
    expect((await call(first, 'GET', '/cluster/system/loggers')).body).toMatchObject({
      [FIRST]: { loggers: { api: { level: 'info' } } },
      [SECOND]: { loggers: { api: { level: 'debug' } } },
    });
    expect((await call(first, 'POST', `/cluster/${SECOND}/shutdown`)).status).toBe(202);
    await until(() => second.stopRequests() === 1);
    expect(first.stopRequests()).toBe(0);
    expect(first.audited).toHaveLength(before);
  });

  test('check the permission for the target node', async () => {
    const headers = { authorization: basic('nopause') };
    const refused = await call(first, 'POST', `/cluster/${SECOND}/processing/pause`, { headers });
    expect(refused.status).toBe(403);
    expect(second.cluster.status.view().isProcessing).toBe(true);
  });

  test('find a job on any node', async () => {
    const id = second.system.jobs.start({
      name: 'x',
      description: 'x',
      isCancelable: true,
      run: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    expect((await call(first, 'GET', '/cluster/jobs')).body).toMatchObject({
      [FIRST]: { jobs: [] },
      [SECOND]: { jobs: [{ id }] },
    });
    expect((await call(first, 'GET', `/cluster/jobs/${id}`)).body.node_id).toBe(SECOND);
    expect((await call(first, 'DELETE', `/cluster/jobs/${id}`)).status).toBe(200);
    await until(() => second.system.jobs.find(id)?.state === 'cancelled');
    expect((await call(first, 'DELETE', `/cluster/jobs/${id}`)).status).toBe(403);
  });
});

describe('a node that hangs', () => {
  beforeAll(async () => {
    const { port } = hanging.address() as AddressInfo;
    const beat = () =>
      first.metadata.repositories.nodes.beat({
        nodeId: HANGING,
        hostname: 'hanging',
        transportAddress: `http://127.0.0.1:${port}/api/`,
        version: '1',
        startedAt: systemClock.now(),
        isLeader: false,
        details: {},
      });
    await beat();
    hangingBeat = setInterval(() => void beat(), 500);
    await until(() => first.cluster.registry.findActive(HANGING) !== undefined);
  });

  test('is null in the answer; the others are present', async () => {
    const { status, body } = await call(first, 'GET', '/cluster');
    expect(status).toBe(200);
    expect(body[HANGING]).toBeNull();
    expect(body[SECOND]).toMatchObject({ node_id: SECOND });
  });

  test('gives 503 when it is the target', async () => {
    expect(await call(first, 'GET', `/cluster/${HANGING}/jvm`)).toMatchObject({
      status: 503,
      body: { type: 'ApiError', message: expect.stringContaining('no answer within 3000 ms') },
    });
  });

  test('disappears from the answer when it is no longer seen', async () => {
    clearInterval(hangingBeat);
    await first.metadata.repositories.nodes.remove(HANGING);
    await until(async () => !(await nodesSeenBy(first)).includes(HANGING));
  });
});
