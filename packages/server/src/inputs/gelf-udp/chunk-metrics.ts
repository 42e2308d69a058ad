import type { ChunkLoss, ChunkRefusal, GelfChunkAssembler } from '#codecs/index.ts';
import type { Counter, Metrics } from '#telemetry/index.ts';
import type { InputDropReason, InputMetrics } from '../input-metrics.ts';

/** Graylog's names for the node as a whole. */
const NODE_PREFIX = 'org.graylog2.inputs.codecs.GelfChunkAggregator';

const REASON_OF_LOSS: Record<ChunkLoss, InputDropReason> = {
  incomplete: 'incomplete_chunks',
  evicted: 'memory_limit',
  too_many_chunks: 'too_large',
};

export interface ChunkMetrics {
  /** Adds what the assembler counted since the last call, the messages it lost to the losses of the input. */
  update(): void;
  /** The assembler is gone: nothing waits any more. */
  end(): void;
}

/** Publishes the counters of a chunk assembler, for its input and added up for the node. */
export function createChunkMetrics(
  metrics: Metrics,
  input: InputMetrics,
  assembler: GelfChunkAssembler,
): ChunkMetrics {
  const { counters } = assembler;
  const followed = [
    follow('total-chunks', () => counters.chunks),
    follow('complete-messages', () => counters.completeMessages),
    follow('expired-messages', () => counters.expiredMessages),
    follow('expired-chunks', () => counters.expiredChunks),
    follow('duplicate-chunks', () => counters.duplicateChunks),
    follow('evicted-messages', () => counters.evictedMessages),
    follow('evicted-chunks', () => counters.evictedChunks),
    ...(Object.keys(counters.refusedChunks) as ChunkRefusal[]).map((reason) =>
      follow(`refused-chunks.${reason}`, () => counters.refusedChunks[reason]),
    ),
    ...(Object.keys(counters.lost) as ChunkLoss[]).map(followLoss),
  ];
  const waiting = waitingOfNode(metrics);
  waiting.add(assembler);
  let ended = false;
  metrics.gauge(`${input.prefix}.chunks.waiting-messages`, () => (ended ? 0 : assembler.waitingMessages), {
    merge: 'sum',
    help: 'Messages that wait for more chunks',
  });

  function follow(name: string, current: () => number): () => void {
    const help = `GELF chunks: ${name}`;
    const targets: Counter[] = [
      metrics.counter(`${input.prefix}.chunks.${name}`, { help }),
      metrics.counter(`${NODE_PREFIX}.${name}`, { help }),
    ];
    let taken = 0;
    return () => {
      const now = current();
      for (const target of targets) target.increment(now - taken);
      taken = now;
    };
  }

  function followLoss(why: ChunkLoss): () => void {
    let taken = { messages: 0, bytes: 0 };
    return () => {
      const { messages, bytes } = counters.lost[why];
      if (bytes === taken.bytes && messages === taken.messages) return;
      input.dropped(REASON_OF_LOSS[why], messages - taken.messages, bytes - taken.bytes);
      taken = { messages, bytes };
    };
  }

  return {
    update() {
      for (const take of followed) take();
    },
    end() {
      ended = true;
      waiting.delete(assembler);
    },
  };
}

const ASSEMBLERS = new WeakMap<Metrics, Set<GelfChunkAssembler>>();

/** All assemblers of a worker, whose messages one gauge adds up. */
function waitingOfNode(metrics: Metrics): Set<GelfChunkAssembler> {
  const known = ASSEMBLERS.get(metrics);
  if (known !== undefined) return known;
  const assemblers = new Set<GelfChunkAssembler>();
  ASSEMBLERS.set(metrics, assemblers);
  const sum = () => [...assemblers].reduce((all, { waitingMessages }) => all + waitingMessages, 0);
  metrics.gauge(`${NODE_PREFIX}.waiting-messages`, sum, {
    merge: 'sum',
    help: 'Messages that wait for more chunks',
  });
  return assemblers;
}
