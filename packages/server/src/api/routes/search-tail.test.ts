import { parseQuery } from '@millrace/query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NodeCalls, PeerRequest } from '#cluster/service.ts';
import { InvalidError, monotonicClock, systemClock } from '#core/index.ts';
import { createLiveTail, type WantedTails } from '#search/tail/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { eventually } from '#testing/eventually.ts';
import { routeProblems } from '#testing/route-problems.ts';
import { openApiDocument } from '../openapi/document.ts';
import { searchTailRoutes } from './search-tail.ts';

const NODE = 'node-1';
let fixture: ApiFixture;
let wanted: WantedTails | undefined;
let calls: { readonly nodeId: string; readonly request: PeerRequest }[];

function createRoutes() {
  const tail = createLiveTail(
    {
      publish(tails) {
        wanted = tails;
        return 0;
      },
      parse(text) {
        const { query, problems } = parseQuery(text);
        if (query === undefined) throw new InvalidError('not understood');
        return { query, warnings: problems };
      },
      asksForFailures: () => false,
      streamIds: () => ['a', 'b'],
      clock: systemClock,
      monotonic: monotonicClock,
      logger: createLogger({ level: 'silent' }),
    },
    { nodeId: NODE, maxFollowers: 10, maxFollowersPerUser: 2 },
  );
  const nodeCalls: NodeCalls = {
    async onNode(nodeId, request, _schema, own) {
      if (nodeId === NODE) return own();
      calls.push({ nodeId, request });
      return undefined as never;
    },
    onAllNodes: () => ({}),
    otherNodes: () => ['node-2'],
    async openOnNode(nodeId, request) {
      calls.push({ nodeId, request });
      throw new Error('away');
    },
  };
  return searchTailRoutes({ tail, nodeCalls });
}

beforeEach(async () => {
  calls = [];
  wanted = undefined;
  fixture = await createApiFixture(createRoutes(), {
    users: { admin: ['*'], ada: ['streams:read:a'], eve: [] },
  });
  await fixture.api.start();
});
afterEach(() => fixture.api.stop());

const call = (path: string, user = 'admin', init: RequestInit = {}) =>
  fetch(`${fixture.api.address()}/api/search/tail${path}`, {
    ...init,
    headers: { authorization: basic(user), 'x-requested-by': 'test' },
  });

/** Reads until the event arrives, and keeps the connection open. */
async function eventOf(response: Response, event: string) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body?.values({ preventCancel: true }) ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const data = new RegExp(`^event: ${event}\ndata: (.*)\n\n`, 'm').exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`no event ${event}: ${text}`);
}

test('the routes have no problems', () => {
  const routes = createRoutes();
  expect(routeProblems(routes)).toEqual([]);
  expect(openApiDocument(routes, { version: '1' }).paths['/search/tail']).toBeDefined();
});

test('answers with events that must not be cached or buffered, and releases a client that disconnects', async () => {
  const response = await call('?query=red&streams=a,b&fields=message&rate=5&timezone=Europe/Berlin');
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(await eventOf(response, 'open')).toMatchObject({ query: 'red', streams: ['a', 'b'], rate: 5 });
  expect(calls).toMatchObject([{ nodeId: 'node-2' }]);
  const path = new URL(calls[0]?.request.path ?? '', 'http://node-2/api/');
  expect(Object.fromEntries(path.searchParams)).toEqual({
    query: 'red',
    rate: '5',
    timezone: 'Europe/Berlin',
    cluster: 'false',
    streams: 'b',
    fields: 'message',
  });
  expect(path.searchParams.getAll('streams')).toEqual(['a', 'b']);
  await response.body?.cancel();
  await eventually(() => expect(wanted?.tails).toEqual([]));
});

test('a HEAD request follows nothing', async () => {
  expect((await call('', 'admin', { method: 'HEAD' })).status).toBe(200);
  await eventually(() => expect(wanted?.tails).toEqual([]));
});

test('an invalid request is refused with the reason', async () => {
  const statuses = ['?query=(', '?rate=0', '?rate=1001', '?timezone=Atlantis', '?cluster=perhaps'].map(
    async (path) => (await call(path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([400, 400, 400, 400, 400]);
  expect((await call('', 'eve')).status).toBe(403);
  expect((await call('?streams=b', 'ada')).status).toBe(403);
  expect((await call('', 'stranger')).status).toBe(401);
});

test('pauses for the owner, calls the node that has the tail, and does not know other tails', async () => {
  const response = await call('?cluster=false', 'ada');
  const { id } = await eventOf(response, 'open');
  const pause = (tail: string, user: string) =>
    call(`/${encodeURIComponent(tail)}/pause`, user, { method: 'POST' }).then(({ status }) => status);
  expect(await pause(id, 'ada')).toBe(204);
  expect(await pause(id, 'admin')).toBe(404);
  expect(await pause('nothing', 'ada')).toBe(404);
  expect(await pause(`${NODE}.nothing`, 'ada')).toBe(404);
  expect(await pause('node-2.x/y', 'ada')).toBe(204);
  expect(calls).toMatchObject([
    { nodeId: 'node-2', request: { method: 'POST', path: 'search/tail/node-2.x%2Fy/pause' } },
  ]);
  await response.body?.cancel();
});

test('one tail too many is refused with Retry-After', async () => {
  const open = [await call(''), await call('')];
  const refused = await call('');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  for (const { body } of open) await body?.cancel();
});
