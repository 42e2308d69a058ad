/**
 * `npm run bench -- soak [minutes] [seed]`: a whole node with steady senders on every input, searches, live tails,
 * exports, rotation and retention, while its workers, its engine and the node itself are killed at random and its disk
 * is full now and then. Prints a line a minute, and at the end what was lost or stored twice and whether memory or file
 * descriptors grow. The exit code is 1 if something was lost, is there twice, a page and its total differed, or grows.
 *
 * In the first half everything is killed; in the second node and engine live on, so that growth shows. What counts as
 * acknowledged stands in `support/soak/senders.ts`. The disk can only be filled up as root on Linux, where the data
 * directory is a file system of its own.
 */
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../packages/server/src/testing/eventually.ts';
import {
  mountLoopDisk,
  type SmallDisk,
  smallDiskProblem,
} from '../../packages/server/src/testing/small-disk.ts';
import { enginePid } from '../../tests/support/engine-of-node.ts';
import {
  createSecondIndexSet,
  DEFAULT_INDEX_SET,
  ENGINE_PATIENCE,
  type KillableNode,
  startKillableNode,
  uncommittedRecords,
} from '../../tests/support/killable-node.ts';
import { callApi } from '../../tests/support/node-api.ts';
import { temporaryDirectory } from '../../tests/support/node-process.ts';
import { seededRandom } from '../../tests/support/seeded-random.ts';
import { type Disturbance, disturb } from '../support/soak/disturbances.ts';
import { CHANNELS, Ledger } from '../support/soak/ledger.ts';
import { type Growth, ProcessFigures } from '../support/soak/process-figures.ts';
import { type SoakReaders, startSoakReaders } from '../support/soak/readers.ts';
import { startSoakSenders } from '../support/soak/senders.ts';
import { compareStored, failures, oldestIndex, type Since, storedSoFar } from '../support/soak/stored.ts';

const MINUTES = 60;
const DISK_MEGABYTES = 2048;
const DISK_MEGABYTES_A_MINUTE = 20;
const SAMPLE_MS = 5000;
const DRAIN_PATIENCE = { timeoutMs: 300_000, intervalMs: 200 };
const SHOWN = 10;
const STRATEGIES = 'org.graylog2.indexer';
/** Small, so that segments are closed and removed all the time. */
const SETTINGS = {
  message_journal_max_size: '256mb',
  message_journal_segment_size: '4mb',
  message_journal_segment_age: '1m',
  message_journal_max_age: '1m',
  clickhouse_max_memory: '1gb',
  log_format: 'json',
};
/** An index a minute, of which three are kept. */
const SHORT_LIVED = {
  rotation_strategy_class: `${STRATEGIES}.rotation.strategies.TimeBasedRotationStrategy`,
  rotation_strategy: {
    type: `${STRATEGIES}.rotation.strategies.TimeBasedRotationStrategyConfig`,
    rotation_period: 'PT1M',
  },
  retention_strategy_class: `${STRATEGIES}.retention.strategies.DeletionRetentionStrategy`,
  retention_strategy: {
    type: `${STRATEGIES}.retention.strategies.DeletionRetentionStrategyConfig`,
    max_number_of_indices: 3,
  },
};

/** What was sent when an index of the second set was the active one. */
interface Mark extends Since {
  readonly activeIndex: number;
}

