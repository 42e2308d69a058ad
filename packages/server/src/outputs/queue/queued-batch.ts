import type { EncodedFrames, Encoder, FramePassing, ViewedBytes } from '#codecs/index.ts';
import {
  type FrameSource,
  type Message,
  MessageIdBytes,
  type MessageOrigin,
  type OutputBatch,
  type RecordBatch,
  recordOffset,
} from '#core/index.ts';
import { BatchMemory } from './batch-memory.ts';
import { payloadStart, recordLength, writeHeader } from './queue-record.ts';

/** Records of one sender that are appended together. */
export interface Run {
  readonly source: FrameSource;
  readonly receivedAt: number;
  readonly starts: number[];
  readonly ends: number[];
}

export function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { starts }) => sum + starts.length, 0);
}

/** A batch as the records that the journal of a queue gets. Queues share it: nobody changes it. */
export interface QueuedBatch {
  readonly endOffset: number;
  readonly bytes: Buffer;
  /** How much of `bytes` is of this batch. */
  readonly length: number;
  readonly runs: readonly Run[];
  /** Another one needs the bytes. Who made it is the first one. */
  hold(): void;
  /** Without anybody who needs them the bytes are used again. */
  release(): void;
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

export type EncodeMessages = (messages: readonly Message[]) => EncodedFrames;

/** How messages are passed on, and the records they came in. */
interface Passed {
  readonly passing: FramePassing;
  readonly records: RecordBatch;
}

const NO_FRAMES: EncodedFrames = { bytes: Buffer.alloc(0), starts: [], ends: [] };

/** Makes the records of queues. */
export class BatchEncoder {
  readonly #sources = new WeakMap<MessageOrigin, FrameSource>();
  readonly #memory = new BatchMemory();
  readonly #ids = new MessageIdBytes();

  /** `encode` makes what the destination gets of messages that cannot be passed on. */
  encode(batch: OutputBatch, encode: EncodeMessages, passing?: FramePassing): QueuedBatch {
    const { messages, records } = batch;
    const passed = passing !== undefined && records !== undefined ? { passing, records } : undefined;
    const others = passed === undefined ? messages : changedOf(messages);
    const frames = others.length === 0 ? NO_FRAMES : encode(others);
    const memory = this.#memory.take(mostBytes(messages, frames, passed));
    const runs: Run[] = [];
    const written = this.#write(batch, frames, passed, memory, runs);
    let holders = 1;
    return {
      endOffset: batch.endOffset,
      bytes: memory.bytes,
      length: written,
      runs,
      hold: () => {
        holders += 1;
      },
      release: () => {
        holders -= 1;
        if (holders === 0) this.#memory.giveBack(memory);
      },
    };
  }

  /** Nobody encodes any more. */
  stop(): void {
    this.#memory.stop();
  }

  /** Returns how many bytes the records are. */
  #write(
    batch: OutputBatch,
    frames: EncodedFrames,
    passed: Passed | undefined,
    memory: ViewedBytes,
    runs: Run[],
  ): number {
    const { endOffset, messages } = batch;
    let at = 0;
    let other = 0;
    let runStart = 0;
    let run: Run | undefined;
    let origin: MessageOrigin | undefined;
    let nextRecord = messages[0] && offsetOf(batch, messages[0]);
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index] as Message;
      if (run === undefined || message.origin !== origin || at + message.size - runStart > MAX_RUN_BYTES) {
        origin = message.origin;
        run = { source: this.#sourceOf(origin), receivedAt: message.receivedAt, starts: [], ends: [] };
        runs.push(run);
        runStart = at;
      }
      // Reading it from an id costs something, so each is read once.
      const ownRecord = nextRecord ?? 0;
      const next = messages[index + 1];
      nextRecord = next && offsetOf(batch, next);
      const secured = nextRecord === undefined ? endOffset : securedBefore(ownRecord, nextRecord);
      run.starts.push(at);
      const idStart = writeHeader(memory, at, secured, message);
      const idEnd = this.#ids.write(message, memory.view, idStart);
      if (passed !== undefined && message.gelfFrame >= 0) {
        const { passing, records } = passed;
        at = passing.pass(records, message.gelfFrame, memory, idEnd, idStart);
      } else {
        at = copyFrame(frames, other++, memory.bytes, idEnd);
      }
      run.ends.push(at);
    }
    return at;
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

/** Those that cannot be passed on; nearly always none. A loop: a call for each message would cost a tenth of passing it on. */
function changedOf(messages: readonly Message[]): readonly Message[] {
  const found: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.gelfFrame < 0) found.push(message);
  }
  return found;
}

/** More than the records of these messages take up. */
function mostBytes(
  messages: readonly Message[],
  { starts, ends }: EncodedFrames,
  passed: Passed | undefined,
): number {
  let total = 0;
  for (const message of messages) {
    const isPassed = passed !== undefined && message.gelfFrame >= 0;
    total += recordLength(message, isPassed ? message.size + passed.passing.addedBytes : 0);
  }
  for (let index = 0; index < starts.length; index++)
    total += (ends[index] as number) - (starts[index] as number);
  return total;
}

function copyFrame(
  { bytes, starts, ends }: EncodedFrames,
  index: number,
  target: Buffer,
  at: number,
): number {
  return at + bytes.copy(target, at, starts[index], ends[index]);
}

function offsetOf(batch: OutputBatch, message: Message): number {
  const { records } = batch;
  if (records === undefined || message.gelfFrame < 0) return recordOffset(batch, message);
  return records.firstOffset + message.gelfFrame;
}

/** All messages with one call, if the encoder has one for that. */
export function encodeFrames(encoder: Encoder, messages: readonly Message[]): EncodedFrames {
  return encoder.encodeBatch?.(messages) ?? joinFrames(messages.map((message) => encoder.encode(message)));
}

/** The payloads of a batch that was made before, by message. */
export function payloadsOf({ messages }: OutputBatch, { bytes, runs }: QueuedBatch): Map<Message, Buffer> {
  const payloads = new Map<Message, Buffer>();
  let index = 0;
  for (const { starts, ends } of runs) {
    for (const [position, start] of starts.entries()) {
      payloads.set(
        messages[index++] as Message,
        bytes.subarray(payloadStart(bytes, start), ends[position] as number),
      );
    }
  }
  return payloads;
}

export function joinFrames(payloads: readonly Buffer[]): EncodedFrames {
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const { length } of payloads) {
    starts.push(at);
    at += length;
    ends.push(at);
  }
  return { bytes: Buffer.concat(payloads, at), starts, ends };
}

/**
 * The offset up to which the queue is complete with a message of one record while one of another follows. After a crash in
 * the middle of a write only the first messages of a batch may be there. The messages of one record (clones) count
 * together.
 */
function securedBefore(ownRecord: number, nextRecord: number): number {
  return nextRecord > ownRecord ? ownRecord + 1 : ownRecord;
}
