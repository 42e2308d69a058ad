/**
 * `npm run bench -- ingest [mix or file] [messages]`: GELF over TCP into a whole node, with ten streams, until every
 * message is stored and the merges have settled. The sender is another process. Counted is the CPU of all processes of
 * the node, merges included, after some messages to warm up. The merges of a table that grows take more than those of a
 * small one, so on a native engine there are enough messages to see them. For comparison some of the messages are inserted
 * into the engine alone, as blocks that were made beforehand: what no program around it can beat.
 *
 * A file has a GELF message in each line; with fewer lines than messages it is sent again and again, and what is
 * the same in the table takes less room than it would. Without a mix all three are run. The last line is JSON. Needs Linux, for
 * /proc. Where the engine is emulated, its share of the CPU and the messages per second say nothing by themselves; what
 * the node takes and the bytes on disk are what they are anywhere.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../packages/server/src/core/index.ts';
import {
  createClickHouse,
  createEmbeddedEngine,
  createMessageTables,
  INSERT_SETTINGS,
} from '../../packages/server/src/storage/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import { askEngine, enginePid } from '../../tests/support/engine-of-node.ts';
import { MIX_NAMES } from '../mixes.ts';
import { type BenchNode, startBenchNode, startMixSender, until } from '../support/bench-node.ts';
import { mixBlocks } from '../support/mix-blocks.ts';
import { ownCpuMicroseconds, residentBytes, treeCpuMicroseconds } from '../support/process-tree.ts';
import { createTenStreams } from '../support/ten-streams.ts';
import { watchThreadCpu } from '../support/thread-cpu.ts';

const MESSAGES: Readonly<Record<string, number>> = { web: 5_000_000, text: 2_000_000, wide: 400_000 };
const MESSAGES_OF_FILE = 500_000;
const MESSAGES_EMULATED = 30_000;
/** The blocks for the engine alone are in memory. */
const MOST_FOR_ENGINE_ALONE = 500_000;
/** Before anything is counted, so that the node runs compiled code. */
const WARM_UP = 20_000;
const CONNECTIONS = 4;
/**
 * Merges have settled after this many seconds without one: what is left of new parts is merged some seconds after the last
 * insert. The second constant is the longest wait.
 */
const SETTLED_SECONDS = 12;
const PATIENCE_SECONDS = 900;
const DEFAULT_INDEX_SET = '000000000000000000000001';

