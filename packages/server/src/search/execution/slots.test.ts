import { expect, test } from 'vitest';
import { TooManyRequestsError } from '#core/index.ts';
import { createSearchSlots } from './slots.ts';

test('each user may run a number of searches; the next one waits', async () => {
  const slots = createSearchSlots({ maxParallel: 2 });
  const first = await slots.enter('a');
  await slots.enter('a');
  await slots.enter('b');
  const order: string[] = [];
  const third = slots.enter('a').then((slot) => {
    order.push('third');
    return slot;
  });
  const fourth = slots.enter('a').then(() => order.push('fourth'));
  first.release();
  first.release();
  (await third).release();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

test('a full queue and a long wait are refused with a time to retry', async () => {
  const slots = createSearchSlots({ maxParallel: 1, maxWaiting: 1, maxWaitMs: 20 });
  const running = await slots.enter('a');
  const waiting = slots.enter('a');
  await expect(slots.enter('a')).rejects.toThrow('search_max_parallel');
  await expect(waiting).rejects.toThrow(TooManyRequestsError);
  const others = createSearchSlots({ maxParallel: 0, maxWaiting: 0, refusalMessage: 'not now' });
  await expect(others.enter('a')).rejects.toThrow('not now');
  running.release();
  (await slots.enter('a')).release();
});

test('a caller that leaves while waiting is removed from the queue', async () => {
  const slots = createSearchSlots({ maxParallel: 1 });
  const running = await slots.enter('a');
  const going = new AbortController();
  const waiting = slots.enter('a', going.signal);
  const next = slots.enter('a');
  going.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  running.release();
  (await next).release();
  await expect(slots.enter('a', AbortSignal.abort(new Error('gone before')))).rejects.toThrow('gone before');
});
