import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#core/index.ts';
import { basic, fixtureAuthenticator } from '#testing/api-fixture.ts';
import { type ClusterFixture, startClusterFixture } from '#testing/cluster-fixture.ts';

const NODE_ID = '11111111-2222-4333-8444-555555555555';
const users: Record<string, string[]> = {
  admin: ['*'],
  nobody: [],
  partly: ['loggers:read:api', 'loggers:readsubsystem:journal'],
};
let node: ClusterFixture;

beforeAll(async () => {
  node = await startClusterFixture({ nodeId: NODE_ID, authenticator: fixtureAuthenticator(users) });
});

afterAll(() => node.stop());

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more: InjectOptions = {}) {
  const response = await node.api.fastify.inject({
    ...more,
    method,
    url: `/api${path}`,
    headers: { authorization: basic('admin'), 'x-requested-by': 'test', ...more.headers },
  });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
}

const as = (user: string) => ({ headers: { authorization: basic(user) } });
const lastAudit = (): AuditEntry | undefined => node.audited.at(-1);

describe('jobs', () => {
  test('are listed while they run and can be cancelled, here and through the cluster', async () => {
    for (const path of ['/system/jobs', '/cluster/jobs']) {
      const id = node.system.jobs.start({
        name: 'delete-index',
        description: 'Deletes an index',
        isCancelable: true,
        run: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      });
      const list = (await call('GET', path)).body;
      const jobs = path === '/system/jobs' ? list.jobs : list[NODE_ID].jobs;
      expect(jobs).toMatchObject([
        { id, name: 'delete-index', node_id: NODE_ID, percent_complete: 0, is_cancelable: true },
      ]);
      expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ id, job_status: 'running' });
      expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
      expect(lastAudit()).toMatchObject({ action: 'system_job.cancel', objectId: id });
      while (node.system.jobs.find(id)?.state === 'running') await new Promise(setImmediate);
      expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ job_status: 'cancelled' });
      expect((await call('DELETE', `${path}/${id}`)).status).toBe(403);
      expect((await call('GET', `${path}/unknown`)).status).toBe(404);
      expect((await call('DELETE', `${path}/unknown`)).status).toBe(404);
    }
  });

  test('are hidden from users who may not read them', async () => {
    const id = node.system.jobs.start({ name: 'x', description: 'x', run: async () => {} });
    users.reader = [`systemjobs:read:${id}`];
    expect((await call('GET', '/system/jobs', as('nobody'))).body).toEqual({ jobs: [] });
    expect((await call('GET', `/system/jobs/${id}`, as('nobody'))).status).toBe(403);
    expect((await call('GET', `/system/jobs/${id}`, as('reader'))).status).toBe(200);
  });

  test('can be started by name if offered', async () => {
    node.system.jobs.offer('sweep', () => ({ name: 'sweep', description: 'Sweeps', run: async () => {} }));
    const started = await call('POST', '/system/jobs', { payload: { job_name: 'sweep' } });
    expect(started.status).toBe(202);
    expect(node.system.jobs.find(started.body.system_job_id)?.name).toBe('sweep');
    const unknown = await call('POST', '/system/jobs', { payload: { job_name: 'dance' } });
    expect([unknown.status, unknown.body.message]).toEqual([400, 'No such job: "dance". Known: sweep.']);
  });
});

describe('loggers', () => {
  test('are listed with their levels and can be changed', async () => {
    const before = (await call('GET', '/system/loggers')).body;
    expect(before.loggers.api).toEqual({ level: 'info', level_syslog: 6 });
    expect(before.total).toBe(Object.keys(before.loggers).length);
    expect((await call('PUT', '/system/loggers/api/level/DEBUG')).status).toBe(204);
    expect(lastAudit()).toMatchObject({
      action: 'logger.update',
      objectId: 'api',
      after: { level: 'debug' },
    });
    expect((await call('GET', '/system/loggers')).body.loggers.api.level).toBe('debug');
    expect((await call('PUT', '/system/loggers/subsystems/api/level/info')).status).toBe(204);
    expect((await call('GET', '/system/loggers/subsystems')).body.subsystems.api.level).toBe('info');
    const all = (await call('GET', '/cluster/system/loggers')).body;
    expect(all[NODE_ID].loggers.api.level).toBe('info');
    expect((await call('GET', '/cluster/system/loggers/subsystems')).body[NODE_ID]).toHaveProperty(
      'subsystems',
    );
    const path = `/cluster/system/loggers/${NODE_ID}/subsystems/api/level/warn`;
    expect((await call('PUT', path)).status).toBe(204);
    expect((await call('GET', '/system/loggers')).body.loggers.api.level).toBe('warn');
    await call('PUT', '/system/loggers/subsystems/millrace/level/info');
  });

  test('unknown loggers and unknown levels are refused', async () => {
    expect((await call('PUT', '/system/loggers/coffee/level/debug')).status).toBe(404);
    expect((await call('PUT', '/system/loggers/subsystems/coffee/level/debug')).status).toBe(404);
    expect((await call('PUT', '/system/loggers/api/level/loud')).status).toBe(400);
  });

  test('are shown if the caller may read them', async () => {
    expect((await call('GET', '/system/loggers', as('partly'))).body).toMatchObject({ total: 1 });
    const { subsystems } = (await call('GET', '/system/loggers/subsystems', as('partly'))).body;
    expect(Object.keys(subsystems)).toEqual(['journal']);
  });

  test('return their newest lines', async () => {
    await node.system.systemMessages.publish('test', 'a line to be found');
    const { body } = await call('GET', '/system/loggers/messages/recent?limit=50&level=INFO');
    const line = body.messages.find((each: { message: string }) => each.message === 'a line to be found');
    expect(line).toMatchObject({ class_name: 'system-messages', level: 'INFO', context: { caller: 'test' } });
    expect((await call('GET', '/system/loggers/messages/recent?level=error')).status).toBe(200);
    expect((await call('GET', '/system/loggers/messages/recent?level=loud')).status).toBe(400);
  });
});
