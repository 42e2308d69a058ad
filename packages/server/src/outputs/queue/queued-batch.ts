import type { Encoder } from '#codecs/index.ts';
import {
  type FrameSource,
  type Message,
  type MessageOrigin,
  type OutputBatch,
  recordOffset,
} from '#core/index.ts';
import { recordLength, writeRecord } from './queue-record.ts';

/** Records of one sender that are appended together. */
export interface Run {
  readonly source: FrameSource;
  readonly receivedAt: number;
  readonly starts: number[];
  readonly ends: number[];
}

/** A batch as the records that the journal of a queue gets. Queues share it: nobody changes it. */
export interface QueuedBatch {
  readonly endOffset: number;
  readonly bytes: Buffer;
  readonly runs: readonly Run[];
}

/** The codec numbers of the node's journal mean nothing in a queue. */
const QUEUE_CODEC = 0;
const MAX_RUN_BYTES = 256 * 1024;

export const NO_SOURCE: FrameSource = {
  inputId: '',
  remoteAddress: '',
  remotePort: 0,
  codecId: QUEUE_CODEC,
};

/** Encodes batches for queues. */
export class BatchEncoder {
  readonly #sources = new WeakMap<MessageOrigin, FrameSource>();

  encode(encoder: Encoder, batch: OutputBatch): QueuedBatch {
    const { endOffset, messages } = batch;
    const encoded = messages.map((message) => encoder.encode(message));
    let total = 0;
    for (let index = 0; index < messages.length; index++) {
      total += recordLength((messages[index] as Message).id, encoded[index] as Buffer);
    }
    const bytes = Buffer.allocUnsafe(total);
    const runs: Run[] = [];
    let at = 0;
    let runStart = 0;
    let run: Run | undefined;
    let origin: MessageOrigin | undefined;
    let nextRecord = messages[0] && recordOffset(batch, messages[0]);
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index] as Message;
      const payload = encoded[index] as Buffer;
      if (run === undefined || message.origin !== origin || at + payload.length - runStart > MAX_RUN_BYTES) {
        origin = message.origin;
        run = { source: this.#sourceOf(origin), receivedAt: message.receivedAt, starts: [], ends: [] };
        runs.push(run);
        runStart = at;
      }
      const { id, timestamp } = message;
      // Reading it from an id costs something, so each is read once.
      const ownRecord = nextRecord ?? 0;
      const next = messages[index + 1];
      nextRecord = next && recordOffset(batch, next);
      const secured = nextRecord === undefined ? endOffset : securedBefore(ownRecord, nextRecord);
      run.starts.push(at);
      at = writeRecord(bytes, at, secured, { id, timestamp, payload });
      run.ends.push(at);
    }
    return { endOffset, bytes, runs };
  }

  #sourceOf(origin: MessageOrigin): FrameSource {
    let source = this.#sources.get(origin);
    if (source === undefined) {
      const { inputId, remoteAddress, remotePort } = origin;
      source = { inputId, remoteAddress, remotePort, codecId: QUEUE_CODEC };
      this.#sources.set(origin, source);
    }
    return source;
  }
}

/**
 * The offset up to which the queue is complete with a message of one record while one of another follows. After a crash in
 * the middle of a write only the first messages of a batch may be there. The messages of one record (clones) count
 * together.
 */
function securedBefore(ownRecord: number, nextRecord: number): number {
  return nextRecord > ownRecord ? ownRecord + 1 : ownRecord;
}
