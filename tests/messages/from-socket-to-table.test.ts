import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

/**
 * The whole path of a message on one node that survives a kill. Each test continues where the one before ended, because
 * starting the engine takes the most time.
 */

const DEFAULT_STREAM = '000000000000000000000001';
const FAILURE_STREAM = '000000000000000000000004';
const DEFAULT_INDEX_SET = '000000000000000000000001';
/** Under an emulator, on a busy machine, a restarted engine can take two minutes. */
const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };

let node: NodeProcess;
let address: string;
let http: number;
let tcp: number;

async function start(dataDir?: string): Promise<void> {
  // With one worker, a message that was routed by a new rule proves that all later ones will be.
  const settings = { processing_workers: '1', stream_processing_timeout: '1s' };
  node = startNode(settings, { env: KNOWN_PASSWORD, ...(dataDir && { dataDir }) });
  address = await node.ready();
  http = await node.inputPort('GELF HTTP');
  tcp = await node.inputPort('GELF TCP');
}

beforeAll(() => start());
afterAll(async () => {
  node.kill();
  await node.exited();
});

async function send(message: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ version: '1.1', host: 'mill', ...message });
  const answer = await fetch(`http://127.0.0.1:${http}/xlog`, { method: 'POST', body });
  expect(answer.status).toBe(202);
}

interface StoredRow {
  readonly message: string;
  readonly streams: string[];
  readonly level: number;
  readonly fields: Record<string, unknown>;
  readonly table: string;
  readonly index: number;
}

/** What is really in the tables, read past the program. */
async function stored(): Promise<StoredRow[]> {
  return await askEngine(
    node.dataDir,
    `SELECT _table AS table, index_number AS index, message, streams, level, fields
     FROM merge('millrace', '.*') ORDER BY received_at, id_offset`,
  );
}

/** Waits until a message with each of these texts is stored; resolves with all rows. */
async function untilStored(...texts: string[]): Promise<StoredRow[]> {
  return await eventually(async () => {
    const rows = await stored();
    expect(rows.map(({ message }) => message)).toEqual(expect.arrayContaining(texts));
    return rows;
  }, PATIENCE);
}

/** Workers learn of a change within a second: sends the message until a copy of it arrived where it belongs. */
async function untilApplied(
  message: Record<string, unknown>,
  hasArrived: (row: StoredRow) => boolean,
): Promise<void> {
  await eventually(async () => {
    await send(message);
    const copies = (await stored()).filter((row) => row.message === message.short_message);
    expect(copies.some(hasArrived), JSON.stringify(copies.at(-1))).toBe(true);
  }, PATIENCE);
}

async function createStream(body: Record<string, unknown>): Promise<string> {
  const created = await callApi(address, 'POST', '/streams', body);
  expect(created.status).toBe(201);
  expect((await callApi(address, 'POST', `/streams/${created.body.stream_id}/resume`)).status).toBe(204);
  return created.body.stream_id;
}

test('a message sent while the engine starts is stored in "All messages"', async () => {
  await send({ short_message: 'early', _user: 'ada', _bytes: 17 });
  expect(await untilStored('early')).toMatchObject([
    { message: 'early', streams: [DEFAULT_STREAM], level: 1, fields: { user: 'ada', bytes: 17 } },
  ]);
  await eventually(
    async () => expect((await callApi(address, 'GET', '/count/total')).body).toEqual({ events: 1 }),
    PATIENCE,
  );
});