interface IngestFigures {
  readonly messages: number;
  readonly rawBytesPerMessage: number;
  readonly messagesPerSecond: number;
  /** Of all processes, until the merges have settled. */
  readonly cpuMicroseconds: number;
  /** Of the node itself: sockets, journal, decoding, routing, encoding, inserts. All JavaScript. */
  readonly nodeCpuMicroseconds: number;
  readonly engineCpuMicroseconds: number;
  /** When the merges have settled. */
  readonly diskBytesPerRawByte: number;
  /** The same when each index is a single part, with the index over all of its texts. */
  readonly diskBytesPerRawByteMerged: number;
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

interface PartFigures {
  readonly parts: number;
  /** Parts and messages without indexes. */
  readonly newParts: number;
  readonly newMessages: number;
  /** The mean level of messages. The engine's own counters take a merge by OPTIMIZE for two. */
  readonly passes: number;
}

interface EngineFigures {
  readonly emulated: boolean;
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
}

interface Figures extends IngestFigures {
  readonly engineAlone: EngineFigures;
  /** Messages per second against the engine alone. */
  readonly shareOfEngine: number;
}

export async function run(args: string[]): Promise<void> {
  const [mix, count] = args;
  const results: Record<string, Figures> = {};
  for (const name of mix === undefined ? MIX_NAMES : [mix]) {
    const figures = await measure(name, count === undefined ? undefined : Number(count));
    results[path.basename(name)] = figures;
    console.log(inWords(name, figures));
  }
  console.log(JSON.stringify({ bench: 'ingest', load: os.loadavg()[0], ...results }));
}

function inWords(name: string, figures: Figures): string {
  const { engineAlone } = figures;
  return [
    `${name}: ${Math.round(figures.messagesPerSecond)} messages/s`,
    `${figures.cpuMicroseconds.toFixed(1)} µs CPU a message (node ${figures.nodeCpuMicroseconds.toFixed(1)}, engine ${figures.engineCpuMicroseconds.toFixed(1)})`,
    `${figures.diskBytesPerRawByte.toFixed(3)} bytes on disk per raw byte (${figures.diskBytesPerRawByteMerged.toFixed(3)} in one part)`,
    `${Math.round(figures.maxResidentMegabytes)} MB at most (node ${Math.round(figures.maxNodeMegabytes)}, engine ${Math.round(figures.maxEngineMegabytes)})`,
    `${figures.passes.toFixed(2)} passes`,
    `${inWordsParts(figures.partsStored)} when stored, ${inWordsParts(figures.partsSettled)} settled`,
    `µs by threads: ${Object.entries(figures.cpuByThreads)
      .map(([group, each]) => `${group} ${each.toFixed(1)}`)
      .join(', ')}`,
    `${figures.shareOfEngine.toFixed(2)} of the engine alone (${Math.round(engineAlone.messagesPerSecond)}/s, ${engineAlone.cpuMicroseconds.toFixed(1)} µs${engineAlone.emulated ? ', emulated' : ''})`,
  ].join(', ');
}

function inWordsParts({ parts, newParts, newMessages }: PartFigures): string {
  return `${parts} parts (${newParts} new with ${newMessages} messages)`;
}

async function measure(mix: string, wanted: number | undefined): Promise<Figures> {
  // An engine for x64 runs elsewhere too, slowly; then its figures say little, and fewer messages will do.
  const native = MESSAGES[mix] ?? MESSAGES_OF_FILE;
  const messages = wanted ?? (process.arch === 'x64' ? native : MESSAGES_EMULATED);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-ingest-'));
  try {
    const dataDir = path.join(directory, 'node');
    const node = await startBenchNode({ dataDir });
    const whole = await ingest(node, dataDir, mix, messages).finally(() => node.stop());
    const some = Math.min(messages, MOST_FOR_ENGINE_ALONE);
    const engineAlone = await insertAlone(path.join(directory, 'engine'), mix, some);
    const shareOfEngine = whole.messagesPerSecond / engineAlone.messagesPerSecond;
    return { ...whole, engineAlone, shareOfEngine };
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function ingest(
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
  await askEngine(dataDir, `OPTIMIZE TABLE millrace.millrace_${DEFAULT_INDEX_SET} FINAL`);
  return {
    messages,
    rawBytesPerMessage: rawBytes / messages,
    messagesPerSecond: messages / seconds,
    cpuMicroseconds: (ownStored - ownBefore + engineCpu) / messages,
    nodeCpuMicroseconds: (ownStored - ownBefore) / messages,
    engineCpuMicroseconds: engineCpu / messages,
    diskBytesPerRawByte: settledBytes / allBytes,
    diskBytesPerRawByteMerged: (await storedBytes(dataDir)) / allBytes,
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

async function storedBytes(dataDir: string): Promise<number> {
  const [row] = await askEngine<{ bytes: string }>(
    dataDir,
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'millrace'",
  );
  return Number(row?.bytes);
}

async function mergesSettled(merges: () => Promise<number>): Promise<void> {
  let quiet = 0;
  for (let second = 0; second < PATIENCE_SECONDS && quiet < SETTLED_SECONDS; second++) {
    await delay(1000);
    quiet = (await merges()) === 0 ? quiet + 1 : 0;
  }
}

/** Blocks of the size the node makes, from memory into a new engine, one after the other. */
async function insertAlone(dataDir: string, mix: string, messages: number): Promise<EngineFigures> {
  const blocks = [...mixBlocks({ mix, messages, indexSetId: DEFAULT_INDEX_SET })];
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: 2 * 2 ** 30 },
  );
  await engine.start();
  const clickhouse = createClickHouse(() => [engine.endpoint()]);
  try {
    const tables = createMessageTables(clickhouse, { database: 'bench' });
    await tables.createDatabase();
    await tables.ensure('messages');
    const pid = engine.pid ?? 0;
    const cpuBefore = treeCpuMicroseconds(pid);
    const startedAt = performance.now();
    for (const [number, block] of blocks.entries()) {
      await clickhouse.servers[0]?.insertNative({
        database: 'bench',
        table: 'messages',
        block,
        deduplicationToken: String(number),
        settings: INSERT_SETTINGS,
      });
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await mergesSettled(async () => {
      const rows = await clickhouse.query<{ n: string }>('SELECT count() AS n FROM system.merges');
      return Number(rows[0]?.n);
    });
    const cpuMicroseconds = (treeCpuMicroseconds(pid) - cpuBefore) / messages;
    return { messagesPerSecond: messages / seconds, cpuMicroseconds, emulated: engine.emulated };
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}
