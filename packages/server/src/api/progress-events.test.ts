import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { progressEvents } from './progress-events.ts';

const logger = pino({ level: 'silent' });

test('progress comes first, then the result', async () => {
  const step = Promise.withResolvers<void>();
  const events = await progressEvents(logger, async (report) => {
    report({ percent: 1 });
    await step.promise;
    report({ percent: 99 });
    return { done: true };
  });
  const all = text(events);
  step.resolve();
  expect(await all).toMatch(/^event: progress\ndata: .*event: result\ndata: {"done":true}\n\n$/s);
});

test('an error before any progress is thrown; a later one is an event', async () => {
  await expect(progressEvents(logger, () => Promise.reject(new InvalidError('bad query')))).rejects.toThrow(
    'bad query',
  );
  const events = await progressEvents(logger, async (report) => {
    report({ percent: 1 });
    await Promise.resolve();
    throw new InvalidError('too much');
  });
  expect(await text(events)).toContain(
    'event: error\ndata: {"type":"ApiError","message":"too much","problems":[{"path":"","message":"too much"}]}',
  );
});

test('a slow reader misses progress, but no other event', async () => {
  const events = await progressEvents(logger, async (report, send) => {
    for (let at = 0; at < 3; at++) {
      report({ at });
      send('partial', { at });
    }
    return {};
  });
  const names = (await text(events)).match(/event: \w+\ndata: .*/g);
  expect(names).toEqual([
    'event: partial\ndata: {"at":0}',
    'event: partial\ndata: {"at":1}',
    'event: progress\ndata: {"at":2}',
    'event: partial\ndata: {"at":2}',
    'event: result\ndata: {}',
  ]);
});