test('streams route new messages only; remove-from-default and another index set decide where they go', async () => {
  const copied = await createStream({
    title: 'errors',
    index_set_id: DEFAULT_INDEX_SET,
    rules: [{ type: 4, field: 'level', value: '4', inverted: false }],
  });
  const indexSet = await callApi(address, 'POST', '/system/indices/index_sets', {
    title: 'Audit',
    index_prefix: 'audit',
    shards: 1,
    replicas: 0,
    rotation_strategy_class: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategy',
    rotation_strategy: {
      type: 'org.graylog2.indexer.rotation.strategies.MessageCountRotationStrategyConfig',
      max_docs_per_index: 1000,
    },
    retention_strategy_class: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategy',
    retention_strategy: {
      type: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategyConfig',
      max_number_of_indices: 5,
    },
    index_analyzer: 'standard',
    index_optimization_max_num_segments: 1,
    index_optimization_disabled: false,
    field_type_refresh_interval: 5000,
    writable: true,
  });
  expect(indexSet.status, JSON.stringify(indexSet.body)).toBe(200);
  const moved = await createStream({
    title: 'audit',
    index_set_id: indexSet.body.id,
    remove_matches_from_default_stream: true,
    rules: [{ type: 2, field: 'message', value: '(?i)^AUDIT', inverted: false }],
  });
  const both = await createStream({
    title: 'both',
    index_set_id: indexSet.body.id,
    rules: [{ type: 1, field: 'tier', value: 'web', inverted: false }],
  });

  await untilApplied({ short_message: 'probe', level: 6, _tier: 'web' }, ({ streams }) =>
    streams.includes(both),
  );
  await send({ short_message: 'calm', level: 6 });
  await send({ short_message: 'bad', level: 3 });
  await send({ short_message: 'audit: login', level: 6 });
  await send({ short_message: 'twice', level: 6, _tier: 'web' });

  await eventually(async () => {
    const rows = await stored();
    const byMessage = (text: string) => rows.filter(({ message }) => message === text);
    expect(byMessage('early')).toMatchObject([{ streams: [DEFAULT_STREAM] }]);
    expect(byMessage('calm')).toMatchObject([{ streams: [DEFAULT_STREAM] }]);
    expect(byMessage('bad')).toMatchObject([{ streams: [DEFAULT_STREAM, copied] }]);
    expect(byMessage('audit: login')).toMatchObject([
      { streams: [moved], table: expect.stringContaining('audit') },
    ]);
    const twice = byMessage('twice');
    expect(twice.map(({ table }) => table.split('_')[0]).sort()).toEqual(['audit', 'millrace']);
    for (const { streams } of twice) expect(streams.toSorted()).toEqual([DEFAULT_STREAM, both].sort());
  }, PATIENCE);
});

test('what cannot be decoded becomes a processing failure, and the next message is stored', async () => {
  const socket = net.connect(tcp, '127.0.0.1');
  await once(socket, 'connect');
  socket.end('garbage\0{"host":"mill","short_message":"after garbage"}\0');
  socket.resume();
  await untilStored('after garbage');
  const isFailure = ({ streams }: StoredRow) => streams.includes(FAILURE_STREAM);
  const failures = await eventually(async () => {
    const found = (await stored()).filter(isFailure);
    expect(found).toHaveLength(1);
    return found;
  }, PATIENCE);
  expect(failures).toMatchObject([
    {
      streams: [FAILURE_STREAM],
      fields: { failed_message_base64: Buffer.from('garbage').toString('base64') },
    },
  ]);
  const reported = await callApi(address, 'GET', '/system/indexer/failures?limit=5&offset=0');
  expect(reported.body.total).toBe(1);
});

test('values of a megabyte are stored whole, and so are times far in the past and future', async () => {
  const long = 'ä lot '.repeat(170_000);
  await send({ short_message: long, level: 6 });
  await send({ short_message: 'long field', level: 6, _long: long });
  await send({ short_message: 'in 1970', level: 6, timestamp: 1.5 });
  await send({ short_message: 'in 2100', level: 6, timestamp: Date.UTC(2100, 0) / 1000 });
  await send({ short_message: 'in 3000', level: 6, timestamp: Date.UTC(3000, 0) / 1000 });
  await send({ short_message: 'in milliseconds', level: 6, timestamp: Date.UTC(2010, 0) });
  const rows = await untilStored(long, 'long field', 'in 1970', 'in 2100', 'in 3000', 'in milliseconds');
  expect(rows.filter(({ message }) => message === long)).toHaveLength(1);
  expect(rows.find(({ message }) => message === 'long field')?.fields.long).toBe(long);
  const times = await askEngine<{ message: string; at: string; isNow: number }>(
    node.dataDir,
    `SELECT message, toString(timestamp) AS at, timestamp = received_at AS isNow
     FROM merge('millrace', '.*') WHERE startsWith(text, 'in ') ORDER BY timestamp`,
  );
  expect(times).toMatchObject([
    { message: 'in 1970', at: '1970-01-01 00:00:01.500' },
    { message: 'in milliseconds', at: '2010-01-01 00:00:00.000' },
    // More than a century ahead: no clock says so, the time of receipt is nearer to the truth.
    { message: 'in 3000', isNow: 1 },
    { message: 'in 2100', at: '2100-01-01 00:00:00.000' },
  ]);
});

