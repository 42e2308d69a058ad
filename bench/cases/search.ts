/**
 * `npm run bench -- search [messages] [ClickHouse] [question]`: what a search takes through the API of a whole node, beside the
 * same question as SQL by hand, straight to the engine. The messages (the web mix, over one day) go as blocks into
 * the table of the default index set, which is merged as the node and the engine do it when intake pauses.
 *
 * Several numbers of messages (`1000000,5000000,10000000`, what a native engine gets unless told otherwise) are asked one after
 * the other as the table grows. Then it says how much longer each question takes in the end than in the beginning: those that
 * need only a few messages should not take more than twice as long.
 *
 * Below each question stands where its time goes: in the node while no statement runs, and for each statement what the
 * engine takes to analyse it (to explain it, indexes included) and to execute it. Statements may run at the same time.
 *
 * Without an address (`http://user:password@host:port`, or `-`) an engine is started for it, and its CPU time is
 * counted too, beside that of the node: on a machine that others use it says more than the time that passed. Where
 * the engine runs under an emulator fewer messages are loaded, and only ratios mean anything. The last line is JSON.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Secret } from '../../packages/server/src/core/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  createClickHouse,
  INSERT_SETTINGS,
} from '../../packages/server/src/storage/index.ts';
import { openMix } from '../mixes.ts';
import {
  type BenchEngine,
  engineUri,
  startBenchEngine,
  tableWithMessages,
  untilMerged,
} from '../support/bench-engine.ts';
import { type BenchNode, startBenchNode, until } from '../support/bench-node.ts';
import { mixBlocks } from '../support/mix-blocks.ts';
import { treeCpuMicroseconds } from '../support/process-tree.ts';
import { type Question, questionsAbout } from '../support/search-questions.ts';
import { type QuestionSplit, shownSplit, splitOf } from '../support/search-split.ts';
import { type StatementTap, startStatementTap } from '../support/statement-tap.ts';

const MESSAGES = [1_000_000, 5_000_000, 10_000_000];
const MESSAGES_EMULATED = [20_000];
const ROUNDS = 20;
const ROUNDS_EMULATED = 3;
const WARM_UPS = 1;
const EXPORTED = 100_000;
const MIX = 'web';
const DEFAULT_INDEX_SET = '000000000000000000000001';
const DAY_START = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
const RARE_WORD = 'segfault';
const RARE_EVERY = 100_000;
/** As many rare messages however many there are in all. */
const RARE_BELOW = 1_000_000;
const GOAL = 1.3;

interface Times {
  readonly median: number;
  readonly p95: number;
}

interface Result {
  readonly ours: Times;
  readonly byHand: Times;
  readonly ratio: number;
  readonly cpuRatio?: number;
  readonly split: QuestionSplit;
}

/** One answer. `cpu` is that of the engine and of the node together. */
interface Asked<T> {
  readonly answer: T;
  readonly milliseconds: number;
  readonly cpu: number;
}

