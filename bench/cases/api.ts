/**
 * Requests per second of the API by kind of authentication, beside a bare Fastify route that returns the same JSON, in
 * the same run. The load comes from another process; rounds are interleaved, so that whatever else the machine does
 * hits all kinds alike. CPU per request is the server's own.
 *
 *   npm run bench -- api [seconds per measurement] [rounds] [kinds beside bare …]
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  createApi,
  DEFAULT_API_SETTINGS,
  nodeRoutes,
  sessionRoutes,
  tokenRoutes,
} from '../../packages/server/src/api/index.ts';
import { createAuth } from '../../packages/server/src/auth/index.ts';
import { createCluster } from '../../packages/server/src/cluster/service.ts';
import {
  createAnswerMemory,
  monotonicClock,
  Secret,
  systemClock,
} from '../../packages/server/src/core/index.ts';
import { openMetadata } from '../../packages/server/src/metadata/index.ts';
import { createSystem } from '../../packages/server/src/system/service.ts';
import {
  createLogger,
  createLogLevels,
  createMetrics,
  createRecentLogLines,
} from '../../packages/server/src/telemetry/index.ts';
import { NO_JOURNAL, NOTHING_WAITS } from '../../packages/server/src/testing/no-journal.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';

const NODE_ID = '11111111-2222-4333-8444-555555555555';
const PASSWORD = 'benchmark-password';
const CONNECTIONS = 16;

interface Server {
  readonly address: string;
  stop(): Promise<void>;
}

/** The parts of a node that answer these requests: everything but inputs, storage and the web interface. */
async function startApi(directory: string): Promise<Server> {
  const levels = createLogLevels('info');
  const recentLogLines = createRecentLogLines();
  const logger = createLogger({ level: 'info', levels, recent: recentLogLines, stream: { write: () => {} } });
  const metrics = createMetrics();
  const metadata = await openMetadata(
    { logger, clock: systemClock },
    { uri: `sqlite:${path.join(directory, 'metadata.db')}` },
  );
  const auth = createAuth(
    { metadata, clock: systemClock, monotonic: monotonicClock, logger },
    {
      passwordSecret: new Secret('the secret of all nodes'),
      root: {
        username: 'admin',
        password: { kind: 'sha256', hex: createHash('sha256').update(PASSWORD).digest('hex') },
        email: '',
        timezone: 'UTC',
        sessionTimeoutMs: 3_600_000,
      },
    },
  );
  await auth.start();
  const cluster = createCluster(
    { metadata, logger, clock: systemClock, monotonic: monotonicClock },
    {
      nodeId: NODE_ID,
      publishUri: () => `${api.address()}/`,
      version: '1.2.3+bench',
      throttleThresholdPercentage: 90,
    },
  );
  const system = createSystem(
    {
      status: cluster.status,
      registry: cluster.registry,
      metadata,
      metrics,
      logger,
      levels,
      recentLogLines,
      clock: systemClock,
      audit: auth.audit,
      stopNode: () => {},
    },
    { nodeId: NODE_ID, version: '1.2.3+bench', codename: 'Benchmark', directories: [directory] },
  );
  const startables = [...system.startables, ...cluster.startables];
  const exposed = {
    exposedConfiguration: () => ({}),
    journalSummary: () => NO_JOURNAL,
    processingStatus: () => NOTHING_WAITS,
    messageCount: () => 0,
  };
  const routes = [
    ...nodeRoutes({ ...cluster, ...system, audit: auth.audit, metrics, ...exposed }),
    ...sessionRoutes(auth),
    ...tokenRoutes(auth),
  ];
  const answerMemory = createAnswerMemory({ maxBytes: 2 ** 30 });
  const api = await createApi(
    { logger, metrics, nodeId: NODE_ID, authenticator: auth.authenticator, answerMemory },
    { ...DEFAULT_API_SETTINGS, port: 0 },
    routes,
  );
  await api.start();
  for (const part of startables) await part.start();
  cluster.status.running();
  return {
    address: api.address(),
    async stop() {
      for (const part of startables.toReversed()) await part.stop();
      await api.stop();
      await auth.stop();
      await metadata.close();
    },
  };
}

async function startBare(body: unknown): Promise<FastifyInstance> {
  const fastify = Fastify();
  fastify.get('/bare', (_request, reply) => reply.send(body));
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  return fastify;
}

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

