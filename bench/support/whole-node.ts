/** What it takes a whole node to store the messages of a mix, merges included. Needs Linux, for /proc. */
import { setTimeout as delay } from 'node:timers/promises';
import { askEngine, enginePid } from '../../tests/support/engine-of-node.ts';
import { type BenchNode, startMixSender, until } from './bench-node.ts';
import { ownCpuMicroseconds, residentBytes, treeCpuMicroseconds } from './process-tree.ts';
import { createTenStreams } from './ten-streams.ts';
import { watchThreadCpu } from './thread-cpu.ts';

export const DEFAULT_INDEX_SET = '000000000000000000000001';
/** Before anything is counted, so that programs run compiled code. */
export const WARM_UP = 20_000;
export const CONNECTIONS = 4;
/**
 * Merges have settled after this many seconds without one: what is left of new parts is merged some seconds after the last
 * insert. The second constant is the longest wait.
 */
export const SETTLED_SECONDS = 12;
const PATIENCE_SECONDS = 900;

export interface IngestFigures {
  readonly messages: number;
  readonly rawBytesPerMessage: number;
  /** Of all messages that are stored, those of the warm-up included. */
  readonly rawBytes: number;
  readonly messagesPerSecond: number;
  /** Of all processes, until the merges have settled. */
  readonly cpuMicroseconds: number;
  /** Of the node itself: sockets, journal, decoding, routing, encoding, inserts. All JavaScript. */
  readonly nodeCpuMicroseconds: number;
  readonly engineCpuMicroseconds: number;
  /** When the merges have settled. */
  readonly diskBytesPerRawByte: number;
  /** At the same moment, and each for itself. */
  readonly maxResidentMegabytes: number;
  readonly maxNodeMegabytes: number;
  readonly maxEngineMegabytes: number;
  /** µs per message, by what threads do. */
  readonly cpuByThreads: Readonly<Record<string, number>>;
  /** How often merges rewrote a message, those of the warm-up included. */
  readonly passes: number;
  /** When the last message was stored, and when the merges have settled. */
  readonly partsStored: PartFigures;
  readonly partsSettled: PartFigures;
}

export interface PartFigures {
  readonly parts: number;
  /** Parts and messages without indexes. */
  readonly newParts: number;
  readonly newMessages: number;
  /** The mean level of messages. The engine's own counters take a merge by OPTIMIZE for two. */
  readonly passes: number;
}

export async function ingest(
  node: BenchNode,
  dataDir: string,
  mix: string,
  messages: number,
): Promise<IngestFigures> {
  await createTenStreams(node);
  const merges = async () => {
    const [row] = await askEngine<{ n: string }>(dataDir, 'SELECT count() AS n FROM system.merges');
    return Number(row?.n);
  };
  const warmUpBytes = await (
    await startMixSender(node, { mix, messages: WARM_UP, connections: CONNECTIONS })
  )();
  await until(async () => (await storedMessages(node)) >= WARM_UP);
  const send = await startMixSender(node, { mix, messages, connections: CONNECTIONS, first: WARM_UP });
  await mergesSettled(merges);

  const engine = enginePid(dataDir) ?? 0;
  const threads = watchThreadCpu(node.pid, engine);
  const most = { node: 0, engine: 0, all: 0 };
  const sampler = setInterval(() => {
    threads.sample();
    const now = { node: residentBytes(node.pid), engine: residentBytes(engine) };
    most.node = Math.max(most.node, now.node);
    most.engine = Math.max(most.engine, now.engine);
    most.all = Math.max(most.all, now.node + now.engine);
  }, 100);
  const [cpuBefore, ownBefore] = [treeCpuMicroseconds(node.pid), ownCpuMicroseconds(node.pid)];
  const startedAt = performance.now();
  const sending = send();
  await until(async () => (await storedMessages(node)) >= WARM_UP + messages);
  const seconds = (performance.now() - startedAt) / 1000;
  const ownStored = ownCpuMicroseconds(node.pid);
  const partsStored = await partFigures(dataDir);
  const rawBytes = await sending;
  await mergesSettled(merges);
  const engineCpu = treeCpuMicroseconds(node.pid) - cpuBefore - (ownCpuMicroseconds(node.pid) - ownBefore);
  clearInterval(sampler);
  threads.sample();
  const cpuByThreads = Object.fromEntries(
    Object.entries(threads.microseconds()).map(([group, sum]) => [group, sum / messages]),
  );

  const stored = await storedMessages(node);
  if (stored !== WARM_UP + messages) {
    throw new Error(`${WARM_UP + messages} messages were sent, ${stored} are stored`);
  }
  const allBytes = rawBytes + warmUpBytes;
  const settledBytes = await storedBytes(dataDir);
  const partsSettled = await partFigures(dataDir);
  return {
    messages,
    rawBytesPerMessage: rawBytes / messages,
    rawBytes: allBytes,
    messagesPerSecond: messages / seconds,
    cpuMicroseconds: (ownStored - ownBefore + engineCpu) / messages,
    nodeCpuMicroseconds: (ownStored - ownBefore) / messages,
    engineCpuMicroseconds: engineCpu / messages,
    diskBytesPerRawByte: settledBytes / allBytes,
    maxResidentMegabytes: most.all / 2 ** 20,
    maxNodeMegabytes: most.node / 2 ** 20,
    maxEngineMegabytes: most.engine / 2 ** 20,
    cpuByThreads,
    passes: partsSettled.passes,
    partsStored,
    partsSettled,
  };
}

async function partFigures(dataDir: string): Promise<PartFigures> {
  const [row] = await askEngine<Record<keyof PartFigures, string>>(
    dataDir,
    `SELECT count() AS parts, countIf(level = 0) AS newParts, sumIf(rows, level = 0) AS newMessages,
       sum(rows * level) / sum(rows) AS passes
     FROM system.parts WHERE active AND database = 'millrace' AND table = 'millrace_${DEFAULT_INDEX_SET}'`,
  );
  return {
    parts: Number(row?.parts),
    newParts: Number(row?.newParts),
    newMessages: Number(row?.newMessages),
    passes: Number(row?.passes),
  };
}

async function storedMessages(node: BenchNode): Promise<number> {
  return (await node.call<{ events: number }>('GET', '/count/total')).events;
}

export async function storedBytes(dataDir: string): Promise<number> {
  const [row] = await askEngine<{ bytes: string }>(
    dataDir,
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'millrace'",
  );
  return Number(row?.bytes);
}

export async function mergesSettled(merges: () => Promise<number>): Promise<void> {
  let quiet = 0;
  for (let second = 0; second < PATIENCE_SECONDS && quiet < SETTLED_SECONDS; second++) {
    await delay(1000);
    quiet = (await merges()) === 0 ? quiet + 1 : 0;
  }
}
