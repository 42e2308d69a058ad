/**
 * How many messages a second two nodes with two shards store, compared with one node and one shard: GELF over TCP into
 * whole nodes with one worker each, a sender for each node, until every message is stored.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../packages/server/src/testing/postgres-server.ts';
import { type BenchNode, startBenchNode, startMixSender, until } from './bench-node.ts';
import { type CpuGroup, openCpuGroup } from './cpu-group.ts';
import { type Shard, startShard } from './laptop-cluster/shard.ts';
import { createStablePorts } from './laptop-cluster/stable-ports.ts';
import { treeCpuMicroseconds } from './process-tree.ts';

const MIX = 'web';
/** To each node before anything is counted, so that it runs compiled code. */
const WARM_UP = 20_000;
const CONNECTIONS = 2;
const ROUNDS = 2;

export interface IntakeComparison {
  /** The best of each. */
  readonly one: IntakeFigures;
  readonly two: IntakeFigures;
  readonly ratio: number;
}

interface IntakeFigures {
  readonly messagesPerSecond: number;
  /** Of nodes and shards together. */
  readonly cpuMicroseconds: number;
}

export interface IntakeOptions {
  /** To each node. */
  readonly messages: number;
  /** What a node and its shard may use together; undefined: whatever the machine has. */
  readonly coresEach?: number | undefined;
}

/** Both in turn, so that a machine that has other things to do has them for both. */
export async function compareIntake(options: IntakeOptions): Promise<IntakeComparison> {
  const runs: Record<1 | 2, IntakeFigures[]> = { 1: [], 2: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const pairs of [1, 2] as const) runs[pairs].push(await measure(pairs, options));
  }
  const [one, two] = [best(runs[1]), best(runs[2])];
  return { one, two, ratio: two.messagesPerSecond / one.messagesPerSecond };
}

function best(runs: readonly IntakeFigures[]): IntakeFigures {
  const [first] = runs.toSorted((a, b) => b.messagesPerSecond - a.messagesPerSecond);
  if (first === undefined) throw new Error('nothing was measured');
  return first;
}

/** A node and a shard, which share what they may use. */
interface Pair {
  readonly node: BenchNode;
  readonly shard: Shard;
}

async function measure(pairs: number, options: IntakeOptions): Promise<IntakeFigures> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-intake-'));
  const closing: (() => unknown)[] = [() => fs.rmSync(folder, { recursive: true, force: true })];
  try {
    const started = await startPairs(pairs, { folder, closing, coresEach: options.coresEach });
    await send(started, { messages: WARM_UP, first: 0 });
    const pids = started.flatMap(({ node, shard }) => [node.pid, shard.pid]);
    const cpu = () => pids.reduce((sum, pid) => sum + treeCpuMicroseconds(pid), 0);
    const cpuBefore = cpu();
    const seconds = await send(started, { messages: options.messages, first: WARM_UP * pairs });
    const all = options.messages * pairs;
    return {
      messagesPerSecond: Math.round(all / seconds),
      cpuMicroseconds: Number(((cpu() - cpuBefore) / all).toFixed(1)),
    };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

interface Place {
  readonly folder: string;
  /** What ends everything that was started, last first. */
  readonly closing: (() => unknown)[];
  readonly coresEach: number | undefined;
}

async function startPairs(count: number, { folder, closing, coresEach }: Place): Promise<Pair[]> {
  const postgres = await startPostgresServer();
  closing.push(() => postgres.stop());
  const freePort = createStablePorts();
  const password = randomBytes(16).toString('base64url');
  const groups: (CpuGroup | undefined)[] = [];
  const shards: Shard[] = [];
  for (let number = 1; number <= count; number++) {
    const group = coresEach === undefined ? undefined : openCpuGroup(`pair-${number}`, coresEach);
    if (group !== undefined) closing.push(() => group.close());
    groups.push(group);
    const place = path.join(folder, `shard-${number}`);
    const ports = { http: await freePort(), native: await freePort() };
    const shard = await startShard(`shard ${number}`, { folder: place, ports, password });
    closing.push(() => shard.stop());
    group?.add(shard.pid);
    shards.push(shard);
  }
  const uri = await createDatabase(postgres);
  const nodes: BenchNode[] = [];
  for (const [index, group] of groups.entries()) {
    const node = await startBenchNode({
      dataDir: path.join(folder, `node-${index + 1}`, 'data'),
      settings: { metadata_uri: uri, processing_workers: '1', default_inputs: 'false' },
      environment: {
        MILLRACE_CLICKHOUSE_URI: shards.map((shard) => shard.uri).join(','),
        MILLRACE_PASSWORD_SECRET: password,
      },
      ...(group && { wrapper: group.wrapper }),
    });
    closing.push(() => node.stop());
    await addInput(node);
    nodes.push(node);
  }
  return nodes.map((node, index) => ({ node, shard: shards[index] as Shard }));
}

/** Of this node alone: those of all nodes would have the same port, and here they are on one machine. */
async function addInput(node: BenchNode): Promise<void> {
  const { id } = await node.call<{ id: string }>('POST', '/system/inputs', {
    title: 'Intake',
    type: 'org.graylog2.inputs.gelf.tcp.GELFTCPInput',
    global: false,
    configuration: { bind_address: '127.0.0.1', port: node.tcpPort },
  });
  await until(async () => {
    const { states } = await node.call<{ states: readonly { id: string; state: string }[] }>(
      'GET',
      '/system/inputstates',
    );
    return states.some((each) => each.id === id && each.state === 'RUNNING');
  });
}

async function createDatabase(postgres: PostgresServer): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.uri('postgres') });
  await client.connect();
  await client.query('create database bench');
  await client.end();
  return postgres.uri('bench');
}

/** To each node as many; resolves with the seconds until all are stored. */
async function send(
  pairs: readonly Pair[],
  { messages, first }: { readonly messages: number; readonly first: number },
): Promise<number> {
  const before = await stored(pairs);
  const senders = await Promise.all(
    pairs.map(({ node }, index) =>
      startMixSender(node, {
        mix: MIX,
        messages,
        connections: CONNECTIONS,
        first: first + index * messages,
      }),
    ),
  );
  const all = before + messages * pairs.length;
  const startedAt = performance.now();
  const sending = Promise.all(senders.map((start) => start()));
  await until(async () => (await stored(pairs)) >= all);
  const seconds = (performance.now() - startedAt) / 1000;
  await sending;
  const found = await stored(pairs);
  if (found !== all) throw new Error(`${all} messages were sent, ${found} are stored`);
  return seconds;
}

async function stored(pairs: readonly Pair[]): Promise<number> {
  const counts = await Promise.all(
    pairs.map(({ shard }) =>
      shard.query<{ n: string }>(
        "SELECT sum(total_rows) AS n FROM system.tables WHERE database = 'millrace' AND name LIKE 'millrace%'",
      ),
    ),
  );
  return counts.reduce((sum, [row]) => sum + Number(row?.n ?? 0), 0);
}
