import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { expectedNames, QUERY_TABLE, type QueryRow } from '../../packages/server/src/testing/query-table.ts';
import {
  nameOfRow,
  ROW_FIELD,
  rowOf,
  TABLE_MESSAGES,
  TABLE_NAMES,
} from '../../packages/server/src/testing/query-table-messages.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

/** Messages sent as GELF and searched over HTTP. One node for all tests, because starting the engine takes the most time. */
const PATIENCE = { timeoutMs: 240_000, intervalMs: 200 };
const ALL_TIME = { from: '1990-01-01 00:00:00', to: '2290-01-01 00:00:00' };
const START = Date.UTC(2026, 5, 1, 12);
/** Under an emulator a search takes seconds, so only every 16th row of the table is searched. */
const EMULATED_STRIDE = 16;
const PARALLEL = 2;

let node: NodeProcess;
let address: string;
let port: number;

beforeAll(async () => {
  node = startNode({ search_timeout: '10m' }, { env: KNOWN_PASSWORD });
  address = await node.ready();
  port = await node.inputPort('GELF HTTP');
  await Promise.all(TABLE_NAMES.map((name, index) => send(gelf(name, index))));
  await eventually(async () => {
    const { body } = await search('*');
    expect(body).toMatchObject({ total_results: TABLE_NAMES.length });
  }, PATIENCE);
}, 300_000);
afterAll(async () => {
  node.kill();
  await node.exited();
});

function gelf(name: string, index: number): string {
  const { fields = {}, ...parts } = TABLE_MESSAGES[name] ?? {};
  const additional = Object.entries({ ...fields, [ROW_FIELD]: rowOf(name) }).map(
    ([field, value]) =>
      `${JSON.stringify(`_${field}`)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
  );
  const message = {
    version: '1.1',
    host: parts.source ?? 'host-1',
    short_message: parts.message,
    full_message: parts.fullMessage,
    level: parts.level ?? 6,
    timestamp: (parts.timestamp ?? START + index * 1000) / 1000,
  };
  return `${JSON.stringify(message).slice(0, -1)},${additional.join(',')}}`;
}

async function send(body: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
  expect(answer.status).toBe(202);
}

function search(query: string, more: Readonly<Record<string, string>> = {}) {
  const parameters = new URLSearchParams({ query, ...ALL_TIME, limit: '100', ...more });
  return callApi(address, 'GET', `/search/universal/absolute?${parameters}`);
}

const inOrder = (rows: readonly unknown[]) =>
  rows
    .map(Number)
    .sort((a, b) => a - b)
    .map(nameOfRow);

/** `/search/universal` */
async function universally([query, , timezone = 'UTC']: QueryRow): Promise<string[]> {
  const { status, body } = await search(query, { fields: ROW_FIELD, timezone });
  if (status !== 200) return [JSON.stringify(body)];
  return inOrder(
    body.messages.map(({ message }: { message: Record<string, unknown> }) => message[ROW_FIELD]),
  );
}

/** `/search/messages` of the scripting API. */
async function byScript([query]: QueryRow): Promise<string[]> {
  const request = { query, timerange: { type: 'absolute', ...ALL_TIME }, fields: [ROW_FIELD], size: 100 };
  const { status, body } = await callApi(address, 'POST', '/search/messages', request);
  return status === 200 ? inOrder(body.datarows.flat()) : [JSON.stringify(body)];
}

/** What each row finds, a few at a time. */
async function findings(rows: readonly QueryRow[], find: (row: QueryRow) => Promise<string[]>) {
  const found: Record<string, string> = {};
  const left = [...rows];
  const work = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      found[`${row[0]} ${row[2] ?? ''}`] = (await find(row)).join(' ');
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found;
}

function expected(rows: readonly QueryRow[]): Record<string, string> {
  return Object.fromEntries(rows.map((row) => [`${row[0]} ${row[2] ?? ''}`, expectedNames(row).join(' ')]));
}

test('the query table, each row through one of both APIs', { timeout: 900_000 }, async () => {
  const isEmulated = node.output().includes('under emulation');
  const rows = QUERY_TABLE.filter((_, index) => !isEmulated || index % EMULATED_STRIDE === 0);
  expect(rows.length).toBeGreaterThan(20);
  // What is asked here is the same search: rows take turns. The scripting API has no time zone.
  const isScripted = ([, , zone]: QueryRow, index: number) => zone === undefined && index % 2 === 0;
  const universal = rows.filter((row, index) => !isScripted(row, index));
  expect(await findings(universal, universally)).toEqual(expected(universal));
  const scripted = rows.filter(isScripted);
  expect(await findings(scripted, byScript)).toEqual(expected(scripted));
});

test('one message by its id, its surroundings, an export, progress', async () => {
  const { body } = await search('"quick brown"');
  const { index, message } = body.messages[0];
  expect(message).toMatchObject({ source: 'host-1', streams: ['000000000000000000000001'] });
  const path = `/messages/${index}/${message._id}`;
  expect((await callApi(address, 'GET', path)).body.message).toMatchObject({ id: message._id });
  const around = (await callApi(address, 'GET', `${path}/surrounding?before=1&after=1&fields=`)).body;
  expect(around.messages.map((each: { message: { row: number } }) => nameOfRow(each.message.row))).toEqual([
    'empty',
    'fox',
    'dog',
  ]);
  expect((await callApi(address, 'GET', `/messages/${index}/${'0'.repeat(26)}`)).status).toBe(404);

  const headers = {
    authorization: rootCredentials(),
    'x-requested-by': 'test',
    'content-type': 'application/json',
  };
  const csv = await fetch(`${address}/api/views/search/messages`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/csv' },
    body: JSON.stringify({
      timerange: { type: 'absolute', ...ALL_TIME },
      query_string: { type: 'elasticsearch', query_string: 'fox OR big:9007199254740993' },
      fields_in_order: ['message', 'big'],
      sort: 'timestamp:asc',
    }),
  });
  expect(await csv.text()).toBe(
    [
      '"message","big"',
      '"several numbers","9007199254740993"',
      '"The quick brown fox jumps over the lazy dog",""',
      '"the lazy dog sleeps while the quick fox runs",""',
      '',
    ].join('\n'),
  );
  const events = await fetch(`${address}/api/messages/search`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'fox', timerange: { type: 'relative', range: 0 } }),
  });
  expect(await events.text()).toMatch(/event: result\ndata: .*"total_results":2/);
});
