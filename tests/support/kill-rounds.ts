/**
 * A whole node under load, with something killed again and again at moments that a seed decides: the node, its
 * ClickHouse, or one of its workers; in between indices are rotated. Afterwards everything that was acknowledged must
 * be stored exactly once in each of its two index sets.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { type CrashLoad, startCrashLoad } from './crash-load.ts';
import { askEngine, enginePid } from './engine-of-node.ts';
import { callApi, KNOWN_PASSWORD } from './node-api.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { INSPECTOR_ADDRESS, inspectWorkers } from './worker-inspector.ts';

export const VICTIMS = ['worker', 'engine', 'node'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface KillRoundsConfig {
  /** The same seed gives the same order and the same pauses. */
  readonly seed: number;
  /** How many times each victim is killed. */
  readonly rounds: number;
  readonly httpSenders: number;
  readonly httpPauseMs: number;
  /** Told what happens. */
  readonly log: (line: string) => void;
}

export interface KillResult {
  readonly kills: number;
  readonly rotations: number;
  readonly sent: number;
  readonly acknowledged: number;
  /** Rows in each table of the two index sets. */
  readonly rows: Readonly<Record<string, number>>;
  /** Acknowledged, and missing in an index set: `table/message`. */
  readonly lost: readonly string[];
  /** More than once in an index set. */
  readonly repeated: readonly string[];
}

const DEFAULT_INDEX_SET = '000000000000000000000001';
/** An engine that was killed takes minutes to come back under an emulator. */
const PATIENCE = { timeoutMs: 600_000, intervalMs: 50 };
const PROBES = 16;
const WORKERS = 2;
/** Load before each kill: at least this many acknowledged messages, then a random pause. */
const MAX_PAUSE_MS = 1500;
const ACKNOWLEDGED_A_ROUND = 100;

export async function killRounds(config: KillRoundsConfig): Promise<KillResult> {
  const subject = await startSubject();
  try {
    return await killUnderLoad(config, subject);
  } finally {
    await subject.stop();
  }
}

async function killUnderLoad(config: KillRoundsConfig, subject: Subject): Promise<KillResult> {
  const random = seededRandom(config.seed);
  const secondSet = await createSecondIndexSet(subject);
  const { httpSenders, httpPauseMs, log } = config;
  const load = startCrashLoad({
    ports: subject.ports,
    httpSenders,
    tcpConnections: 0,
    httpPauseMs,
  });
  let rotations = 0;
  try {
    const victims = shuffled(Array.from({ length: config.rounds }, () => VICTIMS).flat(), random);
    const moreAcknowledged = () => {
      const enough = load.acknowledged.size + ACKNOWLEDGED_A_ROUND;
      return until(() => load.acknowledged.size >= enough, PATIENCE);
    };
    for (const victim of victims) {
      await moreAcknowledged();
      await delay(random() * MAX_PAUSE_MS);
      const set = random() < 0.5 ? DEFAULT_INDEX_SET : secondSet;
      if ((await callApi(subject.address, 'POST', `/system/deflector/${set}/cycle`)).status === 204)
        rotations++;
      await delay(random() * MAX_PAUSE_MS);
      log(`${load.acknowledged.size} acknowledged, now the ${victim} is killed`);
      await subject.kill(victim);
    }
    await moreAcknowledged();
    await load.stop();
    await until(async () => (await uncommitted(subject)) === 0, PATIENCE);
    log(`${load.acknowledged.size} acknowledged, all of the journal is stored`);
    return { kills: victims.length, rotations, ...(await compare(load, subject)) };
  } finally {
    await load.stop();
  }
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
}

interface Subject {
  readonly address: string;
  /** Where it listens since its last start. */
  readonly ports: Ports;
  readonly dataDir: string;
  kill(victim: Victim): Promise<void>;
  stop(): Promise<void>;
}

async function startSubject(): Promise<Subject> {
  let node: NodeProcess;
  let address = '';
  const ports = { http: 0, tcp: 0 };

  async function start(dataDir?: string): Promise<void> {
    const settings = { processing_workers: String(WORKERS) };
    const nodeFlags = ['--inspect=127.0.0.1:0'];
    node = startNode(settings, { env: KNOWN_PASSWORD, nodeFlags, ...(dataDir !== undefined && { dataDir }) });
    address = await node.ready();
    ports.http = await node.inputPort('GELF HTTP');
    ports.tcp = await node.inputPort('GELF TCP');
  }

  async function killWorker(): Promise<void> {
    const inspector = await inspectWorkers((await node.printed(INSPECTOR_ADDRESS))[1] ?? '');
    await until(() => inspector.workers().length > 0);
    const worker = inspector.workers()[0] ?? '';
    // Never answered: there is nobody left to do it.
    void inspector.call(worker, 'Runtime.evaluate', { expression: 'process.reallyExit(1)' }).catch(() => {});
    await until(() => !inspector.workers().includes(worker));
    inspector.close();
  }

  await start();
  return {
    ports,
    get address() {
      return address;
    },
    get dataDir() {
      return node.dataDir;
    },
    async kill(victim) {
      if (victim === 'worker') await killWorker();
      else if (victim === 'engine') {
        const pid = enginePid(node.dataDir);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      } else {
        node.kill('SIGKILL');
        await node.exited();
        await start(node.dataDir);
      }
    },
    async stop() {
      node.kill();
      await node.exited();
    },
  };
}

