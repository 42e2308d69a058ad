import { expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import { createWorkSlots } from './work-slots.ts';

test('limits concurrency, runs in order of arrival and frees slots after failures', async () => {
  const slots = createWorkSlots({ concurrency: 2, maxWaiting: 100 });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      slots.run(async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(index);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 7 === 0) throw new Error('no');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(8);
  await expect(slots.run(async () => 'still works')).resolves.toBe('still works');
});

test('rejects with a retryable error when the queue is full', async () => {
  const slots = createWorkSlots({ concurrency: 1, maxWaiting: 1 });
  let finish = () => {};
  const first = slots.run(() => new Promise<void>((resolve) => (finish = resolve)));
  const second = slots.run(async () => 'second');
  await expect(slots.run(async () => 'third')).rejects.toBeInstanceOf(RetryableError);
  finish();
  await first;
  await expect(second).resolves.toBe('second');
  await expect(slots.run(async () => 'fourth')).resolves.toBe('fourth');
});
