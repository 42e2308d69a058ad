import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApiFixture } from '#testing/api-fixture.ts';
import { defineRoute } from './route.ts';

const things = { tag: 'Things', errors: [] } as const;

test('a node that stops answers what it was asked before', async () => {
  const waiting = Promise.withResolvers<void>();
  const found = Promise.withResolvers<void>();
  const route = defineRoute({
    ...things,
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    permission: { kind: 'public' },
    responses: { 200: z.strictObject({}) },
    handler: async ({ signal }) => {
      waiting.resolve();
      await found.promise;
      signal.throwIfAborted();
      return {};
    },
  });
  const slow = await createApiFixture([route], { settings: { lastAnswersTimeoutMs: 60_000 } });
  await slow.api.start();
  const answer = fetch(`${slow.api.address()}/api/slow`);
  await waiting.promise;
  const stopped = slow.api.stop();
  found.resolve();
  expect((await answer).status).toBe(200);
  await stopped;
});

test('a request that a stopping node ends is answered 503, not as a fault', async () => {
  const waiting = Promise.withResolvers<void>();
  const route = defineRoute({
    ...things,
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    permission: { kind: 'public' },
    responses: { 200: z.strictObject({}) },
    handler: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        waiting.resolve();
      }),
  });
  const slow = await createApiFixture([route], { settings: { lastAnswersTimeoutMs: 20 } });
  await slow.api.start();
  const answer = fetch(`${slow.api.address()}/api/slow`);
  await waiting.promise;
  const stopped = slow.api.stop();
  const { status, body } = await answer.then(async (answered) => ({
    status: answered.status,
    body: (await answered.json()) as { message: string },
  }));
  expect([status, body.message]).toEqual([503, expect.stringContaining('stopping')]);
  await stopped;
});