/** With a stream into it that takes every message; resolves when messages arrive there. */
async function createSecondIndexSet(subject: Subject): Promise<string> {
  const strategies = 'org.graylog2.indexer';
  const indexSet = {
    title: 'Second',
    index_prefix: 'second',
    shards: 1,
    replicas: 0,
    rotation_strategy_class: `${strategies}.rotation.strategies.MessageCountRotationStrategy`,
    rotation_strategy: {
      type: `${strategies}.rotation.strategies.MessageCountRotationStrategyConfig`,
      max_docs_per_index: 20_000_000,
    },
    retention_strategy_class: `${strategies}.retention.strategies.NoopRetentionStrategy`,
    retention_strategy: {
      type: `${strategies}.retention.strategies.NoopRetentionStrategyConfig`,
      max_number_of_indices: 1000,
    },
    index_analyzer: 'standard',
    index_optimization_max_num_segments: 1,
    index_optimization_disabled: false,
    field_type_refresh_interval: 5000,
    writable: true,
  };
  // While the engine starts, the answer is 503: the table cannot be created yet.
  const created = await eventually(async () => {
    const answer = await callApi(subject.address, 'POST', '/system/indices/index_sets', indexSet);
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }, PATIENCE);
  const { id } = created.body;
  const stream = await callApi(subject.address, 'POST', '/streams', {
    title: 'everything again',
    index_set_id: id,
    rules: [{ type: 7, field: '', value: '', inverted: false }],
  });
  await callApi(subject.address, 'POST', `/streams/${stream.body.stream_id}/resume`);
  await untilEveryWorkerRoutes(subject);
  return id;
}

/**
 * Sends messages over new connections, which the kernel spreads over the workers, until those of a whole round are in
 * the second index set: a worker that does not know the stream yet would have missed its share of the round.
 */
async function untilEveryWorkerRoutes(subject: Subject): Promise<void> {
  let round = 0;
  await eventually(async () => {
    const text = `probe of round ${++round}`;
    for (let connection = 0; connection < PROBES; connection++) {
      await fetch(`http://127.0.0.1:${subject.ports.http}/gelf`, {
        method: 'POST',
        headers: { connection: 'close' },
        body: JSON.stringify({ host: 'kill', short_message: text }),
      });
    }
    const count = async (set: string) =>
      (await storedMessages(subject)).filter(
        ({ table, message }) => table.startsWith(set) && message === text,
      ).length;
    await until(async () => (await count('millrace')) === PROBES, PATIENCE);
    if ((await count('second')) !== PROBES) throw new Error('a worker does not know the stream yet');
  }, PATIENCE);
}

interface StoredMessage {
  readonly table: string;
  readonly message: string;
}

function storedMessages({ dataDir }: Subject): Promise<StoredMessage[]> {
  return askEngine(dataDir, "SELECT _table AS table, message FROM merge('millrace', '^(millrace|second)_')");
}

async function uncommitted(subject: Subject): Promise<number | undefined> {
  const { status, body } = await callApi(subject.address, 'GET', '/system/journal');
  return status === 200 ? body.uncommitted_journal_entries : undefined;
}

async function compare(load: CrashLoad, subject: Subject) {
  const tables = new Map<string, Map<string, number>>();
  for (const { table, message } of await storedMessages(subject)) {
    if (!/^h\d+$/.test(message)) continue;
    const counts = tables.get(table) ?? new Map<string, number>();
    tables.set(table, counts.set(message, (counts.get(message) ?? 0) + 1));
  }
  const each = [...tables];
  return {
    sent: load.sentByHttp(),
    acknowledged: load.acknowledged.size,
    rows: Object.fromEntries(each.map(([table, counts]) => [table.split('_')[0] ?? table, counts.size])),
    lost: each.flatMap(([table, counts]) =>
      [...load.acknowledged].filter((id) => !counts.has(id)).map((id) => `${table}/${id}`),
    ),
    repeated: each.flatMap(([table, counts]) =>
      [...counts].filter(([, count]) => count > 1).map(([id]) => `${table}/${id}`),
    ),
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
