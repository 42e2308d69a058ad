/**
 * What it costs to turn decoded messages into a block for ClickHouse: µs of the thread's CPU a message, and how
 * large the block is. Messages are decoded beforehand, from the mixes in `bench/mixes.ts`.
 */
import { createDecoder, DecodeFailure, gelfCodec } from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, type Message, messageIdText } from '../../packages/server/src/core/index.ts';
import { createMessageBlock } from '../../packages/server/src/storage/index.ts';
import { MIX_NAMES, openMix } from '../mixes.ts';

const MESSAGES = 20_000;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 15;
const SOURCE = { inputId: '68a1b2c3d4e5f60718293a4b', remoteAddress: '192.0.2.7', remotePort: 40_000 };
const STREAMS = ['000000000000000000000001', '65a1b2c3d4e5f60718293a4b', '65a1b2c3d4e5f60718293a4c'];

function messageId(offset: number): string {
  return messageIdText({ receivedAt: 1_789_000_000_000, partition: 77, offset });
}

function decodedMessages(name: string): { messages: Message[]; rawBytes: number } {
  const mix = openMix(name);
  const decoder = createDecoder(gelfCodec, { layouts: createFieldLayouts() });
  const messages: Message[] = [];
  let rawBytes = 0;
  for (let index = 0; index < MESSAGES; index++) {
    const frame = Buffer.from(mix.message(index));
    rawBytes += frame.length;
    const message = decoder.decode(frame, SOURCE, Date.UTC(2026, 0, 5) + index / 5);
    if (message instanceof DecodeFailure) throw new Error(message.detail);
    message.id = messageId(index);
    messages.push(message);
  }
  return { messages, rawBytes };
}

function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

export async function run(args: string[]): Promise<void> {
  const results: Record<
    string,
    { appendMicroseconds: number; encodeMicroseconds: number; blockBytes: number }
  > = {};
  for (const name of args.length > 0 ? args : MIX_NAMES) {
    const { messages, rawBytes } = decodedMessages(name);
    const targets = [1, 2, 3].map((count) => ({
      streamIds: STREAMS.slice(0, count),
      indexSetIds: ['000000000000000000000001'],
      outputIds: [],
    }));
    const block = createMessageBlock({ indexSetId: '000000000000000000000001', nodeId: 'node' });
    let append = 0;
    let encode = 0;
    let bytes = 0;
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      const started = cpuMicroseconds();
      for (let index = 0; index < messages.length; index++) {
        const message = messages[index];
        const target = targets[index % targets.length];
        if (message !== undefined && target !== undefined) block.append(message, target);
      }
      const appended = cpuMicroseconds();
      bytes = block.encode(0).length;
      const encoded = cpuMicroseconds();
      block.clear();
      if (round < WARM_UP_ROUNDS) continue;
      append += appended - started;
      encode += encoded - appended;
    }
    // Some kernels count processor time in steps of 4 ms: only many rounds together say what one takes.
    const figures = {
      appendMicroseconds: append / ROUNDS / MESSAGES,
      encodeMicroseconds: encode / ROUNDS / MESSAGES,
      blockBytes: bytes / MESSAGES,
    };
    results[name] = figures;
    process.stdout.write(
      `${name}: ${figures.appendMicroseconds.toFixed(2)} µs to append, ${figures.encodeMicroseconds.toFixed(2)} µs to encode, ` +
        `${figures.blockBytes.toFixed(0)} bytes for ${(rawBytes / MESSAGES).toFixed(0)} of GELF\n`,
    );
  }
  process.stdout.write(`${JSON.stringify(results)}\n`);
}
