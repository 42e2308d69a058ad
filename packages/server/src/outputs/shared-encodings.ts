import type { Encoder } from '#codecs/index.ts';
import type { Message, OutputBatch } from '#core/index.ts';
import type { Encoding } from './output.ts';
import { BatchEncoder, type QueuedBatch } from './queue/queued-batch.ts';

/** Encodes messages for the outputs of a worker. Outputs of a kind share the bytes. */
export interface SharedEncodings {
  /** Each queue has its own and calls `release` when it no longer needs it. */
  use(encoding: Encoding): SharedEncoder;
}

export interface SharedEncoder {
  encodeBatch(batch: OutputBatch): QueuedBatch;
  release(): void;
}

interface Shared {
  readonly encoder: Encoder;
  readonly batches: BatchEncoder;
  users: number;
  /** The newest batch. The outputs of a stream get the same messages one after the other. */
  last: { readonly batch: OutputBatch; readonly queued: QueuedBatch } | undefined;
}

export function createSharedEncodings(): SharedEncodings {
  const byKey = new Map<string, Shared>();
  return {
    use({ key, create }) {
      const shared = byKey.getOrInsertComputed(key, () => createShared(create()));
      shared.users += 1;
      let released = false;
      return {
        encodeBatch: (batch) => encodeBatch(shared, batch),
        release() {
          if (released) return;
          released = true;
          shared.users -= 1;
          if (shared.users <= 1) shared.last = undefined;
          if (shared.users === 0) byKey.delete(key);
        },
      };
    },
  };
}

function createShared(encoder: Encoder): Shared {
  /** Only filled while there are several users. Entries go with their messages. */
  const encoded = new WeakMap<Message, Buffer>();
  const shared: Shared = {
    users: 0,
    last: undefined,
    batches: new BatchEncoder(),
    encoder: {
      encode(message) {
        if (shared.users <= 1) return encoder.encode(message);
        const known = encoded.get(message);
        if (known !== undefined) return known;
        const bytes = encoder.encode(message);
        encoded.set(message, bytes);
        return bytes;
      },
    },
  };
  return shared;
}

function encodeBatch(shared: Shared, batch: OutputBatch): QueuedBatch {
  const { last } = shared;
  if (last !== undefined && isSame(last.batch, batch)) return last.queued;
  const queued = shared.batches.encode(shared.encoder, batch);
  shared.last = shared.users <= 1 ? undefined : { batch, queued };
  return queued;
}

function isSame(one: OutputBatch, other: OutputBatch): boolean {
  return (
    one.firstOffset === other.firstOffset &&
    one.endOffset === other.endOffset &&
    one.messages.length === other.messages.length &&
    one.messages.every((message, index) => message === other.messages[index])
  );
}
