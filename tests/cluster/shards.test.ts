/** A node whose messages are on two ClickHouse servers, while these are killed and cut off. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CuttableProxy, startCuttableProxy } from '../../packages/server/src/testing/cuttable-proxy.ts';
import { type StartedTestEngine, startTestShards } from '../../packages/server/src/testing/engine.ts';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { type CrashLoad, startCrashLoad } from '../support/crash-load.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const KILLS = 4;
const PATIENCE = { timeoutMs: 240_000, intervalMs: 50 };
const EVERYTHING = { query: 'source:crash', timerange: { type: 'relative', range: 0 }, limit: 1 };

let shards: StartedTestEngine[] = [];
let proxies: CuttableProxy[] = [];
let node: NodeProcess;
let load: CrashLoad;
let address: string;

beforeAll(async () => {
  shards = await startTestShards(2);
  proxies = await Promise.all(
    shards.map(({ engine }) => startCuttableProxy(() => Number(new URL(engine.endpoint().url).port))),
  );
  node = startNode(
    { processing_workers: '2' },
    { env: { ...KNOWN_PASSWORD, MILLRACE_CLICKHOUSE_URI: uris() } },
  );
  address = await node.ready();
  const http = await node.inputPort('GELF HTTP');
  load = startCrashLoad({ ports: { http, tcp: 0 }, httpSenders: 8, tcpConnections: 0, httpPauseMs: 5 });
});

afterAll(async () => {
  await load?.stop();
  node?.kill('SIGKILL');
  await node?.exited();
  await Promise.all(proxies.map((proxy) => proxy.cut().catch(() => {})));
  await Promise.all(shards.map((shard) => shard.stop()));
});

function uris(): string {
  return shards
    .map(({ engine }, index) => {
      const { username, password, nativePort } = engine.endpoint();
      return `http://${username}:${password.reveal()}@127.0.0.1:${proxies[index]?.port}?native_port=${nativePort}`;
    })
    .join(',');
}

function part<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no shard ${index}`);
  return found;
}

/** Resolves when it is running again. */
async function killed({ engine }: StartedTestEngine): Promise<void> {
  const { pid } = engine;
  if (pid === undefined) throw new Error('the engine does not run');
  process.kill(pid, 'SIGKILL');
  await until(() => engine.state === 'running' && engine.pid !== pid, PATIENCE);
}

async function storedOn(shard: number): Promise<string[]> {
  const rows = await part(shards, shard).clickhouse.query<{ message: string }>(
    "SELECT message FROM merge('millrace', '^millrace') WHERE source = 'crash'",
  );
  return rows.map(({ message }) => message);
}

/** The path of a message that is stored there. */
async function messageOn(shard: number): Promise<string> {
  const [row] = await part(shards, shard).clickhouse.query<{ id: string; table: string; number: number }>(
    "SELECT id, _table AS table, index_number AS number FROM merge('millrace', '^millrace') WHERE source = 'crash' LIMIT 1",
  );
  if (row === undefined) throw new Error(`shard ${shard} has no message`);
  // Tables are named after the prefix and the id of the index set, indices after the prefix and their number.
  return `/messages/${row.table.replace(/_[^_]+$/, '')}_${row.number}/${row.id}`;
}

function search(body: object) {
  return callApi(address, 'POST', '/messages/search', { ...EVERYTHING, ...body });
}

