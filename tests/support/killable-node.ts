/**
 * A whole node whose parts can be killed: a worker, its ClickHouse, or the node itself, which is then started again on
 * the same data.
 */
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { askEngine, enginePid } from './engine-of-node.ts';
import { callApi, KNOWN_PASSWORD } from './node-api.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { INSPECTOR_ADDRESS, inspectWorkers } from './worker-inspector.ts';

export const VICTIMS = ['worker', 'engine', 'node'] as const;
export type Victim = (typeof VICTIMS)[number];

export const DEFAULT_INDEX_SET = '000000000000000000000001';
/** An engine that was killed takes minutes to come back under an emulator. */
export const ENGINE_PATIENCE = { timeoutMs: 600_000, intervalMs: 50 };
const PROBES = 16;
const WORKERS = 2;

export interface KillableNode {
  readonly address: string;
  /** Where its inputs listen since its last start. */
  readonly ports: { readonly http: number; readonly tcp: number; readonly udp: number };
  readonly dataDir: string;
  /** Of the node since its last start. */
  readonly pid: number;
  /** Resolves when the worker or the node runs again; an engine comes back later. */
  kill(victim: Victim): Promise<void>;
  /** Stops the node as an administrator does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface KillableNodeOptions {
  readonly dataDir?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Given what the node prints, over all its starts. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export async function startKillableNode(options: KillableNodeOptions = {}): Promise<KillableNode> {
  let node: NodeProcess;
  let address = '';
  const ports = { http: 0, tcp: 0, udp: 0 };

  async function start(dataDir: string | undefined): Promise<void> {
    const settings = { processing_workers: String(WORKERS), ...options.settings };
    const nodeFlags = ['--inspect=127.0.0.1:0'];
    node = startNode(settings, { env: KNOWN_PASSWORD, nodeFlags, ...(dataDir !== undefined && { dataDir }) });
    for (const stream of [node.child.stdout, node.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => options.onOutput?.(chunk));
    }
    address = await node.ready();
    ports.http = await node.inputPort('GELF HTTP');
    ports.tcp = await node.inputPort('GELF TCP');
    ports.udp = await node.inputPort('GELF UDP');
  }

  async function startAgainAfter(signal: NodeJS.Signals): Promise<void> {
    node.kill(signal);
    await node.exited();
    await start(node.dataDir);
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

  await start(options.dataDir);
  return {
    ports,
    get address() {
      return address;
    },
    get dataDir() {
      return node.dataDir;
    },
    get pid() {
      return node.child.pid ?? 0;
    },
    async kill(victim) {
      if (victim === 'worker') await killWorker();
      else if (victim === 'node') await startAgainAfter('SIGKILL');
      else {
        const pid = enginePid(node.dataDir);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      }
    },
    restart: () => startAgainAfter('SIGTERM'),
    async stop() {
      node.kill();
      await node.exited();
    },
  };
}

const STRATEGIES = 'org.graylog2.indexer';

/** One index for ever. */
const KEEP_ALL = {
  rotation_strategy_class: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategy`,
  rotation_strategy: {
    type: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategyConfig`,
    max_docs_per_index: 20_000_000,
  },
  retention_strategy_class: `${STRATEGIES}.retention.strategies.NoopRetentionStrategy`,
  retention_strategy: {
    type: `${STRATEGIES}.retention.strategies.NoopRetentionStrategyConfig`,
    max_number_of_indices: 1000,
  },
};

/** With a stream into it that takes every message; resolves when messages arrive there. */
export async function createSecondIndexSet(
  subject: KillableNode,
  strategies: object = KEEP_ALL,
): Promise<string> {
  const indexSet = {
    title: 'Second',
    index_prefix: 'second',
    shards: 1,
    replicas: 0,
    ...strategies,
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
  }, ENGINE_PATIENCE);
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
async function untilEveryWorkerRoutes(subject: KillableNode): Promise<void> {
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
    await until(async () => (await count('millrace')) === PROBES, ENGINE_PATIENCE);
    if ((await count('second')) !== PROBES) throw new Error('a worker does not know the stream yet');
  }, ENGINE_PATIENCE);
}

export interface StoredMessage {
  readonly table: string;
  readonly message: string;
}

export function storedMessages({ dataDir }: KillableNode): Promise<StoredMessage[]> {
  return askEngine(dataDir, "SELECT _table AS table, message FROM merge('millrace', '^(millrace|second)_')");
}

/** Undefined while nobody can say. */
export async function uncommittedRecords(subject: KillableNode): Promise<number | undefined> {
  const { status, body } = await callApi(subject.address, 'GET', '/system/journal');
  return status === 200 ? body.uncommitted_journal_entries : undefined;
}
