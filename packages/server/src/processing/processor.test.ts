import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { createFaultLedger, monotonicClock } from '#core/index.ts';
import type { ProcessingSnapshot, RunningStream } from '#streams/index.ts';
import { DEFAULT_PROCESSOR_ORDER, NO_PIPELINES, type StreamFault } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { createProcessor } from './processor.ts';

const DEFAULT = { id: '000000000000000000000001', indexSetId: 'default-set', outputIds: [] };
const FAILURES = { id: '000000000000000000000004', indexSetId: 'failure-set', outputIds: [] };
const ledger = createFaultLedger();

const shop: RunningStream = {
  id: 'shop',
  matchingType: 'AND',
  removeMatchesFromDefault: false,
  indexSetId: 'shop-set',
  outputIds: [],
  rules: [{ id: 'r', type: 1, field: 'app', value: 'shop', inverted: false }],
  faultSlot: ledger.slotOf('shop'),
};

function snapshot(changes: Partial<ProcessingSnapshot> = {}): ProcessingSnapshot {
  return {
    version: 1,
    nodeId: 'node-1',
    streams: [shop],
    streamIds: [DEFAULT.id, FAILURES.id, 'shop'],
    defaultStream: DEFAULT,
    failureStream: FAILURES,
    inputs: [],
    extractors: [],
    messageProcessors: DEFAULT_PROCESSOR_ORDER,
    pipelines: NO_PIPELINES,
    streamTimeoutMs: 2000,
    maxFaults: 3,
    faults: ledger.memory,
    ...changes,
  };
}

function processing(first = snapshot()) {
  const metrics = createMetrics({ clock: new ManualClock() });
  const faults: StreamFault[] = [];
  const processor = createProcessor(
    { metrics, monotonic: monotonicClock, codecs: CODECS, faulted: (fault) => faults.push(fault) },
    { partition: 'node-1/0' },
  );
  processor.useSnapshot(structuredClone(first));
  return { processor, metrics, faults };
}

const gelf = (fields: Record<string, unknown> = {}) => ({
  frame: { version: '1.1', host: 'web-1', short_message: 'hello', ...fields },
});

