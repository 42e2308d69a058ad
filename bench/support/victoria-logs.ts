/** VictoriaLogs, to compare with. Its program is not part of this one: whoever compares brings it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { freePort, startMixSender, until } from './bench-node.ts';
import { residentBytes, treeCpuMicroseconds, treeIsQuiet } from './process-tree.ts';
import { CONNECTIONS, SETTLED_SECONDS, WARM_UP } from './whole-node.ts';

const INSERT_PATH = '/insert/jsonline?_stream_fields=host&_time_field=_time&_msg_field=_msg';
const PATIENCE_SECONDS = 300;

export interface VictoriaLogs {
  readonly pid: number;
  readonly port: number;
  readonly dataDir: string;
  /** The answer of `/select/logsql/…`. */
  ask(endpoint: string, parameters: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

export interface PeerFigures {
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly diskBytesPerRawByte: number;
  readonly maxResidentMegabytes: number;
}

export async function startVictoriaLogs(program: string, dataDir: string): Promise<VictoriaLogs> {
  const port = await freePort();
  fs.mkdirSync(dataDir, { recursive: true });
  // The messages of the mixes are older than the week that it keeps by itself.
  const flags = [
    `-storageDataPath=${dataDir}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
    '-loggerLevel=ERROR',
  ];
  const child = spawn(program, flags, { stdio: ['ignore', 'inherit', 'inherit'] });
  const address = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    return fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    pid: child.pid ?? 0,
    port,
    dataDir,
    async ask(endpoint, parameters) {
      const answer = await fetch(`${address}/select/logsql/${endpoint}?${new URLSearchParams(parameters)}`);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${endpoint} ${JSON.stringify(parameters)}: ${answer.status} ${text}`);
      return text;
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** As `ingest` does it with a node: until all can be found, and its merges have settled. */
export async function ingestIntoVictoriaLogs(
  peer: VictoriaLogs,
  mix: string,
  messages: number,
): Promise<PeerFigures> {
  const sending = { mix, connections: CONNECTIONS, urlPath: INSERT_PATH };
  const target = { tcpPort: peer.port };
  const warmUpBytes = await (await startMixSender(target, { ...sending, messages: WARM_UP }))();
  const send = await startMixSender(target, { ...sending, messages, first: WARM_UP });
  await until(async () => (await storedIn(peer)) >= WARM_UP);
  await treeIsQuiet(peer.pid, { seconds: SETTLED_SECONDS, atMost: PATIENCE_SECONDS });

  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, residentBytes(peer.pid));
  }, 100);
  const cpuBefore = treeCpuMicroseconds(peer.pid);
  const startedAt = performance.now();
  const sent = send();
  await until(async () => (await storedIn(peer)) >= WARM_UP + messages);
  const seconds = (performance.now() - startedAt) / 1000;
  const rawBytes = warmUpBytes + (await sent);
  await treeIsQuiet(peer.pid, { seconds: SETTLED_SECONDS, atMost: PATIENCE_SECONDS });
  clearInterval(sampler);
  const stored = await storedIn(peer);
  if (stored !== WARM_UP + messages) throw new Error(`VictoriaLogs has ${stored} messages`);
  return {
    messagesPerSecond: messages / seconds,
    cpuMicroseconds: (treeCpuMicroseconds(peer.pid) - cpuBefore) / messages,
    diskBytesPerRawByte: bytesIn(peer.dataDir) / rawBytes,
    maxResidentMegabytes: most / 2 ** 20,
  };
}

async function storedIn(peer: VictoriaLogs): Promise<number> {
  const answer = await peer.ask('query', { query: '* | count() n' });
  return Number((JSON.parse(answer || '{"n":0}') as { n: string }).n);
}

function bytesIn(directory: string): number {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}
