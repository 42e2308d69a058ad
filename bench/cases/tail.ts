/**
 * `npm run bench -- tail [messages]`: the live tail of a whole node. How long a message takes from the socket of the
 * sender to the event at the follower, on an idle node and under load; and what followers cost the intake: messages a
 * second and CPU with nobody, one and a hundred followers, of one query and of a hundred different ones.
 *
 * The storage takes everything at once and keeps nothing: so the node does nothing but receive, process and encode,
 * and what followers take shows most. Followers and sender run on the same machine. The last line is JSON. Needs
 * Linux, for /proc.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseQuery } from '../../packages/query/src/index.ts';
import type { WantedTails } from '../../packages/server/src/search/tail/index.ts';
import { openMix } from '../mixes.ts';
import { AUTHORIZATION, type BenchNode, startBenchNode, startMixSender } from '../support/bench-node.ts';
import { busyIntake } from '../support/busy-intake.ts';
import { mainThreadCpuMicroseconds, ownCpuMicroseconds } from '../support/process-tree.ts';
import { type SwallowingClickHouse, startSwallowingClickHouse } from '../support/swallowing-clickhouse.ts';

const MESSAGES = 300_000;
const ROUNDS = 5;
const SAMPLES = 100;
/** From one sample to the next, so that they fall on every moment of what is collected and sent together. */
const samplePauseMs = (sample: number) => 20 + ((sample * 37) % 200);
const CONNECTIONS = 4;
const BUSY_BATCHES = 200;
/** A message that is not seen by then was skipped or dropped, as the tail may do; it has no time. */
const PATIENCE_MS = 2000;
const LOAD_PER_SECOND = 5000;

type FollowedNode = BenchNode & { readonly storage: SwallowingClickHouse };

/** Who follows during a measurement: the queries, one for each follower. */
const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  nobody: [],
  one: ['timeout'],
  hundredSame: Array<string>(100).fill('timeout'),
  hundredAll: Array<string>(100).fill('*'),
  hundredDifferent: Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0
      ? `timeout AND source:web-${index}`
      : `http_status:${400 + index} OR "connection ${index}"`,
  ),
};

