/**
 * `npm run bench -- outputs [messages] [rounds] [parts]`: what forwarding everything costs a whole node. Web messages over TCP,
 * until they are stored and, with outputs, forwarded: without an output, with one GELF output of everything, with five of
 * them, which share the encoding; the three take turns, because other programs use the machine too. Sender and
 * destinations are processes of their own, and on a small machine they take processor time from the node: what they use is
 * shown beside it, and the cost is that of the node and its engine alone, by what their threads do. Merges are left out:
 * they happen later. Each round begins when those of the round before have ended, since they would take from its rate.
 *
 * Then (with 0 rounds only this) the memory of the node while messages come in, a fifth of them in each part, and no output, then
 * ten, then fifty outputs of everything are dead. Soon every queue drops its oldest messages; ten parts unless told otherwise. The
 * last line is JSON. Needs Linux, for /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { askEngine, enginePid } from '../../tests/support/engine-of-node.ts';
import { untilMerged } from '../support/bench-engine.ts';
import { type BenchNode, startBenchNode, startMixSender, until } from '../support/bench-node.ts';
import { ownCpuMicroseconds, residentBytes } from '../support/process-tree.ts';
import { watchThreadCpu } from '../support/thread-cpu.ts';

const MESSAGES = 200_000;
const WARM_UP = 50_000;
const ROUNDS = 3;
const SHARED_OUTPUTS = 5;
const DEAD_OUTPUTS = [0, 10, 50];
const DEAD_PARTS = 10;
/** Small, so that all of them are soon full. */
const DEAD_QUEUE_MEGABYTES = 16;
const SAMPLE_MS = 200;
const ENGINE_GROUP = 'inserts and queries';
const CONNECTIONS = 4;
const DATABASE = 'millrace';
const ALL_MESSAGES = '000000000000000000000001';
const SINK = path.resolve(import.meta.dirname, '../support/counting-sink.ts');
const MEBIBYTE = 2 ** 20;

interface Figures {
  readonly messagesPerSecond: number;
  readonly forwardedPerSecond: number;
  /** µs per message: of the node, of the engine without merges, and of both by what their threads do. */
  readonly nodeCpu: number;
  readonly engineCpu: number;
  readonly byThreads: Readonly<Record<string, number>>;
  /** µs per message of all destinations together. */
  readonly destinationsCpu: number;
}