test('nothing acknowledged is lost and nothing is stored twice when the node is killed under load', async () => {
  const acknowledged: string[] = [];
  let sending = true;
  const sender = (async () => {
    for (let number = 0; sending; number++) {
      const text = `numbered ${number}`;
      const body = JSON.stringify({ host: 'mill', short_message: text, level: 6 });
      try {
        const answer = await fetch(`http://127.0.0.1:${http}/xlog`, { method: 'POST', body });
        if (answer.status === 202) acknowledged.push(text);
      } catch {
        // The node is gone: nothing was acknowledged.
      }
    }
  })();
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(300), PATIENCE);
  node.kill('SIGKILL');
  await node.exited();
  sending = false;
  await sender;

  await start(node.dataDir);
  const rows = await untilStored(...acknowledged);
  const numbered = rows.map(({ message }) => message).filter((text) => text.startsWith('numbered '));
  expect(new Set(numbered).size, 'stored twice').toBe(numbered.length);
});

test('rotation begins a new index, and messages go into it', async () => {
  expect((await callApi(address, 'POST', `/system/deflector/${DEFAULT_INDEX_SET}/cycle`)).status).toBe(204);
  const deflector = await callApi(address, 'GET', `/system/deflector/${DEFAULT_INDEX_SET}`);
  expect(deflector.body).toMatchObject({ is_up: true, current_target: 'millrace_1' });
  await untilApplied({ short_message: 'in the new index', level: 6 }, ({ index }) => index === 1);
  const ranges = await callApi(address, 'GET', '/system/indices/ranges');
  const names = ranges.body.ranges.map(({ index_name }: { index_name: string }) => index_name);
  expect(names).toEqual(expect.arrayContaining(['millrace_0', 'millrace_1', 'audit_0']));
});

test('a stream whose rule takes too long is disabled after its faults; everything else continues', async () => {
  const slow = await createStream({
    title: 'catastrophic',
    index_set_id: DEFAULT_INDEX_SET,
    rules: [{ type: 2, field: 'trap', value: '^(a+)+$', inverted: false }],
  });
  await untilApplied({ short_message: 'harmless', level: 6, _trap: 'aaa' }, ({ streams }) =>
    streams.includes(slow),
  );
  const trap = `${'a'.repeat(40)}!`;
  const texts = Array.from({ length: 5 }, (_, number) => `trap ${number}`);
  const sending = (async () => {
    for (const text of texts) await send({ short_message: text, level: 3, _trap: trap });
  })();

  // The worker spends the time limit on each of four messages. The API must answer all the while; if it had to wait
  // for the worker, it could answer four times.
  const waits: number[] = [];
  for (let state = 'running'; state === 'running'; ) {
    const asked = performance.now();
    ({ state } = (await callApi(address, 'GET', `/streams/${slow}`)).body);
    waits.push(performance.now() - asked);
  }
  const slowest = Math.max(...waits).toFixed(0);
  process.stdout.write(`${waits.length} answers before the stream was disabled, ${slowest} ms at most\n`);
  expect(waits.length).toBeGreaterThan(10);
  await sending;
  const stopped = await callApi(address, 'GET', `/streams/${slow}`);
  expect(stopped.body).toMatchObject({ disabled: true, state: 'disabled' });
  const { notifications } = (await callApi(address, 'GET', '/system/notifications')).body;
  expect(notifications).toContainEqual(
    expect.objectContaining({ type: 'stream_processing_disabled', severity: 'urgent' }),
  );
  const rows = await untilStored(...texts);
  for (const row of rows.filter(({ message }) => message.startsWith('trap '))) {
    expect(row.streams).toContain(DEFAULT_STREAM);
    expect(row.streams).not.toContain(slow);
  }
  // Never by itself, only by hand.
  expect((await callApi(address, 'POST', `/streams/${slow}/resume`)).status).toBe(204);
  expect((await callApi(address, 'GET', `/streams/${slow}`)).body).toMatchObject({ state: 'running' });
});
