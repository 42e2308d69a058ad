import { expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { createFaultLedger, monotonicClock } from '#core/index.ts';
import { NO_PIPELINES } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { sketched } from '#testing/extractor-processing.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { processingSnapshot, testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { namingChanges, type Step } from './framework/index.ts';
import { createProcessor } from './processor.ts';

/** `Message.gelfFrame` of what processing makes of clean frames: -1 where it may have changed the message. */

const OTHER = { ...FIXTURE_SOURCE, inputId: '68a1b2c3d4e5f60718293aff' };
const clean = (name: string, source = FIXTURE_SOURCE) => ({
  source,
  frame: { version: '1.1', host: 'web-1', short_message: 'a b', timestamp: 1767225600, level: 6, _app: name },
});
const RECORDS = [clean('shop'), { frame: '{broken' }, clean('mail'), clean('shop', OTHER)];

function framesAfter(changes: Parameters<typeof processingSnapshot>[0], steps: readonly Step[] = []) {
  const processor = createProcessor(
    {
      metrics: createMetrics({ clock: new ManualClock() }),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      messageProcessors: steps.map((step) => ({ id: step.name, createStep: () => step })),
    },
    { partition: 'node-1/0' },
  );
  processor.useSnapshot(processingSnapshot(changes));
  const records = recordBatch(RECORDS, 40);
  const batch = processor.process(records);
  expect(batch.records).toBe(records);
  return batch.messages.map(({ gelfFrame }) => gelfFrame);
}

const input = (staticFields: Record<string, string>, overrideSource?: string) => ({
  inputs: [{ id: FIXTURE_SOURCE.inputId, staticFields, overrideSource, configuration: {} }],
});

test('clean frames are known by their records; a failure has none', () => {
  expect(framesAfter({})).toEqual([0, -1, 2, 3]);
  expect(framesAfter(input({}))).toEqual([0, -1, 2, 3]);
});

test.each([
  ['static fields', input({ site: 'north' })],
  ['another source', input({}, 'else')],
  ['extractors', { extractors: [sketched({})] }],
])('%s of an input change its messages', (_, changes) => {
  expect(framesAfter(changes)).toEqual([-1, -1, -1, 3]);
});

test('a pipeline changes the messages of its streams, and adds some that came in no frame', () => {
  const ledger = createFaultLedger();
  const source = 'rule "copy" when not has_field("seen") then set_field("seen", "yes"); clone_message(); end';
  const frames = framesAfter({
    streams: [testStream('shop')],
    faults: ledger.memory,
    pipelines: {
      ...NO_PIPELINES,
      rules: [{ id: 'r', name: 'copy', source, faultSlot: ledger.slotOf('r') }],
      pipelines: [{ id: 'p', name: 'p', source: 'pipeline "p" stage 0 match all rule "copy" end' }],
      connections: [{ streamId: 'shop', pipelineIds: ['p'] }],
    },
  });
  expect(frames).toEqual([-1, -1, -1, 2, -1, -1]);
});

test('a step that does not name what it changes may have changed everything', () => {
  const silent: Step = function silent() {};
  const naming: Step = namingChanges(function naming({ messages }) {
    for (const message of messages) if (message.getField('app') === 'mail') message.gelfFrame = -1;
  });
  expect(framesAfter({}, [naming])).toEqual([0, -1, -1, 3]);
  expect(framesAfter({}, [silent])).toEqual([-1, -1, -1, -1]);
});