export async function run([count, address, only]: string[]): Promise<void> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-search-'));
  const database = `bench_search_${process.pid}`;
  const engine =
    address && address !== '-'
      ? await givenEngine(address)
      : await startBenchEngine(path.join(directory, 'engine'));
  const clickhouse = createClickHouse([engine.endpoint]);
  const sizes = count ? count.split(',').map(Number) : engine.emulated ? MESSAGES_EMULATED : MESSAGES;
  const rounds = engine.emulated ? ROUNDS_EMULATED : ROUNDS;
  const tap = await startStatementTap(engine.endpoint.url);
  let node: BenchNode | undefined;
  try {
    node = await startNode(path.join(directory, 'node'), { ...engine.endpoint, url: tap.url }, database);
    const bySize: Record<string, Record<string, Result>> = {};
    let loaded = 0;
    for (const messages of sizes) {
      const table = await load(clickhouse, database, { loaded, messages, all: sizes.at(-1) ?? messages });
      loaded = messages;
      const questions = questionsAbout({
        table,
        from: new Date(DAY_START),
        to: new Date(DAY_START + DAY_MS - 1),
        requestId: requestIdOf(Math.floor(messages / 2)),
        rareWord: RARE_WORD,
        exported: Math.min(EXPORTED, Math.floor(messages / 2)),
      });
      const results: Record<string, Result> = {};
      console.log(`${'ms'.padEnd(32)}    ours (p95)        by hand (p95)     ratio   CPU`);
      for (const question of questions) {
        if (only !== undefined && !question.name.includes(only)) continue;
        results[question.name] = await measure({ node, engine, tap }, question, rounds);
      }
      bySize[messages] = results;
    }
    console.log(
      JSON.stringify({
        bench: 'search',
        rounds,
        emulated: engine.emulated,
        load: os.loadavg()[0],
        growth: growthOf(Object.values(bySize)),
        results: bySize,
      }),
    );
  } finally {
    await node?.stop();
    tap.close();
    await clickhouse.commandOnEach(`DROP DATABASE IF EXISTS ${database}`).catch(() => undefined);
    await clickhouse.close();
    await engine.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** By question: the time with the most messages relative to the time with the fewest. */
function growthOf(bySize: readonly Record<string, Result>[]): Record<string, number> {
  const [first = {}, last = {}] = [bySize[0], bySize.at(-1)];
  const growth: Record<string, number> = {};
  for (const [name, { ours }] of Object.entries(last)) {
    const before = first[name]?.ours.median;
    if (before === undefined || bySize.length < 2) continue;
    growth[name] = ours.median / before;
    console.log(`${name.padEnd(32)}    ${(ours.median / before).toFixed(2)} times as long`);
  }
  return growth;
}

async function givenEngine(address: string): Promise<BenchEngine> {
  const { origin, username, password } = new URL(address);
  const endpoint = {
    url: origin,
    username: decodeURIComponent(username),
    password: new Secret(decodeURIComponent(password)),
  };
  return { endpoint, emulated: process.arch !== 'x64', pid: undefined, stop: async () => undefined };
}

/** A node on that engine that knows the fields of the mix: one message came the usual way. */
async function startNode(
  dataDir: string,
  endpoint: ClickHouseEndpoint,
  database: string,
): Promise<BenchNode> {
  const node = await startBenchNode({
    dataDir,
    settings: { clickhouse_database: database, search_timeout: '1h' },
    environment: { MILLRACE_CLICKHOUSE_URI: engineUri(endpoint) },
  });
  const message = { ...JSON.parse(openMix(MIX).message(0)), timestamp: (DAY_START - DAY_MS) / 1000 };
  await fetch(`http://127.0.0.1:${node.httpPort}/gelf`, { method: 'POST', body: JSON.stringify(message) });
  await until(async () => (await node.call<{ events: number }>('GET', '/count/total')).events === 1);
  return node;
}

interface Load {
  /** How many messages there are already, how many there shall be, and how many there will be in the end. */
  readonly loaded: number;
  readonly messages: number;
  readonly all: number;
}

async function load(
  clickhouse: ClickHouse,
  database: string,
  { loaded, messages, all }: Load,
): Promise<string> {
  const name = await tableWithMessages(clickhouse, database);
  const startedAt = performance.now();
  let number = 0;
  const missing = { mix: MIX, first: loaded, messages: messages - loaded };
  for (const block of mixBlocks({ ...missing, indexSetId: DEFAULT_INDEX_SET, change })) {
    await clickhouse.servers[0]?.insertNative({
      database,
      table: name,
      block,
      deduplicationToken: `bench ${loaded} ${number}`,
      settings: INSERT_SETTINGS,
    });
    number += 1;
  }
  const table = `${database}.\`${name}\``;
  await untilMerged((sql) => clickhouse.query(sql), database);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${messages} messages, the last ${number} blocks loaded and merged in ${seconds.toFixed(0)} s`);
  return table;

  /** Over the whole day instead of some minutes; now and then a word that hardly any other message has. */
  function change(message: { timestamp: number; message: string }, index: number): void {
    message.timestamp = DAY_START + Math.floor((index / all) * DAY_MS);
    if (index % RARE_EVERY === 0 && index < RARE_BELOW) message.message += ` ${RARE_WORD}`;
  }
}

function requestIdOf(index: number): string {
  return (JSON.parse(openMix(MIX).message(index)) as { _request_id: string })._request_id;
}

interface Measured {
  readonly node: BenchNode;
  readonly engine: BenchEngine;
  readonly tap: StatementTap;
}

async function measure({ node, engine, tap }: Measured, question: Question, rounds: number): Promise<Result> {
  const { ours, byHand } = question;
  const pids = engine.pid === undefined ? [] : [engine.pid, node.pid];
  const asked = { ours: [] as Asked<string>[], byHand: [] as Asked<string[]>[] };
  for (let round = -WARM_UPS; round < rounds; round++) {
    const mine = await timed(pids, () => node.text(ours.method, ours.path, ours.body));
    const theirs = await timed(pids, () =>
      Promise.all(byHand.statements.map((sql) => askByHand(engine.endpoint, sql))),
    );
    if (round === -WARM_UPS) compare(question, mine.answer, theirs.answer);
    if (round < 0) continue;
    asked.ours.push(mine);
    asked.byHand.push(theirs);
  }
  const times = (each: readonly Asked<unknown>[]) => timesOf(each.map(({ milliseconds }) => milliseconds));
  const cpu = (each: readonly Asked<unknown>[]) => timesOf(each.map((one) => one.cpu)).median;
  const [oursTimes, byHandTimes] = [times(asked.ours), times(asked.byHand)];
  const result: Result = {
    ours: oursTimes,
    byHand: byHandTimes,
    ratio: oursTimes.median / byHandTimes.median,
    ...(pids.length === 0 ? {} : { cpuRatio: cpu(asked.ours) / cpu(asked.byHand) }),
    split: await splitOf(tap, engine.endpoint.url, () => node.text(ours.method, ours.path, ours.body)),
  };
  console.log(
    `${question.name.padEnd(32)}${shown(oursTimes)}   ${shown(byHandTimes)}   ${result.ratio.toFixed(2)}    ` +
      `${result.cpuRatio?.toFixed(2) ?? ''}${(result.cpuRatio ?? result.ratio) > GOAL ? `  over ${GOAL}` : ''}`,
  );
  console.log(shownSplit(result.split));
  return result;
}

function compare({ name, ours, byHand }: Question, answer: string, answers: readonly string[]): void {
  const [mine, theirs] = [ours.figure(answer), byHand.figure(answers)];
  if (mine === theirs) return;
  throw new Error(`${name}: the node says ${mine}, the engine ${theirs}; ${answer.slice(0, 500)}`);
}

async function askByHand({ url, username, password }: ClickHouseEndpoint, sql: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`,
    },
    body: sql,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${sql}: ${text}`);
  return text;
}

async function timed<T>(pids: readonly number[], work: () => Promise<T>): Promise<Asked<T>> {
  const cpu = () => pids.reduce((sum, pid) => sum + treeCpuMicroseconds(pid), 0) / 1000;
  const [cpuBefore, startedAt] = [cpu(), performance.now()];
  const answer = await work();
  return { answer, milliseconds: performance.now() - startedAt, cpu: cpu() - cpuBefore };
}

function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

function shown({ median, p95 }: Times): string {
  return `${median.toFixed(1).padStart(8)} (${p95.toFixed(1)})`.padEnd(18);
}