async function callJson(url: string, authorization: string, init: RequestInit = {}) {
  const headers = { authorization, 'x-requested-by': 'bench', 'content-type': 'application/json' };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

interface Kind {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly headers?: readonly string[];
}

async function prepareKinds(address: string): Promise<{ kinds: Kind[]; body: unknown }> {
  const port = Number(new URL(address).port);
  const admin = basic('admin', PASSWORD);
  const token = await callJson(`${address}/api/users/admin/tokens/bench`, admin, { method: 'POST' });
  const session = await callJson(`${address}/api/system/sessions`, admin, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password: PASSWORD, host: '' }),
  });
  const cluster = (authorization: string) => ({
    port,
    path: '/api/cluster',
    headers: [`authorization: ${authorization}`],
  });
  return {
    body: await callJson(`${address}/api/cluster`, admin),
    kinds: [
      { name: 'lbstatus', port, path: '/api/system/lbstatus' },
      { name: 'token', ...cluster(basic(String(token.token), 'token')) },
      { name: 'session', ...cluster(basic(String(session.session_id), 'session')) },
      { name: 'session_cookie', ...cluster(''), headers: [`cookie: authentication=${session.session_id}`] },
      { name: 'password', ...cluster(admin) },
    ],
  };
}

interface Measurement {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly latencyMs: LoadResult['latencyMs'];
}

const runFile = promisify(execFile);

async function measure(kind: Kind, seconds: number): Promise<Measurement> {
  const headers = ['host: 127.0.0.1', 'accept: application/json', ...(kind.headers ?? [])];
  const request = `GET ${kind.path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const order: LoadOrder = { port: kind.port, request, connections: CONNECTIONS, seconds };
  const load = path.join(import.meta.dirname, '..', 'http-load.ts');
  const before = process.cpuUsage();
  const { stdout } = await runFile(process.execPath, [load, JSON.stringify(order)]);
  const used = process.cpuUsage(before);
  const result = JSON.parse(stdout) as LoadResult;
  if (result.otherStatuses > 0) throw new Error(`${kind.name}: ${result.otherStatuses} answers were not 200`);
  return {
    requestsPerSecond: Math.round(result.requests / result.seconds),
    cpuMicroseconds: Math.round((10 * (used.user + used.system)) / result.requests) / 10,
    latencyMs: result.latencyMs,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export async function run(args: string[]): Promise<void> {
  const seconds = Number(args[0] ?? 3);
  const rounds = Number(args[1] ?? 3);
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  const api = await startApi(directory);
  const { kinds, body } = await prepareKinds(api.address);
  const bare = await startBare(body);
  const wanted = args.slice(2);
  const all = [
    { name: 'bare', port: (bare.server.address() as AddressInfo).port, path: '/bare' },
    ...kinds.filter((kind) => wanted.length === 0 || wanted.includes(kind.name)),
  ];
  const measured = new Map(all.map((kind) => [kind.name, [] as Measurement[]]));
  for (const kind of all) await measure(kind, 1); // compiled code first
  for (let round = 0; round < rounds; round++) {
    for (const kind of all) {
      const result = await measure(kind, seconds);
      measured.get(kind.name)?.push(result);
      console.log(
        `${kind.name.padEnd(15)} ${result.requestsPerSecond} req/s, ${result.cpuMicroseconds} µs CPU`,
      );
    }
  }
  await bare.close();
  await api.stop();
  await rm(directory, { recursive: true });
  console.log(JSON.stringify(summary(measured)));
}

function summary(measured: ReadonlyMap<string, readonly Measurement[]>): Record<string, unknown> {
  const rate = (name: string) => median((measured.get(name) ?? []).map((each) => each.requestsPerSecond));
  // The least of all rounds: whatever else runs on the machine can only add to it.
  const cpu = (name: string) => Math.min(...(measured.get(name) ?? []).map((each) => each.cpuMicroseconds));
  const names = [...measured.keys()];
  const shares = (share: (name: string) => number) =>
    Object.fromEntries(names.slice(1).map((name) => [name, Math.round(1000 * share(name)) / 1000]));
  return {
    case: 'api',
    connections: CONNECTIONS,
    requests_per_second: Object.fromEntries(names.map((name) => [name, rate(name)])),
    cpu_microseconds_per_request: Object.fromEntries(names.map((name) => [name, cpu(name)])),
    latency_ms: Object.fromEntries(names.map((name) => [name, measured.get(name)?.at(-1)?.latencyMs])),
    share_of_bare_rate: shares((name) => rate(name) / rate('bare')),
    // The same by CPU: what the rates would be if nothing else ran on the machine.
    share_of_bare_by_cpu: shares((name) => cpu('bare') / cpu(name)),
    goal: 'token and session: at least 0.5 of the bare rate',
  };
}
