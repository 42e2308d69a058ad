/**
 * `npm run bench -- node [mix or file] [messages]`: what the node itself takes, from the socket to the block that is sent. GELF
 * over TCP into a whole node with ten streams, as in `ingest`, but its storage takes every block at once and keeps nothing.
 * So the figures are the same with a native and an emulated engine. Without a mix all three are run. The last line is JSON.
 * Needs Linux, for /proc.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MIX_NAMES } from '../mixes.ts';
import { type BenchNode, startBenchNode, startMixSender } from '../support/bench-node.ts';
import { residentBytes } from '../support/process-tree.ts';
import { type SwallowingClickHouse, startSwallowingClickHouse } from '../support/swallowing-clickhouse.ts';
import { createTenStreams } from '../support/ten-streams.ts';
import { watchThreadCpu } from '../support/thread-cpu.ts';

const MESSAGES: Readonly<Record<string, number>> = { web: 1_000_000, text: 1_000_000, wide: 200_000 };
const MESSAGES_OF_FILE = 300_000;
/** Of all messages, before anything is counted: then the node runs compiled code. */
const WARM_UP_SHARE = 0.2;
const CONNECTIONS = 4;

interface Figures {
  readonly messages: number;
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
  /** By what threads do. */
  readonly cpuByThreads: Readonly<Record<string, number>>;
  readonly maxMegabytes: number;
}

export async function run(args: string[]): Promise<void> {
  const [mix, count] = args;
  const results: Record<string, Figures> = {};
  for (const name of mix === undefined ? MIX_NAMES : [mix]) {
    const figures = await measure(name, Number(count ?? MESSAGES[name] ?? MESSAGES_OF_FILE));
    results[path.basename(name)] = figures;
    const threads = Object.entries(figures.cpuByThreads).map(
      ([group, each]) => `${group} ${each.toFixed(2)}`,
    );
    console.log(
      `${name}: ${figures.cpuMicroseconds.toFixed(2)} µs CPU a message (${threads.join(', ')}), ` +
        `${Math.round(figures.messagesPerSecond)} messages/s, ${Math.round(figures.maxMegabytes)} MB at most`,
    );
  }
  console.log(JSON.stringify({ bench: 'node', load: os.loadavg()[0], ...results }));
}

async function measure(mix: string, messages: number): Promise<Figures> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-node-'));
  const storage = await startSwallowingClickHouse();
  const node = await startBenchNode({
    dataDir: path.join(directory, 'data'),
    settings: { clickhouse_uri: storage.uri },
    hasStorage: false,
  });
  try {
    await createTenStreams(node);
    const warmUp = Math.ceil(messages * WARM_UP_SHARE);
    await send(node, storage, mix, 0, warmUp);
    const threads = watchThreadCpu(node.pid, 0);
    let most = 0;
    const sampler = setInterval(() => {
      most = Math.max(most, residentBytes(node.pid));
    }, 100);
    const seconds = await send(node, storage, mix, warmUp, messages);
    clearInterval(sampler);
    threads.sample();
    const groups = Object.entries(threads.microseconds()).map(
      ([group, sum]) => [group, sum / messages] as const,
    );
    return {
      messages,
      messagesPerSecond: messages / seconds,
      cpuMicroseconds: groups.reduce((sum, [, each]) => sum + each, 0),
      cpuByThreads: Object.fromEntries(groups),
      maxMegabytes: most / 2 ** 20,
    };
  } finally {
    await node.stop();
    await storage.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Resolves with the seconds until all of them have been sent on. */
async function send(
  node: BenchNode,
  storage: SwallowingClickHouse,
  mix: string,
  first: number,
  messages: number,
): Promise<number> {
  const begin = await startMixSender(node, { mix, messages, connections: CONNECTIONS, first });
  const startedAt = performance.now();
  const sending = begin();
  await storage.untilRows(first + messages);
  await sending;
  return (performance.now() - startedAt) / 1000;
}
