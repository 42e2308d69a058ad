import { expect, test } from 'vitest';
import { createDroppedFields, type JournalReader, systemClock } from '#core/index.ts';
import type { ProcessingSnapshot } from '#streams/index.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { createPartitionProcessing } from './partition-processing.ts';

test('a snapshot of streams that cannot be used does not keep the next one from being used', async () => {
  const attempts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let opened = 0;
  const processing = createPartitionProcessing({ post() {} })({} as JournalReader, {
    partition: 0,
    paused: true,
    metrics: createMetrics({ clock: systemClock }),
    logger: createLogger({ level: 'silent', pretty: false }),
    clock: systemClock,
    observer: undefined,
    lookups: { lookup: () => undefined, change: () => undefined },
    droppedFields: createDroppedFields(),
    outputs: {
      async open() {
        attempts[opened]?.resolve();
        opened += 1;
        if (opened === 1) throw new Error('the disk is full');
      },
      settled: async () => {},
    },
  });
  // Nothing is read from the snapshot before the storage is known.
  const snapshot = {} as ProcessingSnapshot;
  processing.receive({ kind: 'streams', snapshot });
  await attempts[0]?.promise;
  processing.receive({ kind: 'streams', snapshot });
  await attempts[1]?.promise;
  expect(opened).toBe(2);
  await processing.stop();
});
