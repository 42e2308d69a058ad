/** The messages of a mix as blocks for the engine, as a node would send them. */
import { createDecoder, DecodeFailure, gelfCodec } from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, type Message, messageIdText } from '../../packages/server/src/core/index.ts';
import { createMessageBlock } from '../../packages/server/src/storage/index.ts';
import { openMix } from '../mixes.ts';

/** As the message writer does it; a worker that keeps up sends fewer rows at once. */
const ROWS_A_BLOCK = 25_000;
const BYTES_A_BLOCK = 32 * 2 ** 20;
const RECEIVED_FROM = Date.UTC(2026, 0, 5);
const DEFAULT_STREAMS = ['000000000000000000000001'];

export interface MixBlocksOptions {
  readonly mix: string;
  readonly messages: number;
  /** The number of the first message; 0 unless given. */
  readonly first?: number;
  readonly indexSetId: string;
  /** When a message was received; some seconds of one day unless given. */
  readonly receivedAt?: (index: number) => number;
  /** The streams of a message; the default stream unless given. */
  readonly streamsOf?: (index: number) => readonly string[];
  /** May change a message before it goes into its block. */
  readonly change?: (message: Message, index: number) => void;
}

/** Made one after the other, so that any number of messages fits into memory. */
export function* mixBlocks(options: MixBlocksOptions): Generator<Buffer, void, undefined> {
  const { messages, first = 0, indexSetId } = options;
  const end = first + messages;
  const mix = openMix(options.mix);
  const decoder = createDecoder(gelfCodec, { layouts: createFieldLayouts() });
  const block = createMessageBlock({ indexSetId, nodeId: 'bench' });
  const receivedAt = options.receivedAt ?? ((index) => RECEIVED_FROM + index / 50);
  const streamsOf = options.streamsOf ?? (() => DEFAULT_STREAMS);
  const source = { inputId: '65a1b2c3d4e5f60718293a4b', remoteAddress: '127.0.0.1', remotePort: 40_000 };
  for (let index = first; index < end; index++) {
    const frame = Buffer.from(mix.message(index));
    const message = decoder.decode(frame, source, receivedAt(index));
    if (message instanceof DecodeFailure) throw new Error(message.detail);
    message.id = messageId(index);
    options.change?.(message, index);
    block.append(message, { streamIds: streamsOf(index), indexSetIds: [indexSetId], outputIds: [] });
    const isFull = block.rows === ROWS_A_BLOCK || block.byteLength >= BYTES_A_BLOCK;
    if (isFull || index === end - 1) {
      yield block.encode(0);
      block.clear();
    }
  }
}

function messageId(index: number): string {
  return messageIdText({ receivedAt: 1_789_000_000_000, partition: 77, offset: index });
}
