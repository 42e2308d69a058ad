import { expect, test } from 'vitest';
import { SimulatedClickHouse, simulatedShards } from '#testing/simulated-clickhouse.ts';
import { createMessageTables } from './message-tables.ts';

function twoShards() {
  const shards = [
    new SimulatedClickHouse(['messages'], 'http://one'),
    new SimulatedClickHouse(['messages'], 'http://two'),
  ] as const;
  for (const shard of shards) shard.rows = [{ table: 'messages', indexNumber: 0, id: '', text: '' }];
  const { servers } = simulatedShards(shards);
  const present = async () =>
    servers.filter((_, index) => (index === 0 ? shards[0] : shards[1]).answersPings);
  const tables = createMessageTables({ ...simulatedShards(shards), present }, { database: 'test' });
  return { shards, tables };
}

test('a server that is away counts with its last figures', async () => {
  const { shards, tables } = twoShards();
  expect(await tables.figures()).toMatchObject([{ messages: 2 }]);
  shards[1].answersPings = false;
  shards[1].answersQueries = false;
  expect(await tables.figures()).toMatchObject([{ messages: 2 }]);
});

test('a server that is away and was never asked counts for nothing', async () => {
  const { shards, tables } = twoShards();
  shards[1].answersPings = false;
  shards[1].answersQueries = false;
  expect(await tables.figures()).toMatchObject([{ messages: 1 }]);
  expect(await tables.ranges('messages')).toEqual(new Map());
});
