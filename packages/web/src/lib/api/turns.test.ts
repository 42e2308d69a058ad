import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('only so many work at a time, the others in order', async () => {
  const turns = createTurns(2);
  const began: number[] = [];
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const done = works.map((work, at) =>
    turns.run(undefined, () => {
      began.push(at);
      return work.promise;
    }),
  );
  await Promise.resolve();
  expect(began).toEqual([0, 1]);
  works[1]?.resolve();
  await done[1];
  expect(began).toEqual([0, 1, 2]);
  works[0]?.reject(new Error('failed'));
  await expect(done[0]).rejects.toThrow('failed');
  expect(began).toEqual([0, 1, 2, 3]);
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all([done[2], done[3]]);
});

test('whoever gives up while waiting takes nobody’s turn', async () => {
  const turns = createTurns(1);
  const first = Promise.withResolvers<void>();
  const running = turns.run(undefined, () => first.promise);
  const controller = new AbortController();
  const given = turns.run(controller.signal, () => Promise.reject(new Error('never begun')));
  const last = turns.run(undefined, async () => 'last');
  controller.abort(new Error('gave up'));
  await expect(given).rejects.toThrow('gave up');
  first.resolve();
  await running;
  expect(await last).toBe('last');
  await expect(turns.run(AbortSignal.abort(new Error('late')), async () => 1)).rejects.toThrow('late');
});
