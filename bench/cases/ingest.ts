/**
 * `npm run bench -- ingest [mix or file] [messages]`: GELF over TCP into a whole node, with ten streams, until every
 * message is stored and the merges are done. The sender is another process. Counted is the CPU of all processes of
 * the node, merges included. For comparison the same messages are inserted into the engine alone, as blocks that
 * were made beforehand: what no program around it can beat.
 *
 * Without a mix all three are run. The last line is JSON. Needs Linux, for /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createGelfDecoder, GelfFailure } from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, systemClock } from '../../packages/server/src/core/index.ts';
import {
  createClickHouse,
  createEmbeddedEngine,
  createMessageBlock,
  createMessageTables,
  INSERT_SETTINGS,
} from '../../packages/server/src/storage/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import { MIX_NAMES, openMix } from '../mixes.ts';
import {
  ownCpuMicroseconds,
  treeCpuMicroseconds,
  treeIsQuiet,
  treeResidentBytes,
} from '../support/process-tree.ts';

const MESSAGES = 1_000_000;
const MESSAGES_EMULATED = 20_000;
const CONNECTIONS = 4;
const STREAMS = 10;
const QUIET = { seconds: 6, atMost: 2 };
const PASSWORD = 'bench';
const MAIN = path.resolve(import.meta.dirname, '../../packages/server/src/main.ts');
const SENDER = path.resolve(import.meta.dirname, '../support/mix-sender.ts');

interface Figures {
  readonly messages: number;
  readonly rawBytesPerMessage: number;
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
  /** What the node itself took until everything was stored, without the engine. */
  readonly nodeCpuMicroseconds: number;
  /** Without what was spent after the last message was stored. */
  readonly cpuMicrosecondsUntilStored: number;
  readonly diskBytesPerRawByte: number;
  readonly maxResidentMegabytes: number;
  readonly engineAlone: EngineFigures;
  /** Messages per second against the engine alone. */
  readonly shareOfEngine: number;
}

interface EngineFigures {
  readonly emulated: boolean;
  readonly messagesPerSecond: number;
  readonly cpuMicroseconds: number;
}

export async function run(args: string[]): Promise<void> {
  const [mix, count] = args;
  const results: Record<string, Figures> = {};
  for (const name of mix === undefined ? MIX_NAMES : [mix]) {
    const figures = await measure(name, count === undefined ? undefined : Number(count));
    results[path.basename(name)] = figures;
    console.log(
      `${name}: ${Math.round(figures.messagesPerSecond)} messages/s, ${figures.cpuMicroseconds.toFixed(1)} µs CPU ` +
        `(${figures.nodeCpuMicroseconds.toFixed(1)} without the engine, ${figures.cpuMicrosecondsUntilStored.toFixed(1)} until stored), ${figures.diskBytesPerRawByte.toFixed(3)} bytes on disk ` +
        `per raw byte, ${Math.round(figures.maxResidentMegabytes)} MB, ${figures.shareOfEngine.toFixed(2)} of the engine alone ` +
        `(${Math.round(figures.engineAlone.messagesPerSecond)}/s, ${figures.engineAlone.cpuMicroseconds.toFixed(1)} µs)`,
    );
  }
  console.log(JSON.stringify({ bench: 'ingest', load: os.loadavg()[0], ...results }));
}

