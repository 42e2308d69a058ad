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
