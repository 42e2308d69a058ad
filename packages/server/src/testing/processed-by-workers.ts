import { CODECS } from '#codecs/index.ts';
import { type Message, monotonicClock } from '#core/index.ts';
import { createProcessor } from '#processing/index.ts';
import type { StreamsService } from '#streams/service.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from './manual-clock.ts';
import { recordBatch } from './record-batch.ts';

/** What workers with the current snapshot make of a GELF message; fields that are left out have usual values. */
export function processedByWorkers(
  streams: Pick<StreamsService, 'snapshot'>,
  frame: object,
): readonly Message[] {
  const metrics = createMetrics({ clock: new ManualClock() });
  const deps = { metrics, monotonic: monotonicClock, codecs: CODECS, faulted: () => {} };
  const processor = createProcessor(deps, { partition: 'node-1/0' });
  const snapshot = streams.snapshot();
  if (snapshot === undefined) throw new Error('there is no snapshot');
  processor.useSnapshot(snapshot);
  const whole = { version: '1.1', host: 'web-1', short_message: 'text', ...frame };
  return processor.process(recordBatch([{ frame: whole }])).messages;
}
