import {
  createGelfDecoder,
  GELF_NOTES,
  type GelfDecoder,
  GelfFailure,
  type GelfFailureReason,
  type GelfNote,
  type PayloadKind,
  payloadKind,
} from '#codecs/index.ts';
import type { FieldLayouts, Message, RecordBatch } from '#core/index.ts';
import type { Counter, Metrics } from '#telemetry/index.ts';
import type { ProcessingBatch, Step } from '../framework/index.ts';
import { failureMessage } from './failure-message.ts';
import type { MessageIds } from './message-id.ts';

export interface DecodeDeps {
  readonly layouts: FieldLayouts;
  readonly metrics: Metrics;
  readonly messageIds: MessageIds;
}

/** Decodes frames. One for the life of a worker: it remembers what keys mean. */
export interface FrameDecoder {
  /** Fills the batch. A frame that is not a message becomes a failure. */
  decode(batch: ProcessingBatch): void;
}

const FAILURE_REASONS: readonly GelfFailureReason[] = [
  'empty',
  'not_json',
  'not_object',
  'no_message',
  'too_deep',
];

export function createFrameDecoder(deps: DecodeDeps): FrameDecoder {
  const { layouts, messageIds } = deps;
  const gelf = createGelfDecoder(layouts);
  const telemetry = createDecodeMetrics(deps.metrics, gelf);

  return {
    decode(batch) {
      const { records } = batch;
      const results = gelf.decodeBatch(records);
      const messages: Message[] = [];
      const failures: Message[] = [];
      for (let index = 0; index < results.length; index++) {
        const result = results[index];
        let message: Message;
        if (result === undefined || result instanceof GelfFailure) {
          const failure = result ?? new GelfFailure('not_json', 'the decoder gave no result');
          message = failedMessage(layouts, records, index, failure);
          failures.push(message);
          telemetry.failed(failure.reason);
        } else {
          message = result;
          messages.push(message);
        }
        message.id = messageIds(records.firstOffset + index, records.receivedAt[index] ?? 0);
      }
      batch.setDecoded(messages, failures);
      telemetry.decoded(records);
    },
  };
}

/** Every frame of a batch becomes a message, with its id; what cannot be decoded becomes a failure. */
export function createDecodeStep(decoder: FrameDecoder): Step {
  return function decode(batch) {
    decoder.decode(batch);
  };
}

const UNREADABLE =
  'that cannot be decompressed: damaged, larger than decompress_size_limit, or sent where nothing may be compressed';
/** Frames that are compressed still are those the input could not decompress, or must not. */
const COMPRESSED: Readonly<Partial<Record<PayloadKind, string>>> = {
  gzip: `it is gzip ${UNREADABLE}`,
  zlib: `it is zlib ${UNREADABLE}`,
  chunk: 'it is a chunk of a message, sent where there may be none',
};

function failedMessage(
  layouts: FieldLayouts,
  records: RecordBatch,
  index: number,
  failure: GelfFailure,
): Message {
  const frame = records.bytes.subarray(records.frameStarts[index], records.frameEnds[index]);
  return failureMessage(layouts, {
    type: 'decoding',
    cause: failure.reason,
    details: COMPRESSED[payloadKind(frame)] ?? failure.detail,
    frame,
    source: records.sources[index] ?? { inputId: '', remoteAddress: '', remotePort: 0 },
    receivedAt: records.receivedAt[index] ?? 0,
  });
}

function createDecodeMetrics(metrics: Metrics, gelf: GelfDecoder) {
  const component = metrics.component({
    kind: 'processing',
    type: 'decode',
    id: 'decode',
    dropReasons: [],
    errorTypes: FAILURE_REASONS,
    stages: ['decode'],
  });
  const decodedBytes = metrics.counter('org.graylog2.traffic.decoded');
  const notes = GELF_NOTES.map((note) => new NoteCounter(metrics, note));

  return {
    failed: (reason: GelfFailureReason) => component.error(reason, 'decode'),
    decoded(records: RecordBatch) {
      let bytes = 0;
      for (let index = 0; index < records.count; index++) {
        bytes += (records.frameEnds[index] ?? 0) - (records.frameStarts[index] ?? 0);
      }
      component.received(records.count, bytes);
      component.sent(records.count, bytes);
      decodedBytes.increment(bytes);
      for (const note of notes) note.follow(gelf.noteCounters[note.name]);
    },
  };
}

/** Carries what the decoder had to put right over into the metrics. */
class NoteCounter {
  readonly name: GelfNote;
  readonly #counter: Counter;
  #seen = 0;

  constructor(metrics: Metrics, name: GelfNote) {
    this.name = name;
    this.#counter = metrics.counter(`millrace.codec.gelf.notes.${name}`, {
      help: 'What the GELF decoder had to put right in messages',
    });
  }

  follow(count: number): void {
    if (count === this.#seen) return;
    this.#counter.increment(count - this.#seen);
    this.#seen = count;
  }
}