async function measure(mix: string, wanted: number | undefined): Promise<Figures> {
  // An engine for x64 runs elsewhere too, slowly; then its figures say little, and fewer messages will do.
  const messages = wanted ?? (process.arch === 'x64' ? MESSAGES : MESSAGES_EMULATED);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-ingest-'));
  try {
    const node = await startNode(path.join(directory, 'node'));
    const whole = await ingest(node, mix, messages).finally(() => node.stop());
    const engineAlone = await insertAlone(path.join(directory, 'engine'), mix, messages);
    const shareOfEngine = whole.messagesPerSecond / engineAlone.messagesPerSecond;
    return { ...whole, engineAlone, shareOfEngine };
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

interface BenchNode {
  readonly pid: number;
  readonly tcpPort: number;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

async function startNode(dataDir: string): Promise<BenchNode> {
  const tcpPort = await freePort();
  const settings = {
    data_dir: dataDir,
    http_bind_address: '127.0.0.1:0',
    default_input_udp_port: '0',
    default_input_tcp_port: String(tcpPort),
    default_input_http_port: '0',
    root_password_sha2: createHash('sha256').update(PASSWORD).digest('hex'),
    log_format: 'json',
  };
  const flags = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  fs.mkdirSync(path.dirname(dataDir), { recursive: true });
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await printed(child, /"address":"(http[^"]+?)\/?","msg":"ready"/);
  const node: BenchNode = {
    pid: child.pid ?? 0,
    tcpPort,
    call: (method, route, body) => callApi(`${address}/api${route}`, method, body),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
  await until(async () => {
    const health = await node.call<{ status: string }>('GET', '/system/indexer/cluster/health');
    return health.status === 'green';
  });
  await createStreams(node);
  return node;
}

/** Streams as people have them: by level, by source, by a word in the message, by fields; some match nothing. */
async function createStreams(node: BenchNode): Promise<void> {
  const rules = [
    { type: 3, field: 'level', value: '5' },
    { type: 4, field: 'level', value: '4' },
    { type: 1, field: 'source', value: 'web-1' },
    { type: 6, field: 'message', value: 'timed out' },
    { type: 2, field: 'message', value: '^(GET|POST) /api/v2/cart' },
    { type: 5, field: 'http_status', value: '' },
    { type: 3, field: 'http_status', value: '499' },
    { type: 1, field: 'application_name', value: 'sshd' },
    { type: 1, field: 'EventID', value: '4625' },
    { type: 1, field: 'nothing', value: 'never' },
  ];
  for (let index = 0; index < STREAMS; index++) {
    const { stream_id: id } = await node.call<{ stream_id: string }>('POST', '/streams', {
      title: `stream ${index}`,
      index_set_id: '000000000000000000000001',
      rules: [{ ...rules[index % rules.length], inverted: false }],
    });
    await node.call('POST', `/streams/${id}/resume`);
  }
  // Changes are live in all workers within a second.
  await delay(1500);
}

async function ingest(node: BenchNode, mix: string, messages: number) {
  const sender = spawn(
    process.execPath,
    [SENDER, mix, String(node.tcpPort), String(messages), String(CONNECTIONS)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await printed(sender, /(ready)/);
  await treeIsQuiet(node.pid, { seconds: 2, atMost: 60 });
  let resident = 0;
  const sampler = setInterval(() => {
    resident = Math.max(resident, treeResidentBytes(node.pid));
  }, 250);
  const cpuBefore = treeCpuMicroseconds(node.pid);
  const ownBefore = ownCpuMicroseconds(node.pid);
  const startedAt = performance.now();
  const sent = printed(sender, /(\{"rawBytes".*\})/);
  sender.stdin.end();
  await until(async () => (await storedMessages(node)) >= messages);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuStored = treeCpuMicroseconds(node.pid);
  const ownStored = ownCpuMicroseconds(node.pid);
  const { rawBytes } = JSON.parse(await sent) as { rawBytes: number };
  await treeIsQuiet(node.pid, QUIET);
  clearInterval(sampler);
  const stored = await storedMessages(node);
  if (stored !== messages) throw new Error(`${messages} messages were sent, ${stored} are stored`);
  const { size } = await node.call<{ size: number }>('GET', '/system/indices/index_sets/stats');
  return {
    messages,
    rawBytesPerMessage: rawBytes / messages,
    messagesPerSecond: messages / seconds,
    cpuMicroseconds: (treeCpuMicroseconds(node.pid) - cpuBefore) / messages,
    nodeCpuMicroseconds: (ownStored - ownBefore) / messages,
    cpuMicrosecondsUntilStored: (cpuStored - cpuBefore) / messages,
    diskBytesPerRawByte: size / rawBytes,
    maxResidentMegabytes: resident / 2 ** 20,
  };
}

async function storedMessages(node: BenchNode): Promise<number> {
  return (await node.call<{ events: number }>('GET', '/count/total')).events;
}

/** Blocks of the size the node makes, from memory into a new engine, one after the other. */
async function insertAlone(dataDir: string, mix: string, messages: number): Promise<EngineFigures> {
  const blocks = encodedBlocks(mix, messages);
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: 2 * 2 ** 30 },
  );
  await engine.start();
  const clickhouse = createClickHouse(() => [engine.endpoint()]);
  try {
    const tables = createMessageTables(clickhouse, { database: 'bench' });
    await tables.createDatabase();
    await tables.ensure('messages');
    const pid = engine.pid ?? 0;
    const cpuBefore = treeCpuMicroseconds(pid);
    const startedAt = performance.now();
    for (const [number, block] of blocks.entries()) {
      await clickhouse.servers[0]?.insertNative({
        database: 'bench',
        table: 'messages',
        block,
        deduplicationToken: String(number),
        settings: INSERT_SETTINGS,
      });
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await treeIsQuiet(pid, QUIET);
    const cpuMicroseconds = (treeCpuMicroseconds(pid) - cpuBefore) / messages;
    return { messagesPerSecond: messages / seconds, cpuMicroseconds, emulated: engine.emulated };
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

const ROWS_A_BLOCK = 25_000;
const ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function encodedBlocks(mixName: string, messages: number): Buffer[] {
  const mix = openMix(mixName);
  const decoder = createGelfDecoder(createFieldLayouts());
  const block = createMessageBlock({ indexSetId: '000000000000000000000001', nodeId: 'bench' });
  const target = { streamIds: ['000000000000000000000001'], indexSetIds: ['000000000000000000000001'] };
  const source = { inputId: '65a1b2c3d4e5f60718293a4b', remoteAddress: '127.0.0.1', remotePort: 40_000 };
  const blocks: Buffer[] = [];
  for (let index = 0; index < messages; index++) {
    const message = decoder.decode(
      Buffer.from(mix.message(index)),
      source,
      Date.UTC(2026, 0, 5) + index / 50,
    );
    if (message instanceof GelfFailure) throw new Error(message.detail);
    const low = Array.from(
      { length: 8 },
      (_, place) => ID_DIGITS[Math.floor(index / 32 ** (7 - place)) % 32],
    );
    message.id = `01M24BB8G00000002D${low.join('')}`;
    block.append(message, target);
    if (block.rows === ROWS_A_BLOCK || index === messages - 1) {
      blocks.push(block.encode(0));
      block.clear();
    }
  }
  return blocks;
}

async function callApi<T>(url: string, method: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      'x-requested-by': 'bench',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && response.status !== 503)
    throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(100);
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
