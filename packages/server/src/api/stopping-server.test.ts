import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApiFixture } from '#testing/api-fixture.ts';
import { defineRoute } from './route.ts';

/** A server with one route, which is being asked. */
async function startAsked(
  lastAnswersTimeoutMs: number,
  handle: (signal: AbortSignal) => Promise<Record<string, never>>,
) {
  const asked = Promise.withResolvers<void>();
  const route = defineRoute({
    tag: 'Things',
    errors: [],
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    permission: { kind: 'public' },
    responses: { 200: z.strictObject({}) },
    handler: ({ signal }) => {
      asked.resolve();
      return handle(signal);
    },
  });
  const { api } = await createApiFixture([route], { settings: { lastAnswersTimeoutMs } });
  await api.start();
  const answer = fetch(`${api.address()}/api/slow`);
  await asked.promise;
  return { api, answer };
}

test('a node that stops answers what it was asked before', async () => {
  const found = Promise.withResolvers<void>();
  const { api, answer } = await startAsked(60_000, async (signal) => {
    await found.promise;
    signal.throwIfAborted();
    return {};
  });
  const stopped = api.stop();
  found.resolve();
  expect((await answer).status).toBe(200);
  await stopped;
});

test('a request that a stopping node ends is answered 503, not as a fault', async () => {
  const { api, answer } = await startAsked(
    20,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const stopped = api.stop();
  const { status, body } = await answer.then(async (answered) => ({
    status: answered.status,
    body: (await answered.json()) as { message: string },
  }));
  expect([status, body.message]).toEqual([503, expect.stringContaining('stopping')]);
  await stopped;
});
