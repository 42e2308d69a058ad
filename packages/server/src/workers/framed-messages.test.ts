import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODECS, createMessageEncoder } from '#codecs/index.ts';
import { type JournalReader, type Message, monotonicClock, type RoutedBatch } from '#core/index.ts';
import { createProcessor, type Step } from '#processing/index.ts';
import { createMessageBlock, type MessageBlockConfig, readNativeBlock } from '#storage/index.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { processingSnapshot, testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { SeenFields } from '../storage/seen-fields.ts';
import { createConsumer } from './consumer.ts';

/**
 * Messages that stay in their frames until somebody reads them, and those that are decoded at once: what is stored, routed and
 * sent on is the same.
 */

const rule = (type: number, field: string, value: string) => ({
  id: 'r',
  type,
  field,
  value,
  inverted: false,
});
const STREAMS = [
  testStream('s1', { rules: [rule(6, 'message', 'error')] }),
  testStream('s2', { rules: [rule(3, 'n', '500')] }),
  testStream('s3', { rules: [rule(5, 'text', '')] }),
  testStream('s4', { rules: [rule(1, 'source', 'web-1')] }),
];

function aProcessor(leaveInFrames: boolean, steps: readonly Step[] = []) {
  const processor = createProcessor(
    {
      metrics: createMetrics({ clock: new ManualClock() }),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      messageProcessors: steps.map((step) => ({ id: step.name, createStep: () => step })),
    },
    { partition: 'node-1/0', leaveInFrames },
  );
  processor.useSnapshot(processingSnapshot({ streams: STREAMS }));
  return processor;
}

/** A block that takes batches, and what it says when it is read. */
function aBlock(config: Partial<MessageBlockConfig>) {
  const seenFields = new SeenFields('set-a');
  const block = createMessageBlock({ indexSetId: 'set-a', nodeId: 'node-1', seenFields, ...config });
  return {
    take({ messages, targets }: RoutedBatch) {
      for (const [index, message] of messages.entries()) {
        const target = targets[index];
        if (target !== undefined) block.append(message, target);
      }
      block.settle();
    },
    read() {
      const { rows, column } = readNativeBlock(block.encode(3));
      return {
        rows,
        columns: ['timestamp', 'id_offset', 'source', 'level', 'streams', 'text', 'fields'].map(column),
        lengths: ['message_length', 'full_message_length'].map(column),
        names: [...block.fieldNames].sort(),
        fingerprint: block.fingerprint,
        frameBytes: block.frameBytes,
        news: seenFields
          .takeNews()
          .map((news) => JSON.stringify(news))
          .sort(),
      };
    },
  };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.toWellFormed()),
  fc.constantFrom('', 'error', 'an error: é', 'C:\\Windows\\System32', '"', '\u0001\n', 'x'.repeat(200)),
);
const number = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ noNaN: true }));
const NAMES = ['_text', '_n', '_a.b', 'facility'];
const frame = fc
  .record({
    host: fc.constantFrom('web-1', 'web-2', 'ä', 'error'),
    short_message: text.map((each) => `m ${each}`),
    timestamp: fc.integer({ min: 1, max: 4_000_000_000_000 }).map((each) => each / 1000),
    level: fc.integer({ min: 0, max: 7 }),
    fields: fc.subarray([0, 1, 2, 3]),
    values: fc.tuple(text, number, fc.oneof(fc.boolean(), text, number, fc.constant(null)), text),
    full: fc.option(text, { nil: undefined }),
    missing: fc.constantFrom([], [], ['level'], ['timestamp'], ['version', 'timestamp', 'level']),
  })
  .map(({ fields, values, full, missing, ...head }) =>
    JSON.stringify({
      version: '1.1',
      ...head,
      ...Object.fromEntries(missing.map((key) => [key, undefined])),
      ...(full !== undefined && { full_message: `full ${full}` }),
      ...Object.fromEntries(fields.map((at) => [NAMES[at], values[at]])),
      // Now and then one that has to be decoded.
      ...(head.level === 0 && { _list: [1] }),
    }),
  );

/** Changes some of the messages, as pipelines and extractors do. */
function changes({ messages }: Parameters<Step>[0]): void {
  for (const [index, message] of messages.entries()) {
    if (index % 9 === 1) message.setField('n', index);
    if (index % 9 === 3) message.removeField('text');
    if (index % 9 === 5) message.message = `${message.message} changed`;
    if (index % 9 === 7) message.fullMessage = undefined;
  }
}

test('what is stored and sent on is the same', () => {
  const encoder = createMessageEncoder();
  const content = (message: Message) => [message.id, String(encoder.encode(message))];
  const fieldTypes = fc.constantFrom({}, { fieldTypes: { 'a.b': 'string' } as const });
  // They know the shapes of all messages after a while.
  const processors = [[], [Object.assign(changes, { namesChanges: true as const })]].map((steps) => ({
    one: aProcessor(true, steps),
    other: aProcessor(false, steps),
  }));
  const batches = fc.array(fc.array(frame, { minLength: 16, maxLength: 40 }), { minLength: 3, maxLength: 6 });
  let framed = 0;
  fc.assert(
    fc.property(batches, fieldTypes, fc.constantFrom(...processors), (all, config, { one, other }) => {
      const [block, expected] = [aBlock(config), aBlock(config)];
      for (const [index, frames] of all.entries()) {
        const records = () =>
          recordBatch(
            frames.map((each) => ({ frame: each })),
            index * 100,
          );
        const batch = one.process(records());
        const decoded = other.process(records());
        framed += batch.messages.filter(({ frames: left }) => left !== undefined).length;
        expect(batch.targets).toEqual(decoded.targets);
        block.take(batch);
        expected.take(decoded);
        expect(batch.messages.map(content)).toEqual(decoded.messages.map(content));
      }
      expect(block.read()).toEqual(expected.read());
    }),
  );
  expect(framed).toBeGreaterThan(300);
});

test('batches that are replayed as one', async () => {
  const framesOf = (batch: number) =>
    Array.from({ length: 50 }, (_, n) => ({
      frame: {
        version: '1.1',
        host: 'h',
        short_message: `m${batch}-${n}`,
        timestamp: 1,
        level: 6,
        _n: batch,
      },
    }));
  const records = [0, 1, 2].map((batch) => recordBatch(framesOf(batch), batch * 50));
  const replayed = Promise.withResolvers<RoutedBatch>();
  const replays = [{ token: 't', fromOffset: 0, endOffset: 150, records }];
  const reader = {
    closed: true,
    nextReplay: async () => replays.shift(),
  } as unknown as JournalReader;
  const consumer = createConsumer(
    {
      reader,
      processor: aProcessor(true),
      sinks: {
        write: () => undefined,
        replay: async (batch) => replayed.resolve(batch),
        whileWaiting: (work) => work,
        stop: async () => {},
      },
      logger: createLogger({ level: 'silent' }),
    },
    { paused: false },
  );
  const { messages } = await replayed.promise;
  await consumer.stop();
  expect(messages.map(({ message }) => message)).toEqual(
    [0, 1, 2].flatMap((batch) => Array.from({ length: 50 }, (_, n) => `m${batch}-${n}`)),
  );
  expect(messages.map((message) => message.getField('n'))).toEqual(
    [0, 1, 2].flatMap((n) => Array(50).fill(n)),
  );
});
