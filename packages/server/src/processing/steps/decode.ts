import { type Codec, DecodeFailure, type DecodeResult, type Decoder } from '#codecs/index.ts';
import {
  type ComponentRegistry,
  type DroppedFields,
  errorMessage,
  type FieldLayouts,
  type FrameSource,
  type Message,
  type RawConfiguration,
  type RecordBatch,
} from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { namingChanges, type ProcessingBatch, type Step } from '../framework/index.ts';
import { CodecDecoders } from './codec-decoders.ts';
import { failureMessage } from './failure-message.ts';
import type { MessageIds } from './message-id.ts';

export interface DecodeDeps {
  readonly codecs: ComponentRegistry<Codec>;
  readonly layouts: FieldLayouts;
  readonly metrics: Metrics;
  readonly messageIds: MessageIds;
  readonly fieldsDropped?: DroppedFields['add'] | undefined;
  /** See `DecoderContext`. */
  readonly leaveInFrames?: boolean | undefined;
}

/** The configuration of every input, by id. */
export type InputConfigurations = ReadonlyMap<string, RawConfiguration>;

/** Decodes records with the codec each of them names. One for the life of a worker: decoders keep state. */
export interface FrameDecoder {
  /** Fills the batch. A frame that is not a message becomes a failure. */
  decode(batch: ProcessingBatch, configurations: InputConfigurations): void;
}

/** Reasons that are not a codec's: the record's codec is unknown, lacks its configuration, or has a fault. */
const OWN_REASONS = ['unknown_codec', 'codec_configuration', 'codec_error'] as const;
const NO_SOURCE: FrameSource = { inputId: '', remoteAddress: '', remotePort: 0, codecId: 0 };

export function createFrameDecoder(deps: DecodeDeps): FrameDecoder {
  const { layouts, messageIds, fieldsDropped, leaveInFrames = false } = deps;
  const context = { layouts, leaveInFrames, ...(fieldsDropped && { fieldsDropped }) };
  const byNumber: (CodecDecoders | undefined)[] = [];
  for (const codec of deps.codecs.types) {
    byNumber[codec.journalId] = new CodecDecoders(codec, context, deps.metrics);
  }
  const telemetry = createDecodeMetrics(deps.metrics, deps.codecs);
  const unknown = new Map<number, DecodeFailure>();
  let current: InputConfigurations | undefined;

  function decoderFor({ codecId, inputId }: FrameSource): Decoder | DecodeFailure {
    return byNumber[codecId]?.decoderFor(inputId) ?? unknown.getOrInsertComputed(codecId, unknownCodec);
  }

  function useConfigurations(configurations: InputConfigurations): void {
    if (configurations === current) return;
    current = configurations;
    for (const decoders of byNumber) decoders?.useConfigurations(configurations);
  }

  /** Records that follow each other and have the same decoder are decoded together. */
  function decodeRecords(records: RecordBatch): DecodeResult[] {
    const { sources, count } = records;
    const results: DecodeResult[] = [];
    for (let from = 0; from < count; ) {
      let source = sources[from] ?? NO_SOURCE;
      const decoder = decoderFor(source);
      let to = from + 1;
      for (; to < count; to++) {
        const next = sources[to] ?? NO_SOURCE;
        if (next !== source && decoderFor(next) !== decoder) break;
        source = next;
      }
      if (decoder instanceof DecodeFailure) for (let i = from; i < to; i++) results.push(decoder);
      else decodeRun(decoder, records, from, to, results);
      from = to;
    }
    return results;
  }

  return {
    decode(batch, configurations) {
      const { records } = batch;
      useConfigurations(configurations);
      const results = decodeRecords(records);
      const messages: Message[] = [];
      const failures: Message[] = [];
      for (let index = 0; index < records.count; index++) {
        const result = results[index];
        let message: Message;
        if (result === undefined || result instanceof DecodeFailure) {
          const failure = result ?? new DecodeFailure('codec_error', 'the decoder returned no result');
          message = failedMessage(layouts, records, index, failure);
          failures.push(message);
          telemetry.failed(failure.reason);
        } else {
          message = result;
          messages.push(message);
        }
        messageIds(message, records.firstOffset + index);
      }
      batch.setDecoded(messages, failures);
      telemetry.decoded(records);
      for (const decoders of byNumber) decoders?.copyNotes();
    },
  };
}

/** Turns every record of a batch into a message or a failure, each with its id. */
export function createDecodeStep(decoder: FrameDecoder, configurations: InputConfigurations): Step {
  return namingChanges(function decode(batch) {
    decoder.decode(batch, configurations);
  });
}

/** A decoder that throws has a fault. Only the frames it throws for become failures: the worker must not stop. */
function decodeRun(
  decoder: Decoder,
  records: RecordBatch,
  from: number,
  to: number,
  results: DecodeResult[],
): void {
  try {
    decoder.decodeBatch(records, from, to, results);
  } catch {
    results.length = from;
    for (let index = from; index < to; index++) results.push(decodeOne(decoder, records, index));
  }
}

function decodeOne(decoder: Decoder, records: RecordBatch, index: number): DecodeResult {
  const source = records.sources[index] ?? NO_SOURCE;
  try {
    return decoder.decode(frameAt(records, index), source, records.receivedAt[index] ?? 0);
  } catch (error) {
    return new DecodeFailure('codec_error', `the codec failed: ${errorMessage(error)}`);
  }
}

function unknownCodec(codecId: number): DecodeFailure {
  return new DecodeFailure(
    'unknown_codec',
    `its codec has the number ${codecId}, which this version does not know; a newer version received it`,
  );
}

function frameAt(records: RecordBatch, index: number): Buffer {
  return records.bytes.subarray(records.frameStarts[index], records.frameEnds[index]);
}

function failedMessage(
  layouts: FieldLayouts,
  records: RecordBatch,
  index: number,
  failure: DecodeFailure,
): Message {
  return failureMessage(layouts, {
    type: failure.stage ?? 'decoding',
    cause: failure.reason,
    details: failure.detail,
    frame: failure.frame ?? frameAt(records, index),
    source: records.sources[index] ?? NO_SOURCE,
    receivedAt: records.receivedAt[index] ?? 0,
  });
}

function createDecodeMetrics(metrics: Metrics, codecs: ComponentRegistry<Codec>) {
  const reasons = codecs.types.flatMap(({ failureReasons }) => failureReasons);
  const component = metrics.component({
    kind: 'processing',
    type: 'decode',
    id: 'decode',
    dropReasons: [],
    errorTypes: [...new Set([...reasons, ...OWN_REASONS])],
    stages: ['decode'],
  });
  const decodedBytes = metrics.counter('org.graylog2.traffic.decoded');

  return {
    failed: (reason: string) => component.error(reason, 'decode'),
    decoded(records: RecordBatch) {
      let bytes = 0;
      for (let index = 0; index < records.count; index++) {
        bytes += (records.frameEnds[index] ?? 0) - (records.frameStarts[index] ?? 0);
      }
      component.received(records.count, bytes);
      component.sent(records.count, bytes);
      decodedBytes.increment(bytes);
    },
  };
}
