/** A whole node as a child process, for benchmarks that ask it through its API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../../scripts/server-environment.mjs';

const PASSWORD = 'bench';
/** What may be sent to a bench node by hand. */
export const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
const SENDER = path.resolve(import.meta.dirname, './mix-sender.ts');
const MAIN = path.resolve(import.meta.dirname, '../../packages/server/src/main.ts');

export interface BenchNode {
  readonly pid: number;
  /** `http://127.0.0.1:1234` */
  readonly address: string;
  /** Ports of the default inputs. */
  readonly tcpPort: number;
  readonly httpPort: number;
  /** The parsed answer; throws for an answer that is an error, 503 aside. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The answer as text; throws for every error. */
  text(method: string, path: string, body?: unknown): Promise<string>;
  stop(): Promise<void>;
}

export interface BenchNodeOptions {
  readonly dataDir: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings that nobody shall see in a list of processes. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A command that runs the command after it, with limits of its own. */
  readonly wrapper?: readonly string[];
  /** False: its storage only seems to be one, and is not waited for. */
  readonly hasStorage?: boolean;
}

/** Resolves when the node can store messages. */
export async function startBenchNode({
  dataDir,
  hasStorage = true,
  ...options
}: BenchNodeOptions): Promise<BenchNode> {
  const tcpPort = await freePort();
  const httpPort = await freePort();
  const settings = {
    data_dir: dataDir,
    http_bind_address: '127.0.0.1:0',
    default_input_udp_port: '0',
    default_input_tcp_port: String(tcpPort),
    default_input_http_port: String(httpPort),
    root_password_sha2: createHash('sha256').update(PASSWORD).digest('hex'),
    log_format: 'json',
    ...options.settings,
  };
  const flags = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  fs.mkdirSync(path.dirname(dataDir), { recursive: true });
  const program = [process.execPath, ...SERVER_FLAGS, MAIN, ...flags];
  const [command = '', ...rest] = [...(options.wrapper ?? []), ...program];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...SERVER_ENVIRONMENT, ...options.environment },
  });
  const address = await printed(child, /"address":"(http[^"]+?)\/?","msg":"ready"/);
  const node: BenchNode = {
    pid: child.pid ?? 0,
    address,
    tcpPort,
    httpPort,
    async call<T>(method: string, route: string, body?: unknown) {
      const { text } = await request(`${address}/api${route}`, method, body, [503]);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    text: async (method, route, body) => (await request(`${address}/api${route}`, method, body, [])).text,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
  if (!hasStorage) return node;
  await until(async () => {
    const health = await node.call<{ status: string }>('GET', '/system/indexer/cluster/health');
    return health.status === 'green';
  });
  return node;
}

async function request(url: string, method: string, body: unknown, allowed: readonly number[]) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: AUTHORIZATION,
      'x-requested-by': 'bench',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && !allowed.includes(response.status)) {
    throw new Error(`${method} ${url}: ${response.status} ${text}`);
  }
  return { text };
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(100);
}

export interface MixSending {
  readonly mix: string;
  readonly messages: number;
  readonly connections: number;
  /** The number of the first message. */
  readonly first?: number;
  /** To be posted there as lines of JSON, instead of sent as frames. */
  readonly urlPath?: string;
}

/** A process that sends when it is told to; resolves with the bytes of GELF it has sent. */
export async function startMixSender(
  { tcpPort }: Pick<BenchNode, 'tcpPort'>,
  { mix, messages, connections, first = 0, urlPath }: MixSending,
): Promise<() => Promise<number>> {
  const sender = spawn(
    process.execPath,
    [SENDER, mix, ...[tcpPort, messages, connections, first].map(String), ...(urlPath ? [urlPath] : [])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await printed(sender, /(ready)/);
  return async () => {
    const sent = printed(sender, /(\{"rawBytes".*\})/);
    sender.stdin.end();
    return (JSON.parse(await sent) as { rawBytes: number }).rawBytes;
  };
}

/** The first group of the first match in what a process prints. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`ended before it printed ${pattern}: ${output}`)));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
