/**
 * `npm run bench -- alerts [messages] [minutes] [hours] [conditions] [streams]`: a whole node that evaluates alert conditions every
 * minute, 1000 on 100 streams unless told otherwise. The messages (the web mix, 10 000 000 unless told otherwise) go as
 * blocks into the table of the default index set, over the 24 hours before and one after the start; with fewer messages over
 * fewer hours, a minute has as many as it has with all of them.
 *
 * Prints how many conditions were evaluated, how long that took of each minute, and the CPU time of ClickHouse and of the
 * node, without what both need when there are no conditions. The goal is 10 s of a minute on two cores. The last line is JSON.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClickHouse,
  createClickHouse,
  INSERT_SETTINGS,
} from '../../packages/server/src/storage/index.ts';
import { openMix } from '../mixes.ts';
import { engineUri, startBenchEngine, tableWithMessages, untilMerged } from '../support/bench-engine.ts';
import { type BenchNode, startBenchNode, until } from '../support/bench-node.ts';
import { mixBlocks } from '../support/mix-blocks.ts';
import { treeCpuMicroseconds } from '../support/process-tree.ts';

const MESSAGES = 10_000_000;
const MINUTES = 2;
const CONDITIONS = 1000;
const STREAMS = 100;
const MIX = 'web';
const DEFAULT_INDEX_SET = '000000000000000000000001';
const MINUTE_MS = 60_000;
const HOURS = 24;
/** Long enough to load the messages and to measure. */
const AFTER_MS = 60 * MINUTE_MS;
const IDLE_MS = 20_000;
const GOAL_SECONDS = 10;

/** Ten of a stream, as people have them: most count or compare with a threshold, some tell hosts apart. */
const KINDS: readonly { readonly type: string; readonly parameters: object }[] = [
  { type: 'message_count', parameters: { time: 5, threshold: 1_000_000 } },
  { type: 'message_count', parameters: { time: 1, threshold: 1_000_000, query: 'http_status:500' } },
  { type: 'message_count', parameters: { time: 10, threshold: 1_000_000, query: 'level:<4 AND cart' } },
  { type: 'message_count', parameters: { time: 60, threshold: 0, threshold_type: 'LESS' } },
  { type: 'field_value', parameters: { time: 5, field: 'took_ms', type: 'MEAN', threshold: 1e9 } },
  { type: 'field_value', parameters: { time: 15, field: 'took_ms', type: 'MAX', threshold: 1e9 } },
  { type: 'field_value', parameters: { time: 5, field: 'http_status', type: 'SUM', threshold: 1e15 } },
  { type: 'field_content_value', parameters: { field: 'http_status', value: '999' } },
  { type: 'change', parameters: { time: 5, percent: 1_000_000 } },
  {
    type: 'aggregation',
    parameters: {
      search_within_ms: 5 * MINUTE_MS,
      group_by: ['source'],
      series: [{ id: 'count()', type: 'count' }],
      conditions: {
        expression: {
          expr: '>',
          left: { expr: 'number-ref', ref: 'count()' },
          right: { expr: 'number', value: 1_000_000 },
        },
      },
    },
  },
];

