/**
 * A cluster whose parts are processes and whose connections can be cut: three nodes, a PostgreSQL, two ClickHouse shards,
 * and senders to the nodes that a load balancer would choose.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createMember, type Member } from '../../bench/support/laptop-cluster/member.ts';
import { type Shard, startShard } from '../../bench/support/laptop-cluster/shard.ts';
import { createStablePorts } from '../../bench/support/laptop-cluster/stable-ports.ts';
import { type CuttableProxy, startCuttableProxy } from '../../packages/server/src/testing/cuttable-proxy.ts';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../packages/server/src/testing/postgres-server.ts';
import { type CrashLoad, startCrashLoad } from './crash-load.ts';
import { KNOWN_PASSWORD } from './node-api.ts';
import { temporaryDirectory } from './node-process.ts';

const NODES = 3;
const SHARDS = 2;
const SENDERS = 9;
const SENDER_PAUSE_MS = 20;

/** A node with a line to each of the servers that it needs. */
export interface WiredMember extends Member {
  readonly toPostgres: CuttableProxy;
  readonly toShards: readonly CuttableProxy[];
}

export interface OutageCluster {
  readonly members: readonly WiredMember[];
  readonly shards: readonly Shard[];
  readonly postgres: PostgresServer;
  readonly load: CrashLoad;
  /** Nodes that get nothing new from the senders. */
  readonly avoided: Set<Member>;
  /** How many messages each index of the index set with this prefix has, on all shards, in order. */
  countByIndex(prefix: string): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startOutageCluster(settings: Record<string, string>): Promise<OutageCluster> {
  const folder = temporaryDirectory('millrace-outages-');
  const freePort = createStablePorts();
  const postgres = await startPostgresServer();
  const password = randomBytes(16).toString('base64url');
  const ports = await Promise.all(
    Array.from({ length: SHARDS }, async () => ({ http: await freePort(), native: await freePort() })),
  );
  const shards = await Promise.all(
    ports.map((own, index) =>
      startShard(`shard ${index + 1}`, {
        folder: path.join(folder, `shard-${index + 1}`),
        ports: own,
        password,
      }),
    ),
  );

  async function createWiredMember(number: number): Promise<WiredMember> {
    const toPostgres = await startCuttableProxy(() => postgres.port);
    const toShards = await Promise.all(ports.map(({ http }) => startCuttableProxy(() => http)));
    const uris = shards.map(({ uri }, index) =>
      uri.replace(`:${ports[index]?.http}?`, `:${toShards[index]?.port}?`),
    );
    const member = createMember(`node ${number}`, {
      folder: path.join(folder, `node-${number}`),
      port: await freePort(),
      settings: {
        metadata_uri: postgres.uri('postgres').replace(`:${postgres.port}/`, `:${toPostgres.port}/`),
        processing_workers: '1',
        ...settings,
      },
      environment: {
        ...KNOWN_PASSWORD,
        MILLRACE_CLICKHOUSE_URI: uris.join(','),
        MILLRACE_PASSWORD_SECRET: 'the same secret on all nodes',
      },
    });
    return Object.assign(member, { toPostgres, toShards });
  }

  const members: WiredMember[] = [];
  for (let number = 1; number <= NODES; number++) members.push(await createWiredMember(number));
  const avoided = new Set<Member>();
  const [first, ...others] = members;
  // It creates the tables.
  await first?.start();
  await Promise.all(others.map((member) => member.start()));
  let turn = 0;
  const load = startCrashLoad({
    ports: {
      get http() {
        const chosen = members.filter((member) => member.isRunning && !avoided.has(member));
        return chosen[turn++ % Math.max(1, chosen.length)]?.gelfPort ?? 0;
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
    postgres,
    load,
    avoided,
    async countByIndex(prefix) {
      const counts = new Map<number, number>();
      for (const shard of shards) {
        for (const { number, count } of await shard.query<{ number: number; count: number }>(
          `SELECT index_number AS number, toUInt32(count()) AS count FROM merge('millrace', '^${prefix}') GROUP BY number`,
        )) {
          counts.set(number, (counts.get(number) ?? 0) + count);
        }
      }
      return [...counts].toSorted(([a], [b]) => a - b).map(([, count]) => count);
    },
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
      await load.stop();
      await Promise.all(shards.map((shard) => shard.stop()));
      await postgres.stop();
      await Promise.all(
        members.flatMap(({ toPostgres, toShards }) => [toPostgres, ...toShards]).map((line) => line.cut()),
      );
    },
  };
}
