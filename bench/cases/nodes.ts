/**
 * `npm run bench -- nodes [nodes] [seconds]`: what a large cluster asks of PostgreSQL. The parts of 100 nodes that use it all
 * the time run in this process, each with connections of its own: heartbeat, lease, list of peers, and the snapshots of
 * streams, pipelines and index sets that workers follow. There are no messages and no requests of people.
 *
 * Prints transactions a second and the processor time of PostgreSQL with as many nodes, and how long it takes until a change by one
 * node is in the snapshots of all. The last line is JSON.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createCluster } from '../../packages/server/src/cluster/service.ts';
import { monotonicClock, type Startable, systemClock } from '../../packages/server/src/core/index.ts';
import { type Metadata, openMetadata } from '../../packages/server/src/metadata/index.ts';
import { createMessagePath } from '../../packages/server/src/node/message-path.ts';
import {
  createJobs,
  createNotifications,
  createSystemMessages,
} from '../../packages/server/src/system/service.ts';
import { createLogger, createMetrics } from '../../packages/server/src/telemetry/index.ts';
import { startPostgresServer } from '../../packages/server/src/testing/postgres-server.ts';
import { SimulatedClickHouse } from '../../packages/server/src/testing/simulated-clickhouse.ts';
import { treeCpuMicroseconds } from '../support/process-tree.ts';

const NODES = 100;
const SECONDS = 30;
/** Each node may have ten. */
const CONNECTIONS = 1200;

interface SimulatedNode {
  readonly metadata: Metadata;
  readonly path: ReturnType<typeof createMessagePath>;
  readonly startables: readonly Startable[];
  isLeader(): boolean;
}

async function startSimulatedNode(uri: string): Promise<SimulatedNode> {
  const nodeId = randomUUID();
  const logger = createLogger({ level: 'silent' });
  const metrics = createMetrics();
  const metadata = await openMetadata({ logger, clock: systemClock }, { uri });
  const cluster = createCluster(
    { metadata, logger, clock: systemClock, monotonic: monotonicClock },
    {
      nodeId,
      publishUri: () => 'http://127.0.0.1:9/',
      version: '0.0.0+bench',
      throttleThresholdPercentage: 90,
    },
  );
  const isLeader = () => cluster.registry.isLeader();
  const clickhouse = new SimulatedClickHouse([]);
  const audit = { record: async () => {} };
  const notifications = createNotifications({ ...metadata.repositories, logger }, { nodeId });
  const path = createMessagePath(
    {
      messageStorage: {
        name: 'no messages',
        clickhouse: () => clickhouse,
        onServers() {},
        describe: () => 'none',
        start: async () => {},
        stop: async () => {},
      },
      metadata,
      audit,
      jobs: createJobs({ clock: systemClock, logger }, { nodeId }),
      notifications,
      systemMessages: createSystemMessages({ ...metadata.repositories, logger }, { nodeId }),
      isLeader,
      outputViews: async () => new Map(),
      metrics,
      clock: systemClock,
      logger,
    },
    { nodeId, database: 'bench', tiers: undefined, streamTimeoutMs: 2000, maxFaults: 3 },
  );
  const startables = [...cluster.startables, ...path.startables];
  for (const part of startables) await part.start();
  return { metadata, path, startables, isLeader };
}

export async function run(args: readonly string[]): Promise<void> {
  const [nodes = NODES, seconds = SECONDS] = args.map(Number);
  const server = await startPostgresServer({ max_connections: CONNECTIONS });
  const watch = new pg.Client({ connectionString: server.uri('postgres') });
  await watch.connect();
  const started: SimulatedNode[] = [];
  try {
    await watch.query('create database bench');
    const beganAt = performance.now();
    for (let number = 0; number < nodes; number++) {
      started.push(await startSimulatedNode(server.uri('bench')));
      if (number % 10 === 9)
        console.log(`${number + 1} nodes after ${Math.round(performance.now() - beganAt)} ms`);
    }
    await delay(5000);
    const figures = await measure(watch, server.pid, seconds);
    const leaders = started.filter((node) => node.isLeader()).length;
    const changeMs = await propagation(started);
    console.log(
      `${nodes} nodes: ${figures.transactions} transactions/s, ${figures.connections} connections, PostgreSQL uses ${figures.cpuPercent} % of a core (${figures.cpuMicroseconds} µs a transaction); ${leaders} leads; a change is known to all after ${changeMs} ms`,
    );
    const cores = os.availableParallelism();
    console.log(JSON.stringify({ bench: 'nodes', nodes, cores, leaders, changeMs, ...figures }));
  } finally {
    for (const { startables, metadata } of started) {
      for (const part of startables.toReversed()) await part.stop().catch(() => {});
      await metadata.close().catch(() => {});
    }
    await watch.end();
    await server.stop();
  }
}

async function measure(watch: pg.Client, pid: number, seconds: number) {
  const counted = async () => {
    const { rows } = await watch.query(
      "select xact_commit + xact_rollback as done, numbackends as connections from pg_stat_database where datname = 'bench'",
    );
    return { done: Number(rows[0].done), connections: Number(rows[0].connections) };
  };
  const before = await counted();
  const cpuBefore = treeCpuMicroseconds(pid);
  const beganAt = performance.now();
  await delay(seconds * 1000);
  const cpu = treeCpuMicroseconds(pid) - cpuBefore;
  const lasted = (performance.now() - beganAt) / 1000;
  // PostgreSQL writes its statistics down once a second.
  const after = await counted();
  const done = after.done - before.done;
  return {
    transactions: Math.round(done / lasted),
    connections: after.connections,
    cpuPercent: Math.round(cpu / lasted / 1e4),
    cpuMicroseconds: Math.round(cpu / Math.max(1, done)),
  };
}

/** From the moment one node has stored a new index until all have it in their snapshot. */
async function propagation(nodes: readonly SimulatedNode[]): Promise<number> {
  const [first] = nodes;
  const indexSet = first?.path.storage.snapshot()?.indexSets[0];
  if (first === undefined || indexSet === undefined) throw new Error('there is no index set');
  const { length } = indexSet.indices;
  const known = ({ path }: SimulatedNode) =>
    (path.storage.snapshot()?.indexSets.find(({ id }) => id === indexSet.id)?.indices.length ?? 0) > length;
  const beganAt = performance.now();
  await first.metadata.repositories.indices.rotate(indexSet.id, indexSet.indices.at(-1)?.number ?? 0);
  while (!nodes.every(known)) await delay(5);
  return Math.round(performance.now() - beganAt);
}
