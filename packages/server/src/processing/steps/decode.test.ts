import { expect, test } from 'vitest';
import { CODECS, type Codec, DecodeFailure, defineCodec } from '#codecs/index.ts';
import {
  createComponentRegistry,
  createFieldLayouts,
  field,
  type RawConfiguration,
  types,
} from '#core/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { aMessage, FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { ProcessingBatch, type StreamTargets } from '../framework/index.ts';
import { createFrameDecoder } from './decode.ts';
import { createMessageIds } from './message-id.ts';

const DEFAULT = { streamIds: ['default'], indexSetIds: ['default-set'], outputIds: [] };
const FAILURES = { streamIds: ['failures'], indexSetIds: ['failure-set'], outputIds: [] };
const TARGETS: StreamTargets = {
  defaultTarget: DEFAULT,
  failureTarget: FAILURES,
  add: (target) => target,
  remove: (target) => target,
};
const GELF = { frame: { short_message: 'gelf' } };
const noDecoding = { noteCounters: {}, decode: () => aMessage() };

/** A codec whose text is the frame behind the setting `prefix`, and which counts its batches. */
function prefixCodec(batches: string[]): Codec {
  return defineCodec({
    id: 'prefix',
    wireType: 'prefix',
    journalId: 200,
    name: 'Prefix',
    description: 'For tests.',
    fields: {
      prefix: field(types.text(), {
        humanName: 'Prefix',
        description: 'Before the text.',
        default: 'default',
      }),
    },
    failureReasons: [],
    notes: ['prefixed'],
    create: (_, { prefix }) => {
      const noteCounters = { prefixed: 0 };
      return {
        noteCounters,
        decode: (frame) => {
          noteCounters.prefixed += 1;
          return aMessage({ message: `${prefix} ${frame}` });
        },
        decodeBatch(frames, from, to, results) {
          batches.push(`${prefix} ${from}-${to}`);
          for (let i = from; i < to; i++) {
            results.push(
              this.decode(
                frames.bytes.subarray(frames.frameStarts[i], frames.frameEnds[i]),
                FIXTURE_SOURCE,
                0,
              ),
            );
          }
        },
      };
    },
  });
}

function decoding(...codecs: Codec[]) {
  const metrics = createMetrics();
  const layouts = createFieldLayouts();
  const messageIds = createMessageIds('node/0');
  const decoder = createFrameDecoder({
    codecs: createComponentRegistry('codec', [...CODECS.types, ...codecs]),
    layouts,
    metrics,
    messageIds,
  });
  return {
    metrics,
    decode(
      records: Parameters<typeof recordBatch>[0],
      configurations: Record<string, RawConfiguration> = {},
    ) {
      const batch = new ProcessingBatch({ targets: TARGETS, layouts, messageIds }, recordBatch(records));
      decoder.decode(batch, new Map(Object.entries(configurations)));
      return batch.finish(() => undefined);
    },
  };
}

const record = (frame: string, inputId = 'a') => ({
  frame,
  source: { ...FIXTURE_SOURCE, inputId, codecId: 200 },
});

test('each record is decoded by its codec, those that follow each other together, in order', () => {
  const batches: string[] = [];
  const { decode } = decoding(prefixCodec(batches));
  const { messages } = decode([record('one'), record('two'), GELF, GELF, record('three'), GELF]);
  expect(messages.map(({ message }) => message)).toEqual([
    'default one',
    'default two',
    'gelf',
    'gelf',
    'default three',
    'gelf',
  ]);
  expect(batches).toEqual(['default 0-2', 'default 4-5']);
});

test('a codec with settings decodes with those of the input, and with its defaults once the input is deleted', () => {
  const { decode, metrics } = decoding(prefixCodec([]));
  const texts = (configurations: Record<string, RawConfiguration>) =>
    decode([record('x', 'a'), record('x', 'b'), record('x', 'gone')], configurations).messages.map(
      ({ message }) => message,
    );
  expect(texts({ a: { prefix: 'A', port: 1 }, b: { prefix: 'B' } })).toEqual(['A x', 'B x', 'default x']);
  expect(texts({ a: { prefix: 'A', port: 2 }, b: { prefix: 'C' } })).toEqual(['A x', 'C x', 'default x']);
  expect(metrics.get('millrace.codec.prefix.notes.prefixed')?.metric).toMatchObject({ count: 6 });
});

test('a record of a codec that this version does not know is a failure that names it', () => {
  const { decode, metrics } = decoding();
  const { messages, targets } = decode([GELF, record('raw bytes'), GELF]);
  expect(messages.map(({ message }) => message)).toEqual([
    'gelf',
    expect.stringContaining('its codec has the number 200'),
    'gelf',
  ]);
  const failure = messages[1];
  expect(targets).toEqual([DEFAULT, FAILURES, DEFAULT]);
  expect(failure?.getField('failure_cause')).toBe('unknown_codec');
  expect(failure?.getField('failed_message_base64')).toBe(Buffer.from('raw bytes').toString('base64'));
  expect(
    metrics.get('millrace.component.processing.decode.decode.errors.unknown_codec.decode')?.metric,
  ).toMatchObject({ count: 1 });
});

test('a codec that cannot do without settings reports what is missing', () => {
  const strict = defineCodec({
    id: 'strict',
    wireType: 'strict',
    journalId: 200,
    name: 'Strict',
    description: 'For tests.',
    fields: { path: field(types.text(), { humanName: 'Path', description: 'Where.' }) },
    failureReasons: [],
    create: () => ({ ...noDecoding, decodeBatch: () => undefined }),
  });
  const [message] = decoding(strict).decode([record('x')]).messages;
  expect(message?.getField('failure_cause')).toBe('codec_configuration');
  expect(message?.getField('failure_details')).toContain('path: is missing');
});

test('a fault in a codec costs only the frames it has it with', () => {
  const faulty = defineCodec({
    id: 'faulty',
    wireType: 'faulty',
    journalId: 200,
    name: 'Faulty',
    description: 'For tests.',
    fields: {},
    failureReasons: ['bad'],
    create: () => ({
      ...noDecoding,
      decodeBatch() {
        throw new Error('broken');
      },
      decode(frame) {
        if (String(frame) === 'throw') throw new Error('broken');
        return String(frame) === 'bad'
          ? new DecodeFailure('bad', 'it is bad')
          : aMessage({ message: String(frame) });
      },
    }),
  });
  const { messages } = decoding(faulty).decode([GELF, record('good'), record('throw'), record('bad'), GELF]);
  expect(messages.map((each) => each.getField('failure_cause') ?? each.message)).toEqual([
    'gelf',
    'good',
    'codec_error',
    'bad',
    'gelf',
  ]);
});
