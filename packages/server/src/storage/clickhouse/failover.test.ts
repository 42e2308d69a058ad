import { expect, test } from 'vitest';
import { PermanentError, RetryableError } from '#core/index.ts';
import { createFailover } from './failover.ts';

const unreachable = new RetryableError('connection refused');

test('servers take turns', async () => {
  const failover = createFailover(['a', 'b', 'c']);
  const asked: string[] = [];
  for (let i = 0; i < 4; i++) await failover.run(async (server) => asked.push(server));
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('only an unreachable server is skipped', async () => {
  const failover = createFailover(['a', 'b']);
  const answer = await failover.run(async (server) => {
    if (server === 'a') throw unreachable;
    return server;
  });
  expect(answer).toBe('b');
  await expect(failover.run(() => Promise.reject(new PermanentError('syntax')))).rejects.toThrow('syntax');
  await expect(failover.run(() => Promise.reject(unreachable))).rejects.toBe(unreachable);
});

test('an iteration changes the server only before the first piece', async () => {
  const failover = createFailover(['a', 'b']);
  const received: string[] = [];
  const iteration = failover.iterate(async function* (server) {
    if (server === 'a') throw unreachable;
    yield `${server}1`;
    throw unreachable;
  });
  await expect(
    (async () => {
      for await (const piece of iteration) received.push(piece);
    })(),
  ).rejects.toBe(unreachable);
  expect(received).toEqual(['b1']);
});

test("leaving an iteration ends the server's iteration", async () => {
  const failover = createFailover(['a']);
  let hasEnded = false;
  const iteration = failover.iterate(async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      hasEnded = true;
    }
  });
  for await (const _ of iteration) break;
  expect(hasEnded).toBe(true);
});
