import { expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { processingSnapshot, testStream } from '#testing/processing-snapshot.ts';
import { createStreamNews } from './stream-news.ts';

const turn = () => new Promise(setImmediate);

function create(beforeStreams: (outputIds: readonly string[]) => Promise<void>) {
  const told: number[] = [];
  const timers = new ManualClock();
  const changed = createStreamNews({
    beforeStreams,
    tell: ({ version }) => void told.push(version),
    logger: createLogger({ level: 'silent' }),
    timers,
  });
  return { told, timers, changed };
}

test('workers hear of the outputs of the streams before the streams', async () => {
  const asked: (readonly string[])[] = [];
  const { promise: outputsTold, resolve: outputsAreTold } = Promise.withResolvers<void>();
  const { told, changed } = create((outputIds) => {
    asked.push(outputIds);
    return outputsTold;
  });
  changed(processingSnapshot({ version: 1, streams: [testStream('a', { outputIds: ['o1'] })] }));
  await turn();
  expect([asked, told]).toEqual([[['o1']], []]);
  outputsAreTold();
  await turn();
  expect(told).toEqual([1]);
});

test('outputs that cannot be read for a moment delay the streams, and end nothing', async () => {
  let failures = 2;
  const { told, timers, changed } = create(async () => {
    if (failures-- > 0) throw new RetryableError('the connection was lost');
  });
  changed(processingSnapshot({ version: 1 }));
  await turn();
  // Meanwhile there are newer ones: the workers need only those.
  changed(processingSnapshot({ version: 2 }));
  timers.advance(100);
  await turn();
  expect(told).toEqual([]);
  timers.advance(200);
  await turn();
  expect(told).toEqual([2]);
  changed(processingSnapshot({ version: 3 }));
  await turn();
  expect(told).toEqual([2, 3]);
});
