import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openApiDocument } from '#api/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { basic } from '#testing/api-fixture.ts';
import { type FuzzRequest, fuzzApi } from '#testing/api-fuzz.ts';
import { eventually } from '#testing/eventually.ts';
import { anExtractor } from '#testing/extractor-samples.ts';
import { createInputsFixture, type InputsFixture } from '#testing/inputs-fixture.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { obedientWorkers } from '#testing/obedient-workers.ts';
import { permissionMatrixProblems } from '#testing/permission-matrix.ts';
import { createPortClaims } from './management/port-claims.ts';

let metadata: Metadata;
const running: InputsFixture[] = [];

beforeEach(async () => {
  metadata = await openTestMetadata();
});
afterEach(async () => {
  for (const fixture of running.splice(0)) await fixture.close();
  await metadata.close();
});

async function start(options: Partial<Parameters<typeof createInputsFixture>[0]> = {}) {
  const parts = obedientWorkers();
  const fixture = await createInputsFixture({
    workers: parts.workers,
    metadata,
    claims: createPortClaims(async (_transport, _address, port) => port || 4711),
    ...options,
  });
  running.push(fixture);
  return { ...parts, ...fixture };
}

const request = (changes: Record<string, unknown> = {}) => ({
  title: 'Shop',
  type: 'gelf-tcp',
  global: true,
  configuration: { bind_address: '127.0.0.1', port: 1000 },
  ...changes,
});

test('what operators were told of disabled extractors goes with their input', async () => {
  const { call, notifications } = await start();
  const { extractors, notifications: stored } = metadata.repositories;
  const { id } = (await call('POST', '/system/inputs', request())).body;
  const other = (await call('POST', '/system/inputs', request({ configuration: { port: 1001 } }))).body.id;
  const created = await extractors.insert([anExtractor(id), anExtractor(other)]);
  for (const { id: key } of created) {
    await extractors.disable(key, 'too slow');
    await stored.publish({ type: 'extractor_disabled', key, severity: 'urgent', nodeId: 'a', details: {} });
  }
  expect((await call('DELETE', `/system/inputs/${id}`)).status).toBe(204);
  expect(await notifications()).toEqual([`extractor_disabled ${created[1]?.id}`]);
});

describe('several nodes', () => {
  test('what one of them changes the others do too', async () => {
    const [a, b] = [
      await start({ nodeId: 'a', refreshIntervalMs: 5 }),
      await start({ nodeId: 'b', refreshIntervalMs: 5 }),
    ];
    const { id } = (await a.call('POST', '/system/inputs', request())).body;
    const stateOn = async (node: typeof b) =>
      (await node.call('GET', `/system/inputstates/${id}`)).body.state ?? 'none';
    await eventually(async () => expect(await stateOn(b)).toBe('RUNNING'));
    await a.call('DELETE', `/system/inputstates/${id}`);
    await eventually(async () => expect(await stateOn(b)).toBe('STOPPED'));
    await b.call('DELETE', `/system/inputs/${id}`);
    await eventually(async () => expect(await stateOn(a)).toBe('none'));
  });

  test('an input of one node runs there only', async () => {
    const [a, b] = [
      await start({ nodeId: 'a', refreshIntervalMs: 5 }),
      await start({ nodeId: 'b', refreshIntervalMs: 5 }),
    ];
    const { id } = (await a.call('POST', '/system/inputs', request({ global: false }))).body;
    expect((await a.call('GET', `/system/inputs/${id}`)).body.node).toBe('a');
    expect((await b.call('GET', '/system/inputs')).body.total).toBe(1);
    expect((await b.call('GET', '/system/inputstates')).body.states).toEqual([]);
    expect((await b.call('PUT', `/system/inputstates/${id}`)).status).toBe(404);
    expect((await b.call('PUT', `/cluster/inputstates/${id}`)).status).toBe(404);
  });

  test('that start together make the default inputs once', async () => {
    const nodes = await Promise.all(
      ['a', 'b', 'c'].map((nodeId) => start({ nodeId, withDefaultInputs: true, refreshIntervalMs: 5 })),
    );
    expect((await nodes[0]?.call('GET', '/system/inputs'))?.body.total).toBe(3);
  });
});

describe('routes of inputs', () => {
  test('ask for their permission', async () => {
    const users: Record<string, string[]> = {};
    let count = 0;
    const { routes, api } = await start({ users });
    const problems = await permissionMatrixProblems(routes, {
      send: (sent) => api.fastify.inject({ ...sent, headers: { ...sent.headers } }),
      userWith: async (permissions) => {
        const name = `user${count++}`;
        users[name] = [...permissions];
        return { authorization: basic(name) };
      },
    });
    expect(problems).toEqual([]);
  });

  test('answer any request without a fault', async () => {
    const { routes, api, call } = await start();
    await call('POST', '/system/inputs', request());
    const report = await fuzzApi(openApiDocument(routes, { version: '1' }), {
      send: (sent: FuzzRequest) => api.fastify.inject({ ...sent, headers: { ...sent.headers } }),
      credentials: { authorization: basic('admin') },
      runsPerOperation: 25,
    });
    expect(report.statuses[200]).toBeGreaterThan(0);
  }, 30_000);
});