/** Every kind of search, with or without leave to leave messages out: its status, and which servers it names. */
const KINDS: Record<string, (partly: boolean) => Promise<{ status: number; missing: unknown }>> = {
  async universal(partly) {
    const path = `/search/universal/relative?query=source:crash&range=0&allow_partial=${partly}`;
    const { status, body } = await callApi(address, 'GET', path);
    return { status, missing: body.missing_servers };
  },
  async terms(partly) {
    const path = `/search/universal/relative/terms?query=*&range=0&field=source&allow_partial=${partly}`;
    const { status, body } = await callApi(address, 'GET', path);
    return { status, missing: body.missing_servers };
  },
  async table(partly) {
    const request = { metrics: [{ function: 'count' }], allow_partial: partly };
    const { status, body } = await callApi(address, 'POST', '/search/aggregate', request);
    return { status, missing: body.metadata?.missing_servers };
  },
  async view(partly) {
    const parts = [
      { id: 'list', type: 'messages' },
      { id: 'chart', type: 'pivot', series: [{ type: 'count' }] },
    ];
    const request = { queries: [{ id: 'q', allow_partial: partly, search_types: parts }] };
    const { status, body } = await callApi(address, 'POST', '/views/search/sync', request);
    const { list, chart } = body.results?.q.search_types ?? {};
    expect(list?.missing_servers).toEqual(chart?.missing_servers);
    return { status, missing: list?.missing_servers };
  },
  async export(partly) {
    const response = await fetch(`${address}/api/views/search/messages`, {
      method: 'POST',
      headers: {
        authorization: rootCredentials(),
        'x-requested-by': 'test',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query_string: 'source:crash', limit: 1, allow_partial: partly }),
    });
    await response.text();
    return { status: response.status, missing: response.headers.get('x-missing-servers')?.split(', ') };
  },
};

async function moreAcknowledged(count: number): Promise<void> {
  const enough = load.acknowledged.size + count;
  await until(() => load.acknowledged.size >= enough, PATIENCE);
}

test('everything that was acknowledged is stored once, on one of the shards, whatever happens to them', {
  timeout: 900_000,
}, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    await moreAcknowledged(100);
    await killed(part(shards, kill % 2));
  }
  await moreAcknowledged(100);

  const [here = '', there = ''] = await Promise.all([messageOn(0), messageOn(1)]);

  // One is away: new messages go to the other, and searches say so.
  const away = `http://127.0.0.1:${part(proxies, 1).port}`;
  await part(proxies, 1).cut();
  const before = new Set(load.acknowledged);
  await moreAcknowledged(100);
  await eventually(async () => {
    const fresh = (await storedOn(0)).filter((id) => load.acknowledged.has(id) && !before.has(id));
    expect(fresh.length).toBeGreaterThan(0);
  }, PATIENCE);
  await eventually(async () => {
    const refused = await search({});
    expect(refused.status).toBe(503);
    expect(refused.body.message).toContain(away);
  }, PATIENCE);
  await eventually(async () => {
    const partial = await search({ allow_partial: true });
    expect(partial.status).toBe(200);
    expect(partial.body.missing_servers).toEqual([away]);
    expect(partial.body.total_results).toBeGreaterThan(0);
  }, PATIENCE);
  for (const [kind, ask] of Object.entries(KINDS)) {
    await eventually(async () => {
      expect([kind, await ask(true)]).toEqual([kind, { status: 200, missing: [away] }]);
      expect([kind, (await ask(false)).status]).toEqual([kind, 503]);
    }, PATIENCE);
  }
  await eventually(async () => {
    const found = await callApi(address, 'GET', here);
    expect(found.status, JSON.stringify(found.body)).toBe(200);
    const unknown = await callApi(address, 'GET', there);
    expect(unknown.status).toBe(503);
    expect(unknown.body.message).toContain(away);
  }, PATIENCE);
  await eventually(async () => {
    const health = await callApi(address, 'GET', '/system/indexer/cluster/health');
    expect(health.body).toMatchObject({ status: 'yellow', shards: { active: 1, unassigned: 1 } });
  }, PATIENCE);

  await part(proxies, 1).mend();
  await moreAcknowledged(100);
  await load.stop();
  await eventually(async () => {
    const journal = await callApi(address, 'GET', '/system/journal');
    expect(journal.body.uncommitted_journal_entries).toBe(0);
  }, PATIENCE);
  const stored = await eventually(async () => [await storedOn(0), await storedOn(1)], PATIENCE);
  const all = stored.flat();
  expect(stored.map(({ length }) => length > 0)).toEqual([true, true]);
  expect(all.length, 'nothing twice').toBe(new Set(all).size);
  expect(
    [...load.acknowledged].filter((id) => !all.includes(id)),
    'nothing lost',
  ).toEqual([]);

  const found = await eventually(async () => {
    const answer = await search({});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }, PATIENCE);
  expect(found.missing_servers).toBeUndefined();
  expect(found.total_results).toBe(all.length);
});
