/** A whole cluster on one machine, as processes: a PostgreSQL, ClickHouse shards, nodes, and a sender to all of them. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../../packages/server/src/testing/eventually.ts';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../../packages/server/src/testing/postgres-server.ts';
import { type CrashLoad, startCrashLoad } from '../../../tests/support/crash-load.ts';
import { callApi, KNOWN_PASSWORD } from '../../../tests/support/node-api.ts';
import { temporaryDirectory } from '../../../tests/support/node-process.ts';
import { createMember, type Member } from './member.ts';
import { type Shard, startShard } from './shard.ts';
import { createStablePorts } from './stable-ports.ts';

const NODES = 3;
const SHARDS = 2;
const SENDERS = 6;
/** So that a laptop has time for other things. */
const SENDER_PAUSE_MS = 20;
/** Only matters when something hangs. */
export const PATIENCE = { timeoutMs: 300_000, intervalMs: 100 };

export interface LaptopCluster {
  readonly members: readonly Member[];
  readonly shards: readonly Shard[];
  readonly load: CrashLoad;
  /** As one of the running nodes sees it; undefined while there is none. */
  leader(): Promise<Member | undefined>;
  /** One of the running nodes, each in turn; undefined if none runs. */
  anyMember(): Member | undefined;
  /** Ends the sender, starts what was killed, waits until all journals are empty, and compares. */
  verdict(): Promise<Verdict>;
  stop(): Promise<void>;
}

/** What became of the messages. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  /** On each shard. */
  readonly perShard: readonly number[];
  readonly lost: number;
  readonly storedTwice: number;
}

export async function startLaptopCluster(say: (line: string) => void): Promise<LaptopCluster> {
  const folder = temporaryDirectory('millrace-cluster-');
  const freePort = createStablePorts();
  const members: Member[] = [];
  const shards: Shard[] = [];
  let postgres: PostgresServer | undefined;
  let load: CrashLoad | undefined;

  async function stop(): Promise<void> {
    await load?.stop();
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all(shards.map((shard) => shard.stop()));
    await postgres?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }

  try {
    say('starting PostgreSQL and two ClickHouse shards …');
    const password = randomBytes(16).toString('base64url');
    for (let number = 1; number <= SHARDS; number++) {
      const ports = { http: await freePort(), native: await freePort() };
      const place = path.join(folder, `shard-${number}`);
      shards.push(await startShard(`shard ${number}`, { folder: place, ports, password }));
    }
    postgres = await startPostgresServer();
    say('starting three nodes …');
    const settings = settingsOf(postgres, shards);
    for (let number = 1; number <= NODES; number++) {
      const place = { folder: path.join(folder, `node-${number}`), port: await freePort() };
      members.push(createMember(`node ${number}`, { ...settings, ...place }));
    }
    const [first, ...others] = members;
    // It creates the tables.
    await first?.start();
    await Promise.all(others.map((member) => member.start()));
    const anyMember = inTurn(members);
    load = startCrashLoad({
      ports: {
        get http() {
          return (anyMember() ?? members[0])?.gelfPort ?? 0;
        },
        tcp: 0,
      },
      httpSenders: SENDERS,
      tcpConnections: 0,
      httpPauseMs: SENDER_PAUSE_MS,
    });
    return {
      members,
      shards,
      load,
      stop,
      anyMember,
      leader: () => leaderSeenBy(members, anyMember()),
      verdict: () => verdictOf({ members, shards, load: load as CrashLoad }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settingsOf(postgres: PostgresServer, shards: readonly Shard[]) {
  return {
    settings: { metadata_uri: postgres.uri('postgres'), processing_workers: '1' },
    environment: {
      ...KNOWN_PASSWORD,
      MILLRACE_CLICKHOUSE_URI: shards.map(({ uri }) => uri).join(','),
      MILLRACE_PASSWORD_SECRET: randomBytes(32).toString('base64url'),
    },
  };
}

function inTurn(members: readonly Member[]): () => Member | undefined {
  let turn = 0;
  return () => {
    const running = members.filter(({ isRunning }) => isRunning);
    return running[turn++ % Math.max(1, running.length)];
  };
}

async function leaderSeenBy(
  members: readonly Member[],
  witness: Member | undefined,
): Promise<Member | undefined> {
  if (witness === undefined) return undefined;
  const answer = await callApi(witness.address, 'GET', '/system/cluster/nodes').catch(() => undefined);
  const nodes: readonly { node_id: string; is_leader: boolean }[] = answer?.body?.nodes ?? [];
  const leader = nodes.find((node) => node.is_leader);
  return members.find(({ nodeId }) => nodeId === leader?.node_id);
}

async function verdictOf({
  members,
  shards,
  load,
}: Pick<LaptopCluster, 'members' | 'shards' | 'load'>): Promise<Verdict> {
  await load.stop();
  await Promise.all(shards.map((shard) => shard.start()));
  await Promise.all(members.map((member) => member.start()));
  for (const { address } of members) {
    await until(async () => {
      const journal = await callApi(address, 'GET', '/system/journal').catch(() => undefined);
      return journal?.body.uncommitted_journal_entries === 0;
    }, PATIENCE);
  }
  const perShard = await Promise.all(shards.map((shard) => shard.stored()));
  const stored = perShard.flat();
  const distinct = new Set(stored);
  return {
    acknowledged: load.acknowledged.size,
    stored: distinct.size,
    perShard: perShard.map(({ length }) => length),
    lost: [...load.acknowledged].filter((id) => !distinct.has(id)).length,
    storedTwice: stored.length - distinct.size,
  };
}