export async function run(args: string[]): Promise<void> {
  const [messages = MESSAGES, minutes = MINUTES, hours = HOURS, conditions = CONDITIONS, streams = STREAMS] =
    args.map(Number);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-alerts-'));
  const database = `bench_alerts_${process.pid}`;
  const engine = await startBenchEngine(path.join(directory, 'engine'));
  const clickhouse = createClickHouse([engine.endpoint]);
  let node: BenchNode | undefined;
  try {
    node = await startBenchNode({
      dataDir: path.join(directory, 'node'),
      settings: { clickhouse_database: database, alert_check_interval: '60' },
      environment: { MILLRACE_CLICKHOUSE_URI: engineUri(engine.endpoint) },
    });
    const started = node;
    const streamIds = await createStreams(started, streams);
    await load(started, clickhouse, { database, messages, streamIds, hours });
    const cpu = () => ({
      engine: treeCpuMicroseconds(engine.pid ?? 0) / 1e6,
      node: treeCpuMicroseconds(started.pid) / 1e6,
    });
    const idle = await during(cpu, () => delay(IDLE_MS));
    await createConditions(started, streamIds, conditions);
    // Every condition is evaluated once before it counts.
    await until(async () => (await evaluations(started)) >= conditions);
    const before = await busy(started);
    const used = await during(cpu, () => delay(minutes * MINUTE_MS));
    const after = await busy(started);
    const share = (minutes * MINUTE_MS) / IDLE_MS;
    const result = {
      bench: 'alerts',
      messages,
      hours,
      conditions,
      streams,
      emulated: engine.emulated,
      load: os.loadavg()[0],
      evaluationsPerMinute: (after.evaluations - before.evaluations) / minutes,
      secondsPerMinute: (after.seconds - before.seconds) / minutes,
      evaluationsPerSecond: (after.evaluations - before.evaluations) / (after.seconds - before.seconds),
      engineCpuSecondsPerMinute: (used.engine - idle.engine * share) / minutes,
      nodeCpuSecondsPerMinute: (used.node - idle.node * share) / minutes,
    };
    const { secondsPerMinute, evaluationsPerSecond } = result;
    console.log(
      `${result.evaluationsPerMinute.toFixed(0)} evaluations a minute took ${secondsPerMinute.toFixed(1)} s of it${secondsPerMinute > GOAL_SECONDS ? `, over ${GOAL_SECONDS}` : ''}: ${evaluationsPerSecond.toFixed(0)} a second; CPU of ClickHouse ${result.engineCpuSecondsPerMinute.toFixed(1)} s, of the node ${result.nodeCpuSecondsPerMinute.toFixed(1)} s`,
    );
    console.log(JSON.stringify(result));
  } finally {
    await node?.stop();
    await clickhouse.close();
    await engine.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function createStreams(node: BenchNode, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const rules = [{ type: 1, field: 'bench_stream', value: String(number) }];
    const { stream_id: id } = await node.call<{ stream_id: string }>('POST', '/streams', {
      title: `stream ${number}`,
      rules,
      index_set_id: DEFAULT_INDEX_SET,
    });
    await node.call('POST', `/streams/${id}/resume`);
    ids.push(id);
  }
  return ids;
}

interface Load {
  readonly database: string;
  readonly messages: number;
  readonly streamIds: readonly string[];
  readonly hours: number;
}

async function load(node: BenchNode, clickhouse: ClickHouse, { database, messages, streamIds, hours }: Load) {
  // The node learns the fields from a message that comes the usual way.
  await fetch(`http://127.0.0.1:${node.httpPort}/gelf`, { method: 'POST', body: openMix(MIX).message(0) });
  await until(async () => (await node.call<{ events: number }>('GET', '/count/total')).events === 1);
  const table = await tableWithMessages(clickhouse, database);
  const startedAt = performance.now();
  const before = hours * 60 * MINUTE_MS;
  const from = Date.now() - before;
  let number = 0;
  const blocks = mixBlocks({
    mix: MIX,
    messages,
    indexSetId: DEFAULT_INDEX_SET,
    streamsOf: (index) => [streamIds[index % streamIds.length] ?? ''],
    receivedAt: (index) => from + Math.floor((index / messages) * (before + AFTER_MS)),
    change(message) {
      message.timestamp = message.receivedAt;
    },
  });
  for (const block of blocks) {
    await clickhouse.servers[0]?.insertNative({
      database,
      table,
      block,
      deduplicationToken: `bench ${number}`,
      settings: INSERT_SETTINGS,
    });
    number += 1;
  }
  await untilMerged((sql) => clickhouse.query(sql), database);
  console.log(`${messages} messages loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

async function createConditions(node: BenchNode, streamIds: readonly string[], count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const stream = streamIds[number % streamIds.length];
    const kind = KINDS[Math.floor(number / streamIds.length) % KINDS.length];
    await node.call('POST', `/streams/${stream}/alerts/conditions`, {
      title: `condition ${number}`,
      ...kind,
    });
  }
}

async function evaluations(node: BenchNode): Promise<number> {
  return (await busy(node)).evaluations;
}

/** What the node counts of its evaluations. */
async function busy(node: BenchNode): Promise<{ evaluations: number; seconds: number }> {
  const text = await node.text('GET', '/metrics');
  const value = (name: RegExp) =>
    Number(new RegExp(`^\\S*${name.source}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    evaluations: value(/alerts_evaluations(?:_total)?/),
    seconds: value(/alerts_evaluation_time_seconds_sum/),
  };
}

async function during<Figures extends Record<string, number>>(
  read: () => Figures,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const before = read();
  await work();
  return Object.fromEntries(
    Object.entries(read()).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  ) as Figures;
}
