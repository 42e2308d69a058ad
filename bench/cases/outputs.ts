/**
 * `npm run bench -- outputs [messages]`: what forwarding everything costs a whole node. Web messages over TCP, until they are
 * stored and, with outputs, forwarded: without an output, with one GELF output of everything, with five of them, which
 * share the encoding; the three take turns, because other programs use the machine too. Sender and destinations are
 * processes of their own. Then the memory of the node while fifty outputs of everything are dead and messages come in,
 * measured after each part of them. The last line is JSON. Needs Linux, for /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type BenchNode, startBenchNode, startMixSender, until } from '../support/bench-node.ts';
import { ownCpuMicroseconds, residentBytes, treeCpuMicroseconds } from '../support/process-tree.ts';

const MESSAGES = 200_000;
const WARM_UP = 50_000;
const ROUNDS = 3;
const SHARED_OUTPUTS = 5;
const DEAD_OUTPUTS = 50;
const DEAD_PARTS = 5;
const CONNECTIONS = 4;
const ALL_MESSAGES = '000000000000000000000001';
const SINK = path.resolve(import.meta.dirname, '../support/counting-sink.ts');
const MEBIBYTE = 2 ** 20;

interface Figures {
  readonly messagesPerSecond: number;
  readonly forwardedPerSecond: number;
  readonly nodeCpuMicroseconds: number;
  readonly cpuMicroseconds: number;
}

export async function run(args: readonly string[]): Promise<void> {
  const messages = Number(args[0] ?? MESSAGES);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-outputs-'));
  const sinks = await Promise.all(Array.from({ length: SHARED_OUTPUTS }, startSink));
  const node = await startBenchNode({ dataDir: path.join(directory, 'node') });
  try {
    const sending = createSending(node);
    await sending.send(WARM_UP);
    const rounds: Record<'none' | 'one' | 'five', Figures[]> = { none: [], one: [], five: [] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.none.push(await measure(sending, [], messages));
      rounds.one.push(await measure(sending, sinks.slice(0, 1), messages));
      rounds.five.push(await measure(sending, sinks, messages));
    }
    const figures = { none: best(rounds.none), one: best(rounds.one), five: best(rounds.five) };
    for (const [name, each] of Object.entries(figures)) console.log(inWords(name, each, figures.none));
    const deadMegabytes = await withDeadOutputs(sending, messages);
    console.log(`${DEAD_OUTPUTS} dead outputs, MB of the node after each part: ${deadMegabytes.join(', ')}`);
    console.log(
      JSON.stringify({ bench: 'outputs', messages, load: os.loadavg()[0], ...figures, deadMegabytes }),
    );
  } finally {
    await node.stop();
    for (const { child } of sinks) child.kill();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

interface Sending {
  readonly node: BenchNode;
  /** Resolves when they are stored. */
  send(messages: number, started?: () => void): Promise<void>;
}

function createSending(node: BenchNode): Sending {
  let first = 0;
  return {
    node,
    async send(messages, started) {
      const send = await startMixSender(node, { mix: 'web', messages, connections: CONNECTIONS, first });
      first += messages;
      started?.();
      await send();
      await until(async () => (await node.call<{ events: number }>('GET', '/count/total')).events >= first);
    },
  };
}

async function measure(sending: Sending, sinks: readonly Sink[], messages: number): Promise<Figures> {
  const { node } = sending;
  const outputs = await Promise.all(sinks.map(({ port }) => createOutput(node, port)));
  const before = await Promise.all(sinks.map((sink) => sink.frames()));
  let cpu = { own: 0, tree: 0 };
  let startedAt = 0;
  await sending.send(messages, () => {
    cpu = { own: ownCpuMicroseconds(node.pid), tree: treeCpuMicroseconds(node.pid) };
    startedAt = performance.now();
  });
  const storedSeconds = (performance.now() - startedAt) / 1000;
  for (const [index, sink] of sinks.entries()) {
    await until(async () => (await sink.frames()) >= (before[index] ?? 0) + messages);
  }
  const forwardedSeconds = (performance.now() - startedAt) / 1000;
  const own = ownCpuMicroseconds(node.pid) - cpu.own;
  const tree = treeCpuMicroseconds(node.pid) - cpu.tree;
  for (const id of outputs) await node.call('DELETE', `/system/outputs/${id}`);
  return {
    messagesPerSecond: messages / storedSeconds,
    forwardedPerSecond: sinks.length === 0 ? 0 : messages / forwardedSeconds,
    nodeCpuMicroseconds: own / messages,
    cpuMicroseconds: tree / messages,
  };
}

/** Resident memory of the node after each part, in MiB. */
async function withDeadOutputs(sending: Sending, messages: number): Promise<number[]> {
  const { node } = sending;
  const port = await closedPort();
  for (let output = 0; output < DEAD_OUTPUTS; output++) await createOutput(node, port);
  const megabytes = [Math.round(residentBytes(node.pid) / MEBIBYTE)];
  for (let part = 0; part < DEAD_PARTS; part++) {
    await sending.send(Math.ceil(messages / DEAD_PARTS));
    megabytes.push(Math.round(residentBytes(node.pid) / MEBIBYTE));
  }
  return megabytes;
}

async function createOutput(node: BenchNode, port: number): Promise<string> {
  const { id } = await node.call<{ id: string }>('POST', '/system/outputs', {
    title: 'bench',
    type: 'gelf',
    configuration: { hostname: '127.0.0.1', port, queue_max_size: 64 * MEBIBYTE },
  });
  await node.call('POST', `/streams/${ALL_MESSAGES}/outputs`, { outputs: [id] });
  return id;
}

interface Sink {
  readonly child: ChildProcess;
  readonly port: number;
  frames(): Promise<number>;
}

async function startSink(): Promise<Sink> {
  const child = spawn(process.execPath, [SINK], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const number = async () => Number(String((await lines.next()).value).split(' ')[1]);
  const port = await number();
  return {
    child,
    port,
    frames() {
      child.stdin.write('\n');
      return number();
    },
  };
}

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The round that took the least processor time: what others do to the machine only adds to it. */
function best(rounds: readonly Figures[]): Figures {
  const [least] = rounds.toSorted((a, b) => a.cpuMicroseconds - b.cpuMicroseconds);
  if (least === undefined) throw new Error('nothing was measured');
  return { ...least, messagesPerSecond: Math.max(...rounds.map((each) => each.messagesPerSecond)) };
}

function inWords(name: string, figures: Figures, none: Figures): string {
  const cost = (1 - figures.messagesPerSecond / none.messagesPerSecond) * 100;
  return [
    `${name.padEnd(4)} ${Math.round(figures.messagesPerSecond)} messages/s stored (${cost.toFixed(0)} % fewer)`,
    `${Math.round(figures.forwardedPerSecond)}/s forwarded to each`,
    `${figures.nodeCpuMicroseconds.toFixed(1)} µs CPU of the node, ${figures.cpuMicroseconds.toFixed(1)} with the engine`,
  ].join(', ');
}