describe('processing', () => {
  test('decodes and routes a batch', () => {
    const { processor } = processing();
    const batch = processor.process(recordBatch([gelf({ _app: 'shop' }), gelf()], 7));
    expect([batch.firstOffset, batch.endOffset]).toEqual([7, 9]);
    expect(batch.messages.map((message) => message.getField('app'))).toEqual(['shop', undefined]);
    expect(batch.targets).toEqual([
      { streamIds: [DEFAULT.id, 'shop'], indexSetIds: ['default-set', 'shop-set'], outputIds: [] },
      { streamIds: [DEFAULT.id], indexSetIds: ['default-set'], outputIds: [] },
    ]);
    expect(batch.messages[0]?.streams).toBe(batch.targets[0]?.streamIds);
    expect(batch.messages[0]).toMatchObject({ origin: FIXTURE_SOURCE, receivedAt: Date.UTC(2026, 0, 1) });
  });

  test('gives the same records the same ids again, and other records different ones', () => {
    const idsOf = (firstOffset: number) =>
      processing()
        .processor.process(recordBatch([gelf(), gelf()], firstOffset))
        .messages.map(({ id }) => id);
    expect(idsOf(5)).toEqual(idsOf(5));
    expect(new Set([...idsOf(5), ...idsOf(7)]).size).toBe(4);
    expect(idsOf(5)).toEqual([...idsOf(5)].sort());
  });

  test('a frame that cannot be decoded becomes a message of the failure stream and of no other', () => {
    const { processor, metrics } = processing(
      snapshot({
        streams: [{ ...shop, rules: [{ id: 'r', type: 7, field: '', value: '', inverted: false }] }],
        inputs: [
          {
            id: FIXTURE_SOURCE.inputId,
            staticFields: { site: 'north' },
            overrideSource: 'x',
            configuration: {},
          },
        ],
      }),
    );
    const batch = processor.process(recordBatch([{ frame: '{broken' }, gelf(), { frame: '[]' }]));
    const [failure, message] = batch.messages;
    expect(batch.targets[0]).toEqual({
      streamIds: [FAILURES.id],
      indexSetIds: ['failure-set'],
      outputIds: [],
    });
    expect(batch.targets[2]).toBe(batch.targets[0]);
    expect(failure?.streams).toEqual([FAILURES.id]);
    expect(failure).toMatchObject({ source: '192.0.2.7', level: 3, origin: FIXTURE_SOURCE });
    expect(failure?.id).toHaveLength(26);
    expect(failure?.message).toContain('7 bytes could not be processed');
    expect(failure?.getField('failure_type')).toBe('decoding');
    expect(failure?.getField('failure_cause')).toBe('not_json');
    expect(failure?.getField('failed_message_base64')).toBe(Buffer.from('{broken').toString('base64'));
    expect(failure?.getField('failed_message_truncated')).toBe(false);
    expect(failure?.getField('site')).toBeUndefined();
    expect(message?.streams).toEqual([DEFAULT.id, 'shop']);
    const error = (reason: string) => `millrace.component.processing.decode.decode.errors.${reason}.decode`;
    expect(metrics.get(error('not_json'))?.metric).toMatchObject({ count: 1 });
    expect(metrics.get(error('not_object'))?.metric).toMatchObject({ count: 1 });
  });

  test.each([
    ['gzip', gzipSync('x')],
    ['zlib', deflateSync('x')],
    ['chunk', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 65])],
  ])('the failure of a frame that is still compressed as %s says so', (word, frame) => {
    // A frame that the input could not or must not decompress arrives here as it was sent.
    const { processor } = processing(snapshot({}));
    const [failure] = processor.process(recordBatch([{ frame }])).messages;
    expect(failure?.getField('failure_cause')).toBe('not_object');
    expect(failure?.getField('failure_details')).toContain(word);
    expect(failure?.message).toContain(word);
  });

  test('raw bytes of failures are bounded', () => {
    const { processor } = processing();
    const [failure] = processor.process(recordBatch([{ frame: Buffer.alloc(100_000, 1) }])).messages;
    expect(Buffer.from(String(failure?.getField('failed_message_base64')), 'base64')).toHaveLength(32 * 1024);
    expect(failure?.getField('failed_message_size')).toBe(100_000);
    expect(failure?.getField('failed_message_truncated')).toBe(true);
  });

  test('static fields are added and never overwrite, and a source can be replaced', () => {
    const { processor } = processing(
      snapshot({
        inputs: [
          {
            id: FIXTURE_SOURCE.inputId,
            staticFields: { site: 'north', app: 'shop', source: 'no', gl2_x: 'no', full_message: 'full' },
            overrideSource: 'gateway',
            configuration: {},
          },
          { id: 'other', staticFields: { site: 'south' }, overrideSource: undefined, configuration: {} },
        ],
      }),
    );
    const elsewhere = { ...gelf(), source: { ...FIXTURE_SOURCE, inputId: 'other' } };
    const batch = processor.process(recordBatch([gelf({ _app: 'blog' }), gelf(), elsewhere]));
    const fields = batch.messages.map((message) => ({
      source: message.source,
      full: message.fullMessage,
      site: message.getField('site'),
      app: message.getField('app'),
    }));
    expect(fields).toEqual([
      { source: 'gateway', full: 'full', site: 'north', app: 'blog' },
      { source: 'gateway', full: 'full', site: 'north', app: 'shop' },
      { source: 'web-1', full: undefined, site: 'south', app: undefined },
    ]);
    expect(batch.messages[0]?.getField('gl2_x')).toBeUndefined();
    // Stream rules see static fields.
    expect(batch.messages[1]?.streams).toContain('shop');
  });

  test('a newer snapshot applies to the next batch, an older one is ignored', () => {
    const { processor } = processing();
    const streams = () => processor.process(recordBatch([gelf({ _app: 'shop' })])).messages[0]?.streams;
    expect(streams()).toContain('shop');
    processor.useSnapshot(snapshot({ version: 3, streams: [] }));
    expect(streams()).toEqual([DEFAULT.id]);
    processor.useSnapshot(snapshot({ version: 2 }));
    expect([streams(), processor.version]).toEqual([[DEFAULT.id], 3]);
  });

  test('nothing is processed before the first snapshot', () => {
    const fresh = createProcessor(
      { metrics: createMetrics(), monotonic: monotonicClock, codecs: CODECS, faulted: () => {} },
      { partition: 'p' },
    );
    expect(fresh.version).toBeUndefined();
    expect(() => fresh.process(recordBatch([gelf()]))).toThrow(/no snapshot/);
  });

  test('a regular expression that never ends costs its time limit and nothing else', () => {
    const evil: RunningStream = {
      ...shop,
      id: 'evil',
      rules: [{ id: 'r', type: 2, field: 'message', value: '^(a+)+$', inverted: false }],
      faultSlot: ledger.slotOf('evil'),
    };
    const { processor, faults, metrics } = processing(
      snapshot({ streams: [shop, evil], streamTimeoutMs: 100 }),
    );
    const poison = gelf({ short_message: `${'a'.repeat(60)}!`, _app: 'shop' });
    const batch = processor.process(recordBatch([gelf({ _app: 'shop' }), poison, gelf({ _app: 'shop' })]));
    expect(batch.messages.map(({ streams }) => streams)).toEqual([
      [DEFAULT.id, 'shop'],
      [DEFAULT.id, 'shop'],
      [DEFAULT.id, 'shop'],
    ]);
    expect(faults).toEqual([{ streamId: 'evil', count: 1 }]);
    const meter = (name: string) => metrics.get(`org.graylog2.plugin.streams.Stream.evil.${name}`)?.metric;
    expect(meter('ruleTimeouts')).toMatchObject({ rate: { total: 1 } });
    expect(meter('faultsExceeded')).toBeUndefined();
    processor.process(recordBatch([poison, poison, poison, poison]));
    expect(meter('ruleTimeouts')).toMatchObject({ rate: { total: 4 } });
    expect(meter('faultsExceeded')).toMatchObject({ rate: { total: 1 } });
  });

  test('streams, bytes, notes and the time of steps are counted', () => {
    const { processor, metrics } = processing();
    processor.process(recordBatch([gelf({ _app: 'shop' }), gelf({ version: '1.0' }), { frame: '{' }]));
    const count = (name: string) => (metrics.get(name)?.metric as { count?: number } | undefined)?.count;
    const meter = (id: string) =>
      metrics.get(`org.graylog2.plugin.streams.Stream.${id}.incomingMessages`)?.metric;
    expect(meter(DEFAULT.id)).toMatchObject({ rate: { total: 2 } });
    expect(meter('shop')).toMatchObject({ rate: { total: 1 } });
    expect(metrics.names()).toContain('org.graylog2.plugin.streams.Stream.shop.incomingMessages.1-sec-rate');
    expect(count('millrace.component.processing.decode.decode.received.events')).toBe(3);
    expect(count('org.graylog2.traffic.decoded')).toBeGreaterThan(100);
    expect(count('millrace.codec.gelf.notes.unexpected_version')).toBe(1);
    for (const step of ['decode', 'inputFields', 'route'])
      expect(metrics.names()).toContain(`millrace.processing.step.${step}`);
    processor.useSnapshot(snapshot({ version: 2, streams: [], streamIds: [DEFAULT.id] }));
    expect(meter('shop')).toBeUndefined();
    expect(meter(DEFAULT.id)).toBeDefined();
  });
});