export async function run(args: string[]): Promise<void> {
  const messages = Number(args[0] ?? MESSAGES);
  const busy = busyWorker();
  if (args[0] === 'worker') return;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-tail-'));
  const storage = await startSwallowingClickHouse();
  const started = await startBenchNode({
    dataDir: path.join(directory, 'data'),
    settings: { clickhouse_uri: storage.uri, live_tail_max_followers_per_user: '200' },
    hasStorage: false,
  });
  const node: FollowedNode = { ...started, storage };
  try {
    // Everything is compiled by the machine's own means before it counts.
    await ingest(node, messages / 2, []);
    const idle = await latency(node);
    report('idle', idle);
    const load = startLoad(node.tcpPort, LOAD_PER_SECOND);
    await delay(1000);
    const loaded = await latency(node);
    load.stop();
    report(`under load, ${LOAD_PER_SECOND} messages/s`, loaded);
    const intake = await compareAudiences(node, messages);
    console.log(
      JSON.stringify({
        bench: 'tail',
        load: os.loadavg()[0],
        latencyMs: { idle, loaded: { ...loaded, messagesPerSecond: LOAD_PER_SECOND } },
        busyWorker: busy,
        intake,
      }),
    );
  } finally {
    await node.stop();
    await storage.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** What followers cost a worker that has no time to spare: CPU of a message against that with nobody. */
function busyWorker(): Record<string, number> {
  const ratios: Record<string, number[]> = {};
  busyIntake(BUSY_BATCHES, []);
  for (let round = 0; round < ROUNDS; round++) {
    const nobody = busyIntake(BUSY_BATCHES, []);
    for (const [name, queries] of Object.entries(AUDIENCES)) {
      if (queries.length === 0) continue;
      const own = busyIntake(BUSY_BATCHES, wantedTails(queries));
      ratios[name] = [...(ratios[name] ?? []), own / nobody];
    }
  }
  const medians = Object.fromEntries(Object.entries(ratios).map(([name, values]) => [name, median(values)]));
  for (const [name, ratio] of Object.entries(medians)) {
    console.log(`${name}: ${ratio.toFixed(3)} of the CPU of a busy worker without followers`);
  }
  return medians;
}

function wantedTails(queries: readonly string[]): WantedTails['tails'] {
  return [...new Set(queries)].map((text, index) => {
    const { query } = parseQuery(text);
    if (query === undefined) throw new Error(text);
    return {
      id: index + 1,
      query,
      queryKey: text,
      now: Date.now(),
      timeZone: 'UTC',
      streams: undefined,
      visibleStreams: undefined,
      includesFailures: false,
      fields: undefined,
      rate: 100,
    };
  });
}

function report(name: string, { median, p95, samples }: Latency): void {
  console.log(
    `${name}: socket to event ${median.toFixed(1)} ms median, ${p95.toFixed(1)} ms p95 of ${samples}`,
  );
}

interface Latency {
  readonly samples: number;
  readonly median: number;
  readonly p95: number;
}

/** One message after the other, each when the one before was seen. */
async function latency(node: FollowedNode): Promise<Latency> {
  const times: number[] = [];
  const follower = await follow(node, 'latency_probe');
  const socket = net.connect(node.tcpPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay(true);
  socket.resume();
  for (let sample = 0; sample < SAMPLES; sample++) {
    const text = `latency_probe ${sample}.`;
    const seen = follower.untilText(text);
    const sentAt = performance.now();
    socket.write(`{"version":"1.1","host":"probe","short_message":"${text}"}\0`);
    const isSeen = await Promise.race([seen.then(() => true), delay(PATIENCE_MS, false)]);
    if (isSeen) times.push(performance.now() - sentAt);
    await delay(samplePauseMs(sample));
  }
  socket.destroy();
  follower.close();
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { samples: times.length, median: at(0.5), p95: at(0.95) };
}

interface IntakeFigures {
  readonly followers: number;
  readonly messagesPerSecond: number;
  /** CPU of the workers for a message: what limits the rate. */
  readonly intakeCpuMicroseconds: number;
  /** Against nobody, in the same round; the median of the rounds. */
  readonly rateRatio: number;
  readonly intakeCpuRatio: number;
  /** CPU the node takes for its followers in a second, on all its workers. */
  readonly followersCpuMsPerSecond: number;
}

/** Rounds one after the other, each with every audience: what the machine does besides meets all of them. */
async function compareAudiences(
  node: FollowedNode,
  messages: number,
): Promise<Record<string, IntakeFigures>> {
  const rounds: Record<string, Measured>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured: Record<string, Measured> = {};
    const names = Object.keys(AUDIENCES);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      measured[name] = await ingest(node, messages, AUDIENCES[name] ?? []);
    }
    rounds.push(measured);
  }
  const figures: Record<string, IntakeFigures> = {};
  for (const [name, queries] of Object.entries(AUDIENCES)) {
    const of = (value: (own: Measured, nobody: Measured) => number): number =>
      median(rounds.map((round) => value(round[name] as Measured, round.nobody as Measured)));
    figures[name] = {
      followers: queries.length,
      messagesPerSecond: of((own) => own.messagesPerSecond),
      intakeCpuMicroseconds: of((own) => own.intakeCpuMicroseconds),
      rateRatio: of((own, nobody) => own.messagesPerSecond / nobody.messagesPerSecond),
      intakeCpuRatio: of((own, nobody) => own.intakeCpuMicroseconds / nobody.intakeCpuMicroseconds),
      followersCpuMsPerSecond: of(
        (own, nobody) => ((own.cpuMicroseconds - nobody.cpuMicroseconds) * own.messagesPerSecond) / 1000,
      ),
    };
    const found = figures[name];
    console.log(
      `${name}: ${Math.round(found.messagesPerSecond)} messages/s (${found.rateRatio.toFixed(3)} of the rate without followers), ` +
        `${found.intakeCpuMicroseconds.toFixed(2)} µs CPU of the intake (${found.intakeCpuRatio.toFixed(3)}), ` +
        `${found.followersCpuMsPerSecond.toFixed(1)} ms CPU a second for the followers`,
    );
  }
  return figures;
}

interface Measured {
  readonly messagesPerSecond: number;
  /** For a message: of the whole node, and of its workers alone. */
  readonly cpuMicroseconds: number;
  readonly intakeCpuMicroseconds: number;
}

async function ingest(node: FollowedNode, messages: number, queries: readonly string[]): Promise<Measured> {
  const followers = await Promise.all(queries.map((query) => follow(node, query)));
  const send = await startMixSender(node, { mix: 'web', messages, connections: CONNECTIONS });
  const before = node.storage.rows;
  const [allBefore, mainBefore] = [ownCpuMicroseconds(node.pid), mainThreadCpuMicroseconds(node.pid)];
  const startedAt = performance.now();
  await Promise.all([send(), node.storage.untilRows(before + messages)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const all = ownCpuMicroseconds(node.pid) - allBefore;
  const main = mainThreadCpuMicroseconds(node.pid) - mainBefore;
  for (const follower of followers) follower.close();
  await delay(300);
  return {
    messagesPerSecond: messages / seconds,
    cpuMicroseconds: all / messages,
    intakeCpuMicroseconds: (all - main) / messages,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Messages at a steady rate, from this process. */
function startLoad(port: number, messagesPerSecond: number): { stop(): void } {
  const mix = openMix('web');
  const frames = Array.from({ length: 1000 }, (_, index) => Buffer.from(`${mix.message(index)}\0`));
  const socket = net.connect(port, '127.0.0.1').resume();
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * messagesPerSecond);
    const batch: Buffer[] = [];
    for (; sent < due; sent++) batch.push(frames[sent % frames.length] as Buffer);
    if (batch.length > 0) socket.write(Buffer.concat(batch));
  }, 10);
  return {
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

interface Follower {
  untilText(text: string): Promise<void>;
  close(): void;
}

/** Reads as a browser does, but looks into what it reads only when somebody waits for a text. */
async function follow(node: FollowedNode, query: string): Promise<Follower> {
  const url = `${node.address}/api/search/tail?${new URLSearchParams({ query })}`;
  const request = http.get(url, { headers: { authorization: AUTHORIZATION }, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  let wanted: { readonly text: string; readonly done: () => void } | undefined;
  let seen = '';
  const untilText = (text: string): Promise<void> =>
    new Promise((resolve) => {
      seen = '';
      wanted = { text, done: resolve };
    });
  const opened = untilText('event: open');
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    if (wanted === undefined) return;
    seen += chunk.toString();
    if (!seen.includes(wanted.text)) return;
    wanted.done();
    wanted = undefined;
  });
  await opened;
  return { untilText, close: () => void request.destroy() };
}
