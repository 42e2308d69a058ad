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
import { systemClock } from '../../packages/server/src/core/index.ts';
import {
  createClickHouse,
  createEmbeddedEngine,
  createMessageTables,
  INSERT_SETTINGS,
} from '../../packages/server/src/storage/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import { askEngine } from '../../tests/support/engine-of-node.ts';
import { MIX_NAMES } from '../mixes.ts';
import { type BenchNode, startBenchNode } from '../support/bench-node.ts';
import { mixBlocks } from '../support/mix-blocks.ts';
import { treeCpuMicroseconds } from '../support/process-tree.ts';
import {
  DEFAULT_INDEX_SET,
  type IngestFigures,
  ingest,
  mergesSettled,
  type PartFigures,
  storedBytes,
} from '../support/whole-node.ts';

const MESSAGES: Readonly<Record<string, number>> = { web: 5_000_000, text: 2_000_000, wide: 400_000 };
const MESSAGES_OF_FILE = 500_000;
const MESSAGES_EMULATED = 30_000;
/** The blocks for the engine alone are in memory. */
const MOST_FOR_ENGINE_ALONE = 500_000;

interface EngineFigures {
  readonly emulated: boolean;
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
}

interface Figures extends IngestFigures {
  /** On disk when each index is a single part, with the index over all of its texts. */
  readonly diskBytesPerRawByteMerged: number;
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
    const whole = await ingestAndMerge(node, dataDir, mix, messages).finally(() => node.stop());
    const some = Math.min(messages, MOST_FOR_ENGINE_ALONE);
    const engineAlone = await insertAlone(path.join(directory, 'engine'), mix, some);
    const shareOfEngine = whole.messagesPerSecond / engineAlone.messagesPerSecond;
    return { ...whole, engineAlone, shareOfEngine };
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function ingestAndMerge(node: BenchNode, dataDir: string, mix: string, messages: number) {
  const figures = await ingest(node, dataDir, mix, messages);
  await askEngine(dataDir, `OPTIMIZE TABLE millrace.millrace_${DEFAULT_INDEX_SET} FINAL`);
  return { ...figures, diskBytesPerRawByteMerged: (await storedBytes(dataDir)) / figures.rawBytes };
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