export async function run(args: readonly string[]): Promise<void> {
  const messages = Number(args[0] ?? MESSAGES);
  const roundCount = Number(args[1] ?? ROUNDS);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-outputs-'));
  const sinks = await Promise.all(Array.from({ length: SHARED_OUTPUTS }, startSink));
  const dataDir = path.join(directory, 'node');
  const node = await startBenchNode({ dataDir });
  try {
    const sending = createSending(node, dataDir);
    // With an output, so that nothing of what is measured runs for the first time.
    await measure(sending, sinks.slice(0, 1), WARM_UP);
    const figures = roundCount > 0 ? await inTurn(sending, sinks, messages, roundCount) : {};
    const deadMegabytes = await withDeadOutputs(sending, messages, Number(args[2] ?? DEAD_PARTS));
    for (const [count, megabytes] of Object.entries(deadMegabytes)) {
      console.log(
        `${count} dead outputs, MB of the node before and after each part: ${megabytes.join(', ')}`,
      );
    }
    console.log(
      JSON.stringify({ bench: 'outputs', messages, load: os.loadavg()[0], ...figures, deadMegabytes }),
    );
  } finally {
    await node.stop();
    for (const { child } of sinks) child.kill();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

interface Turns {
  readonly none: Figures;
  readonly one: Figures;
  readonly five: Figures;
  /** By round, in percent of the rate without an output in the same round. */
  readonly fewerWithOne: readonly number[];
}

/** Of each number of outputs the round that took the least processor time. */
async function inTurn(
  sending: Sending,
  sinks: readonly Sink[],
  messages: number,
  roundCount: number,
): Promise<Turns> {
  const rounds: Record<'none' | 'one' | 'five', Figures[]> = { none: [], one: [], five: [] };
  for (let round = 0; round < roundCount; round++) {
    rounds.none.push(await measure(sending, [], messages));
    rounds.one.push(await measure(sending, sinks.slice(0, 1), messages));
    rounds.five.push(await measure(sending, sinks, messages));
  }
  const figures = { none: best(rounds.none), one: best(rounds.one), five: best(rounds.five) };
  for (const [name, each] of Object.entries(figures)) console.log(inWords(name, each, figures.none));
  const fewer = rounds.one.map((one, round) => fewerPercent(rounds.none[round], one));
  console.log(`fewer messages/s with one output than without, by round: ${fewer.join(', ')} %`);
  return { ...figures, fewerWithOne: fewer };
}

interface Sending {
  readonly node: BenchNode;
  readonly dataDir: string;
  /** Resolves when they are stored. */
  send(messages: number, started?: () => void): Promise<void>;
}

function createSending(node: BenchNode, dataDir: string): Sending {
  let first = 0;
  return {
    node,
    dataDir,
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
  const { node, dataDir } = sending;
  const outputs = await Promise.all(sinks.map(({ port }) => createOutput(node, port)));
  const before = await Promise.all(sinks.map((sink) => sink.frames()));
  const destinationsCpu = () => sinks.reduce((sum, { child }) => sum + ownCpuMicroseconds(child.pid ?? 0), 0);
  await untilMerged((sql) => askEngine(dataDir, sql), DATABASE);
  const destinationsBefore = destinationsCpu();
  let threads = watchThreadCpu(node.pid, enginePid(dataDir) ?? 0);
  const sampling = setInterval(() => threads.sample(), SAMPLE_MS);
  let startedAt = 0;
  await sending.send(messages, () => {
    threads = watchThreadCpu(node.pid, enginePid(dataDir) ?? 0);
    startedAt = performance.now();
  });
  const storedSeconds = (performance.now() - startedAt) / 1000;
  for (const [index, sink] of sinks.entries()) {
    await until(async () => (await sink.frames()) >= (before[index] ?? 0) + messages);
  }
  const forwardedSeconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampling);
  threads.sample();
  const { merges: _merges, ...used } = threads.microseconds();
  const byThreads = Object.fromEntries(Object.entries(used).map(([group, each]) => [group, each / messages]));
  for (const id of outputs) await node.call('DELETE', `/system/outputs/${id}`);
  const engineCpu = byThreads[ENGINE_GROUP] ?? 0;
  return {
    messagesPerSecond: messages / storedSeconds,
    forwardedPerSecond: sinks.length === 0 ? 0 : messages / forwardedSeconds,
    nodeCpu: Object.values(byThreads).reduce((sum, each) => sum + each, 0) - engineCpu,
    engineCpu,
    byThreads,
    destinationsCpu: (destinationsCpu() - destinationsBefore) / messages,
  };
}

/** Resident memory of the node before and after each part, in MiB, by how many outputs are dead. */
async function withDeadOutputs(
  sending: Sending,
  messages: number,
  parts: number,
): Promise<Record<number, number[]>> {
  const { node } = sending;
  const port = await closedPort();
  const found: Record<number, number[]> = {};
  let outputs = 0;
  for (const count of DEAD_OUTPUTS) {
    for (; outputs < count; outputs++) await createOutput(node, port, DEAD_QUEUE_MEGABYTES * MEBIBYTE);
    const megabytes = [Math.round(residentBytes(node.pid) / MEBIBYTE)];
    for (let part = 0; part < parts; part++) {
      await sending.send(Math.ceil(messages / 5));
      megabytes.push(Math.round(residentBytes(node.pid) / MEBIBYTE));
    }
    found[count] = megabytes;
  }
  return found;
}

async function createOutput(node: BenchNode, port: number, queueBytes = 64 * MEBIBYTE): Promise<string> {
  const { id } = await node.call<{ id: string }>('POST', '/system/outputs', {
    title: 'bench',
    type: 'gelf',
    configuration: { hostname: '127.0.0.1', port, queue_max_size: queueBytes },
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
  const [least] = rounds.toSorted((a, b) => a.nodeCpu + a.engineCpu - b.nodeCpu - b.engineCpu);
  if (least === undefined) throw new Error('nothing was measured');
  return { ...least, messagesPerSecond: Math.max(...rounds.map((each) => each.messagesPerSecond)) };
}

function fewerPercent(none: Figures | undefined, one: Figures): number {
  return Math.round((1 - one.messagesPerSecond / (none?.messagesPerSecond ?? 0)) * 100);
}

/** By how much the rate falls where the processor is the limit. */
function costOf(before: number, after: number): string {
  return `${((1 - before / after) * 100).toFixed(0)} %`;
}

function inWords(name: string, figures: Figures, none: Figures): string {
  const { nodeCpu, engineCpu, byThreads, destinationsCpu } = figures;
  const rate = costOf(1 / none.messagesPerSecond, 1 / figures.messagesPerSecond);
  return [
    `${name.padEnd(4)} ${Math.round(figures.messagesPerSecond)} messages/s stored (${rate} fewer)`,
    `${Math.round(figures.forwardedPerSecond)}/s forwarded to each`,
    `CPU µs a message: node ${nodeCpu.toFixed(1)} (cost ${costOf(none.nodeCpu, nodeCpu)})`,
    `node and engine ${(nodeCpu + engineCpu).toFixed(1)} (cost ${costOf(none.nodeCpu + none.engineCpu, nodeCpu + engineCpu)})`,
    `destinations ${destinationsCpu.toFixed(1)}`,
    `by threads: ${Object.entries(byThreads)
      .map(([group, each]) => `${group} ${each.toFixed(1)}`)
      .join(', ')}`,
  ].join(', ');
}
