/**
 * What an insert costs ClickHouse: rows as Native blocks with the JSON column flattened, against the same rows
 * as JSONEachRow. Processor time of the engine's process, without merges and with them, until all is quiet.
 *
 * The rows have the columns of the message table and the "web" mix: access log lines of 366 bytes of GELF,
 * seven extra fields, one of them a UUID.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../packages/server/src/core/index.ts';
import {
  type ClickHouse,
  createClickHouse,
  createEmbeddedEngine,
  createNativeBatch,
  type EmbeddedEngine,
  JsonColumn,
  LowCardinalityStringColumn,
  StringColumn,
} from '../../packages/server/src/storage/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import {
  ArrayColumn,
  DateTime64Column,
  UInt8Column,
  UInt16Column,
  UInt32Column,
  UInt64Column,
} from '../../packages/server/src/testing/native-columns.ts';

const ROWS = 500_000;
const ROWS_EMULATED = 50_000;
const ROWS_A_BATCH = 10_000;
const WARM_UP_BATCHES = 2;
const TICKS_A_SECOND = 100;

interface WebMessage {
  readonly timestamp: number;
  readonly id: number;
  readonly source: string;
  readonly level: number;
  readonly text: string;
  readonly messageLength: number;
  readonly fields: Readonly<Record<string, string | number>>;
}

const TABLE = `(
  index_number UInt32, timestamp DateTime64(3, 'UTC'), id UInt64, source LowCardinality(String), level UInt8,
  streams Array(LowCardinality(String)), index_sets Array(LowCardinality(String)),
  received_at DateTime64(3, 'UTC'), input LowCardinality(String), node LowCardinality(String),
  remote_address LowCardinality(String), remote_port UInt16, message_length UInt32, text String, fields JSON,
  INDEX text_index text TYPE text(tokenizer = 'splitByNonAlpha')
) ENGINE = MergeTree PARTITION BY index_number ORDER BY (timestamp, id)`;

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function createMessages(count: number): WebMessage[] {
  const random = createRandom(1);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const hex = (digits: number) => Array.from({ length: digits }, () => random(16).toString(16)).join('');
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, id) => {
    const method = pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']);
    const resource = `/api/v1/${pick(['users', 'orders', 'products', 'search', 'cart'])}/${random(100_000)}`;
    const status = pick([200, 200, 200, 200, 201, 304, 404, 500]);
    const message = `${method} ${resource} ${status} in ${random(900)} ms`;
    const requestId = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    const agent = pick(['Mozilla/5.0 (X11; Linux x86_64)', 'curl/8.5.0', 'okhttp/4.12.0']);
    return {
      timestamp: start + id * 2 + random(3),
      id,
      source: `web-${random(20)}.example.org`,
      level: status >= 500 ? 3 : 6,
      text: [message, method, resource, agent, requestId].join('\n'),
      messageLength: message.length,
      fields: {
        method,
        resource,
        status,
        duration_ms: random(90_000) / 100,
        bytes_sent: random(200_000),
        user_agent: agent,
        request_id: requestId,
      },
    };
  });
}

const STREAMS = ['000000000000000000000001', '65a1b2c3d4e5f60718293a4b'];
const INDEX_SETS = ['65a1b2c3d4e5f60718293a4c'];
const SAME = {
  input: '65a1b2c3d4e5f60718293a4d',
  node: '5f3c9a52-8f5e-4a43-9d0c-3b8a4f1f7d11',
  address: '10.0.0.7',
};

function createNativeEncoder(): (messages: readonly WebMessage[]) => Uint8Array {
  const batch = createNativeBatch({
    index_number: new UInt32Column(),
    timestamp: new DateTime64Column(),
    id: new UInt64Column(),
    source: new LowCardinalityStringColumn(),
    level: new UInt8Column(),
    streams: new ArrayColumn(new LowCardinalityStringColumn()),
    index_sets: new ArrayColumn(new LowCardinalityStringColumn()),
    received_at: new DateTime64Column(),
    input: new LowCardinalityStringColumn(),
    node: new LowCardinalityStringColumn(),
    remote_address: new LowCardinalityStringColumn(),
    remote_port: new UInt16Column(),
    message_length: new UInt32Column(),
    text: new StringColumn(),
    fields: new JsonColumn(),
  });
  const { columns } = batch;
  return (messages) => {
    batch.clear();
    for (const message of messages) {
      columns.index_number.append(0);
      columns.timestamp.append(message.timestamp);
      columns.id.append(message.id);
      columns.source.append(message.source);
      columns.level.append(message.level);
      columns.streams.append(STREAMS);
      columns.index_sets.append(INDEX_SETS);
      columns.received_at.append(message.timestamp);
      columns.input.append(SAME.input);
      columns.node.append(SAME.node);
      columns.remote_address.append(SAME.address);
      columns.remote_port.append(40_000);
      columns.message_length.append(message.messageLength);
      columns.text.append(message.text);
      for (const name in message.fields) columns.fields.set(name, message.fields[name] as string | number);
      columns.fields.endRow();
      batch.endRow();
    }
    return batch.encode();
  };
}

function clickHouseTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').slice(0, -1);
}

function encodeJson(messages: readonly WebMessage[]): Uint8Array {
  const lines = messages.map((message) =>
    JSON.stringify({
      index_number: 0,
      timestamp: clickHouseTime(message.timestamp),
      id: message.id,
      source: message.source,
      level: message.level,
      streams: STREAMS,
      index_sets: INDEX_SETS,
      received_at: clickHouseTime(message.timestamp),
      input: SAME.input,
      node: SAME.node,
      remote_address: SAME.address,
      remote_port: 40_000,
      message_length: message.messageLength,
      text: message.text,
      fields: message.fields,
    }),
  );
  return Buffer.from(lines.join('\n'));
}

/** Seconds of processor time of a process so far. */
function processorSeconds(pid: number | undefined): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function insertRaw(
  engine: EmbeddedEngine,
  table: string,
  format: string,
  body: Uint8Array,
): Promise<void> {
  const { url, username, password } = engine.endpoint();
  const query = encodeURIComponent(`INSERT INTO ${table} FORMAT ${format}`);
  const response = await fetch(`${url}/?async_insert=0&query=${query}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`,
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the insert into ${table} failed: ${text}`);
}

/** Resolves when no merge is running and none has begun between two looks. */
async function mergesSettled(clickhouse: ClickHouse, table: string): Promise<void> {
  let before = '';
  for (;;) {
    const rows = await clickhouse.query<{ state: string }>(
      `SELECT concat(toString((SELECT count() FROM system.merges)), ' merges ',
        arrayStringConcat(arraySort(groupArray(name)), ' ')) AS state
       FROM system.parts WHERE active AND table = {table:String}`,
      { parameters: { table } },
    );
    const now = rows[0]?.state ?? '';
    if (now === before && now.startsWith('0 merges')) return;
    before = now;
    await delay(1500);
  }
}

interface Cost {
  readonly encodeMicros: number;
  readonly insertMicros: number;
  readonly withMergesMicros: number;
  readonly bytesARow: number;
}

async function measure(
  engine: EmbeddedEngine,
  clickhouse: ClickHouse,
  format: 'Native' | 'JSONEachRow',
  messages: readonly WebMessage[],
): Promise<Cost> {
  const table = `rows_${format.toLowerCase()}`;
  const encode = format === 'Native' ? createNativeEncoder() : encodeJson;
  const batches = Array.from({ length: Math.ceil(messages.length / ROWS_A_BATCH) }, (_, index) =>
    messages.slice(index * ROWS_A_BATCH, (index + 1) * ROWS_A_BATCH),
  );
  // Code that runs for the first time is slower, and under an emulator has to be translated.
  await clickhouse.commandOnEach(`CREATE TABLE ${table} ${TABLE}`);
  for (let turn = 0; turn < WARM_UP_BATCHES; turn++) {
    await insertRaw(engine, table, format, encode(batches[0] ?? []));
  }
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  await clickhouse.commandOnEach(`TRUNCATE TABLE ${table}`);
  await clickhouse.commandOnEach(`SYSTEM STOP MERGES ${table}`);

  let encodeMicros = 0;
  let bytes = 0;
  const begin = processorSeconds(engine.pid);
  for (const batch of batches) {
    const encodingSince = process.cpuUsage();
    const body = encode(batch);
    encodeMicros += process.cpuUsage(encodingSince).user;
    bytes += body.length;
    await insertRaw(engine, table, format, body);
  }
  const inserted = processorSeconds(engine.pid);
  await clickhouse.commandOnEach(`SYSTEM START MERGES ${table}`);
  await mergesSettled(clickhouse, table);
  const merged = processorSeconds(engine.pid);

  const stored = await clickhouse.query<{ n: string }>(`SELECT count() AS n FROM ${table}`);
  if (Number(stored[0]?.n) !== messages.length)
    throw new Error(`${stored[0]?.n} rows of ${messages.length} stored`);
  const perRow = (value: number) => Number((value / messages.length).toFixed(2));
  return {
    encodeMicros: perRow(encodeMicros),
    insertMicros: perRow((inserted - begin) * 1e6),
    withMergesMicros: perRow((merged - begin) * 1e6),
    bytesARow: perRow(bytes),
  };
}

export async function run(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-'));
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'warn' }), clock: systemClock },
    { dataDir, maxMemoryBytes: 4 * 2 ** 30 },
  );
  try {
    await engine.start();
    const rows = engine.emulated ? ROWS_EMULATED : ROWS;
    const clickhouse = createClickHouse(() => [engine.endpoint()]);
    console.log(`${rows} rows of the web mix${engine.emulated ? ', under an emulator' : ''}`);
    const messages = createMessages(rows);
    const native = await measure(engine, clickhouse, 'Native', messages);
    console.log('Native, µs a row:     ', native);
    const jsonEachRow = await measure(engine, clickhouse, 'JSONEachRow', messages);
    console.log('JSONEachRow, µs a row:', jsonEachRow);
    await clickhouse.close();
    const ratio = Number((jsonEachRow.insertMicros / native.insertMicros).toFixed(2));
    console.log(
      JSON.stringify({ case: 'engine', rows, native, jsonEachRow, ratio, emulated: engine.emulated }),
    );
  } finally {
    await engine.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
