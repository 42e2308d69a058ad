import type { Encoder } from '#codecs/index.ts';
import type { Message, OutputBatch } from '#core/index.ts';
import type { Encoding } from './output.ts';
import {
  BatchEncoder,
  encodeFrames,
  joinFrames,
  payloadsOf,
  type QueuedBatch,
} from './queue/queued-batch.ts';

/** Encodes messages for the outputs of a worker. Outputs of a kind share the bytes. */
export interface SharedEncodings {
  /** Each queue has its own and calls `release` when it no longer needs it. */
  use(encoding: Encoding): SharedEncoder;
}

export interface SharedEncoder {
  /** The caller releases it. */
  encodeBatch(batch: OutputBatch): QueuedBatch;
  release(): void;
}

interface Shared {
  readonly encoder: Encoder;
  readonly batches: BatchEncoder;
  users: number;
  /** What was made of the newest batch of the journal while there are several users. */
  newest: Newest | undefined;
}

/** The outputs of a worker get their messages of the same batch one after the other: all of them, or some. */
interface Newest {
  readonly made: { readonly batch: OutputBatch; readonly queued: QueuedBatch }[];
  /** Filled when an output wants other messages than the one before. */
  readonly payloads: Map<Message, Buffer>;
}

export function createSharedEncodings(): SharedEncodings {
  const byKey = new Map<string, Shared>();
  return {
    use({ key, create }) {
      const shared = byKey.getOrInsertComputed(key, () => ({
        encoder: create(),
        batches: new BatchEncoder(),
        users: 0,
        newest: undefined,
      }));
      shared.users += 1;
      let released = false;
      return {
        encodeBatch: (batch) => encodeBatch(shared, batch),
        release() {
          if (released) return;
          released = true;
          shared.users -= 1;
          if (shared.users <= 1) forgetNewest(shared);
          if (shared.users > 0) return;
          shared.batches.stop();
          byKey.delete(key);
        },
      };
    },
  };
}

function encodeBatch(shared: Shared, batch: OutputBatch): QueuedBatch {
  if (shared.users <= 1) return encodeAll(shared, batch);
  if (!isOfSameRecords(shared.newest?.made[0]?.batch, batch)) forgetNewest(shared);
  shared.newest ??= { made: [], payloads: new Map() };
  const { made } = shared.newest;
  const known = made.find((other) => isSame(other.batch, batch));
  if (known !== undefined) {
    known.queued.hold();
    return known.queued;
  }
  const queued = made.length === 0 ? encodeAll(shared, batch) : encodeRest(shared, shared.newest, batch);
  queued.hold();
  made.push({ batch, queued });
  return queued;
}

function forgetNewest(shared: Shared): void {
  for (const { queued } of shared.newest?.made ?? []) queued.release();
  shared.newest = undefined;
}

function encodeAll({ batches, encoder }: Shared, batch: OutputBatch): QueuedBatch {
  return batches.encode(batch, (messages) => encodeFrames(encoder, messages), encoder.passing);
}

/** Encodes only what no output before wanted. */
function encodeRest(shared: Shared, { made, payloads }: Newest, batch: OutputBatch): QueuedBatch {
  const last = made.at(-1);
  if (last !== undefined) {
    for (const [message, payload] of payloadsOf(last.batch, last.queued)) payloads.set(message, payload);
  }
  const encode = (messages: readonly Message[]) => {
    const rest = messages.filter((message) => !payloads.has(message));
    const { bytes, starts, ends } = encodeFrames(shared.encoder, rest);
    for (const [index, message] of rest.entries()) {
      payloads.set(message, bytes.subarray(starts[index], ends[index]));
    }
    const all = joinFrames(messages.map((message) => payloads.get(message) as Buffer));
    // The memory of the encoder is used again: from now on they are those of the batch.
    for (const message of rest) payloads.delete(message);
    return all;
  };
  return shared.batches.encode(batch, encode, shared.encoder.passing);
}

function isOfSameRecords(one: OutputBatch | undefined, other: OutputBatch): boolean {
  return one?.firstOffset === other.firstOffset && one.endOffset === other.endOffset;
}

function isSame(one: OutputBatch, other: OutputBatch): boolean {
  return (
    one.firstOffset === other.firstOffset &&
    one.endOffset === other.endOffset &&
    one.messages.length === other.messages.length &&
    one.messages.every((message, index) => message === other.messages[index])
  );
}