export async function run(args: readonly string[]): Promise<void> {
  const minutes = Number(args[0] ?? MINUTES);
  const seed = Number(args[1] ?? randomInt(2 ** 32));
  const noDisk = smallDiskProblem();
  console.log(`seed ${seed}, ${minutes} minutes`);
  if (noDisk !== undefined) console.log(`The disk is never full: ${noDisk}.`);
  const disk =
    noDisk === undefined ? mountLoopDisk(DISK_MEGABYTES + minutes * DISK_MEGABYTES_A_MINUTE) : undefined;
  const parent = disk?.directory ?? temporaryDirectory('millrace-soak-');
  const log = path.join(temporaryDirectory('millrace-soak-log-'), 'node.log');
  console.log(`what the node says: ${log}`);
  try {
    const node = await startKillableNode({
      dataDir: path.join(parent, 'data'),
      settings: SETTINGS,
      onOutput: (chunk) => fs.appendFileSync(log, chunk),
    });
    try {
      await soak({ node, disk, minutes, seed });
    } finally {
      await node.stop();
    }
  } finally {
    disk?.unmount();
    fs.rmSync(parent, { recursive: true, force: true });
  }
}

interface Soak {
  readonly node: KillableNode;
  readonly disk: SmallDisk | undefined;
  readonly minutes: number;
  readonly seed: number;
}

async function soak({ node, disk, minutes, seed }: Soak): Promise<void> {
  const secondSet = await createSecondIndexSet(node, SHORT_LIVED);
  await keepEverythingInManyIndices(node);
  const ledger = new Ledger();
  // Before the first message, so that everything is looked at if retention deletes nothing.
  const marks: Mark[] = await markOf(node, secondSet, ledger);
  const senders = startSoakSenders({ ports: node.ports, ledger });
  const readers = startSoakReaders(node);
  const figures = new ProcessFigures();
  const counts: Partial<Record<Disturbance, number>> = {};
  const start = performance.now();
  const minute = () => (performance.now() - start) / 60_000;
  const ending = new AbortController();
  const disturbing = disturb(
    {
      node,
      disk,
      secondSet,
      random: seededRandom(seed),
      beforeKill: senders.forgetClosing,
      async accepting() {
        const before = ledger.acknowledged('h');
        await until(() => ledger.acknowledged('h') > before, ENGINE_PATIENCE);
      },
    },
    () => (minute() < minutes / 2 ? 'first' : 'second'),
    ending.signal,
    (disturbance) => {
      counts[disturbance] = (counts[disturbance] ?? 0) + 1;
    },
  );
  for (let printed = 0; minute() < minutes; await delay(SAMPLE_MS)) {
    figures.sample('node', node.pid, minute());
    figures.sample('engine', enginePid(node.dataDir), minute());
    if (minute() < printed + 1) continue;
    printed += 1;
    marks.push(...(await markOf(node, secondSet, ledger)));
    console.log(await minuteLine(printed, node, ledger, figures, readers, counts));
  }
  ending.abort();
  await disturbing;
  await senders.stop();
  await readers.stop();
  const isStored = until(async () => (await uncommittedRecords(node)) === 0, DRAIN_PATIENCE);
  // What is missing is counted as lost then.
  await isStored.catch((error) => console.log(`The journal was not stored: ${error.message}`));
  await judge({ node, minutes, seed, ledger, marks, growth: figures.growth(), readers, counts });
}

