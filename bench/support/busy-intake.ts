import { createDecoder, DecodeFailure, gelfCodec } from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, type Message, monotonicClock } from '../../packages/server/src/core/index.ts';
import { compilePredicate } from '../../packages/server/src/search/query/index.ts';
import { createTailTap, type WantedTails } from '../../packages/server/src/search/tail/index.ts';
import { createMessageBlock } from '../../packages/server/src/storage/index.ts';
import { openMix } from '../mixes.ts';

const BATCH = 2048;
const TARGET = {
  streamIds: ['000000000000000000000001'],
  indexSetIds: ['000000000000000000000001'],
  outputIds: [],
};
const SOURCE = { inputId: '65a1b2c3d4e5f60718293a4b', remoteAddress: '127.0.0.1', remotePort: 40_000 };

/**
 * A worker that never waits: decodes a batch, shows it to the live tail, encodes it for the storage, again and
 * again. Returns the CPU of a message in µs.
 */
export function busyIntake(batches: number, tails: WantedTails['tails']): number {
  const mix = openMix('web');
  const frames = Array.from({ length: BATCH }, (_, index) => Buffer.from(mix.message(index)));
  const decoder = createDecoder(gelfCodec, { layouts: createFieldLayouts() });
  const block = createMessageBlock({ indexSetId: '000000000000000000000001', nodeId: 'bench' });
  const tap = createTailTap({
    monotonic: monotonicClock,
    utilization: () => 1,
    compile: compilePredicate,
    // Cloned as on its way to another thread, and taken at once.
    post(delivery) {
      structuredClone(delivery);
      queueMicrotask(() => tap.delivered());
    },
    logger: { error: (_: unknown, text?: string) => console.error(text) },
  });
  tap.follow({ version: 1, nodeId: 'bench', tails });
  tap.delivered();
  const before = process.cpuUsage();
  for (let batch = 0; batch < batches; batch++) {
    const messages = frames.map((frame, index): Message => {
      const message = decoder.decode(frame, SOURCE, Date.UTC(2026, 0, 5) + batch);
      if (message instanceof DecodeFailure) throw new Error(message.detail);
      message.id = `01M24BB8G00000002D${String(10_000_000 + index)}`;
      message.streams = TARGET.streamIds;
      return message;
    });
    tap.observe({ messages });
    tap.delivered();
    for (const message of messages) block.append(message, TARGET);
    block.encode(0);
    block.clear();
  }
  tap.stop();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (batches * BATCH);
}
