import { ClickHouseError } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { PermanentError, RetryableError, Secret } from '#core/index.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { createClickHouse } from './client.ts';
import { answeringReplica, createReplicaSet, replicasOf } from './replicas.ts';
import type { ClickHouseServer } from './server.ts';

type Failing = { failure: unknown; asked: number; answersPings: boolean };

/** A server that answers its own address, or fails. */
function replica(url: string): ClickHouseServer & Failing {
  const state: Failing = { failure: undefined, asked: 0, answersPings: true };
  async function answer<Result>(result: Result): Promise<Result> {
    state.asked += 1;
    if (state.failure !== undefined) throw state.failure;
    return result;
  }
  return Object.assign(state, {
    url,
    query: <Row>() => answer([url] as Row[]),
    async *stream<Row>() {
      yield await answer([url] as Row[]);
      yield await answer([`${url} again`] as Row[]);
    },
    async *text() {
      yield await answer(Buffer.from(url));
    },
    command: () => answer(undefined),
    insertNative: () => answer(undefined),
    async ping() {
      if (!state.answersPings) throw new RetryableError('no answer');
    },
  });
}

function refusedWith(code: number): Error {
  const cause = new ClickHouseError({ message: 'refused', code: String(code) });
  return new RetryableError('refused', { cause });
}

function twoReplicas() {
  const [a, b] = [replica('http://a'), replica('http://b')] as const;
  return { a, b, shard: createReplicaSet([a, b]) };
}

test.each([
  ['is unreachable', new RetryableError('did not answer')],
  ['has lost its Keeper', refusedWith(242)],
  ['has a full disk', refusedWith(243)],
  ['does not have the table yet', refusedWith(60)],
])('another replica is asked when one %s, and stays the first to be asked', async (_, failure) => {
  const { a, b, shard } = twoReplicas();
  expect(await shard.query('SELECT 1')).toEqual(['http://a']);
  a.failure = failure;
  expect(await shard.query('SELECT 1')).toEqual(['http://b']);
  await shard.insertNative({ table: 't', block: Buffer.alloc(0) });
  expect(await Array.fromAsync(shard.stream('SELECT 1'))).toEqual([['http://b'], ['http://b again']]);
  expect(String(await Array.fromAsync(shard.text('SELECT 1')))).toBe('http://b');
  expect(a.asked).toBe(2);
  expect(answeringReplica(shard)).toBe(b);
  expect(shard.url).toBe('http://a|http://b');
  b.failure = failure;
  a.failure = undefined;
  expect(await shard.query('SELECT 1')).toEqual(['http://a']);
});

test('what a server refuses for good is not tried elsewhere, nor what has begun to arrive', async () => {
  const { a, b, shard } = twoReplicas();
  a.failure = new PermanentError('a mistake');
  await expect(shard.command('SELEC 1')).rejects.toThrow('a mistake');
  a.failure = undefined;
  const rows: unknown[] = [];
  await expect(async () => {
    for await (const row of shard.stream('SELECT 1')) {
      rows.push(row);
      a.failure = new RetryableError('lost');
    }
  }).rejects.toThrow('lost');
  expect(rows).toEqual([['http://a']]);
  expect(b.asked).toBe(0);
});

test('all replicas away: the first failure; nothing is asked for a caller who has left', async () => {
  const { a, b, shard } = twoReplicas();
  [a.failure, b.failure] = [new RetryableError('first'), new RetryableError('second')];
  await expect(shard.query('SELECT 1')).rejects.toThrow('first');
  const left = new AbortController();
  left.abort(new Error('left'));
  b.asked = 0;
  await expect(shard.query('SELECT 1', { signal: left.signal })).rejects.toThrow('first');
  expect(b.asked).toBe(0);
});

test('a shard is there while one of its replicas answers', async () => {
  const { a, b, shard } = twoReplicas();
  a.answersPings = false;
  await shard.ping();
  expect(answeringReplica(shard)).toBe(b);
  b.answersPings = false;
  await expect(shard.ping()).rejects.toThrow('no answer');
});

test('a single server is its own replica; several need replicated tables', async () => {
  const [server] = new SimulatedClickHouse([]).servers;
  if (server === undefined) throw new Error('no server');
  expect(replicasOf(server)).toEqual([server]);
  expect(answeringReplica(server)).toBe(server);
  const credentials = { username: 'u', password: new Secret('p') };
  const shard = {
    ...credentials,
    url: 'http://a:8123',
    replicas: [{ ...credentials, url: 'http://b:8123' }],
  };
  expect(() => createClickHouse([shard])).toThrow('not replicated');
  const clickhouse = createClickHouse([shard], { replication: { insertQuorum: 0 } });
  expect(clickhouse.servers.map(({ url }) => url)).toEqual(['http://a:8123|http://b:8123']);
  await clickhouse.close();
});