/** The default index set begins a new index every 20 000 messages. */
async function keepEverythingInManyIndices({ address }: KillableNode): Promise<void> {
  const path = `/system/indices/index_sets/${DEFAULT_INDEX_SET}`;
  const { body } = await callApi(address, 'GET', path);
  const answer = await callApi(address, 'PUT', path, {
    ...body,
    rotation_strategy_class: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategy`,
    rotation_strategy: {
      type: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategyConfig`,
      max_docs_per_index: 20_000,
    },
    retention_strategy_class: `${STRATEGIES}.retention.strategies.NoopRetentionStrategy`,
    retention_strategy: {
      type: `${STRATEGIES}.retention.strategies.NoopRetentionStrategyConfig`,
      max_number_of_indices: 1000,
    },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Nothing while the node is away. */
async function markOf(node: KillableNode, secondSet: string, ledger: Ledger): Promise<Mark[]> {
  try {
    const { status, body } = await callApi(node.address, 'GET', `/system/deflector/${secondSet}`);
    if (status !== 200) return [];
    const activeIndex = Number(/_(\d+)$/.exec(body.current_target)?.[1]);
    return [{ activeIndex, h: ledger.sent('h'), t: ledger.sent('t'), u: ledger.sent('u') }];
  } catch {
    return [];
  }
}

async function minuteLine(
  minute: number,
  node: KillableNode,
  ledger: Ledger,
  figures: ProcessFigures,
  { figures: reads }: SoakReaders,
  counts: Readonly<Partial<Record<Disturbance, number>>>,
): Promise<string> {
  const stored = await storedSoFar(node.dataDir, 'millrace').catch(() => undefined);
  const sum = (of: (channel: (typeof CHANNELS)[number]) => number) =>
    CHANNELS.reduce((total, channel) => total + of(channel), 0);
  return [
    `minute ${minute}: sent ${sum((channel) => ledger.sent(channel))}`,
    `acknowledged ${sum((channel) => ledger.acknowledged(channel))}`,
    stored === undefined ? 'stored ? (engine away)' : `stored ${stored.rows} twice ${stored.twice}`,
    `node ${figures.latest('node')}`,
    `engine ${figures.latest('engine')}`,
    `searches ${reads.searches} tails ${reads.tails} exports ${reads.exports} away ${reads.away}`,
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(' '),
  ].join(' | ');
}

interface Ended {
  readonly node: KillableNode;
  readonly minutes: number;
  readonly seed: number;
  readonly ledger: Ledger;
  readonly marks: readonly Mark[];
  readonly growth: readonly Growth[];
  readonly readers: SoakReaders;
  readonly counts: Readonly<Partial<Record<Disturbance, number>>>;
}

async function judge({ node, ledger, marks, growth, readers, ...about }: Ended): Promise<void> {
  const { dataDir } = node;
  const kept = await compareStored(dataDir, 'millrace', ledger);
  const short = await compareStored(
    dataDir,
    'second',
    ledger,
    since(await oldestIndex(dataDir, 'second'), marks),
  );
  const { inconsistent, unexpected, ...reads } = readers.figures;
  const lost = [...kept.lost, ...short.lost];
  const twice = [...kept.twice, ...short.twice];
  const growing = growth.filter(({ grows }) => grows === true);
  for (const [name, list] of Object.entries({ lost, twice, inconsistent, unexpected })) {
    for (const each of list.slice(0, SHOWN)) console.log(`${name}: ${each}`);
  }
  for (const { of, what, early, late, grows } of growth) {
    const verdict = grows === undefined ? 'too short to tell' : grows ? 'GROWS' : 'flat';
    console.log(`${of}, ${what}: ${early} early, ${late} late: ${verdict}`);
  }
  const passed = lost.length + twice.length + inconsistent.length + growing.length === 0;
  console.log(
    JSON.stringify({
      bench: 'soak',
      passed,
      minutes: about.minutes,
      seed: about.seed,
      disturbances: about.counts,
      sent: Object.fromEntries(CHANNELS.map((channel) => [channel, ledger.sent(channel)])),
      acknowledged: { h: ledger.acknowledged('h'), t: ledger.acknowledged('t') },
      rows: { kept: kept.rows, shortLived: short.rows },
      lost: lost.length,
      twice: twice.length,
      inconsistent: inconsistent.length,
      unexpected: unexpected.length,
      failures: await failures(dataDir),
      ...reads,
      growth,
    }),
  );
  if (!passed) process.exitCode = 1;
}

/**
 * From which messages on the second set must have all: those sent after the index behind its oldest one was active,
 * since a worker learns of a rotation a moment later. All of them if retention has deleted nothing.
 */
function since(oldest: number, marks: readonly Mark[]): Since {
  const [first] = marks;
  if (first !== undefined && oldest <= first.activeIndex) return first;
  return marks.find(({ activeIndex }) => activeIndex > oldest) ?? { h: Infinity, t: Infinity, u: Infinity };
}
