import { expect, test } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { SimulatedClickHouse, simulatedShards } from '#testing/simulated-clickhouse.ts';
import { newBatchToken, shardOfKey } from './batch-token.ts';
import { BlockSender } from './block-sender.ts';
import { createRetrying } from './retrying.ts';

function tokenOfShard(shard: number) {
  for (;;) {
    const token = newBatchToken(1);
    if (shardOfKey(token.key, 2) === shard) return token;
  }
}

test('after a change of the list of servers, the one that fails counts as away, not that of the batch', async () => {
  const [one, two] = [new SimulatedClickHouse([], 'http://one'), new SimulatedClickHouse([], 'http://two')];
  const clickhouse = simulatedShards([one, two]);
  const away: string[] = [];
  const waitedFor: string[] = [];
  const sender = new BlockSender(
    {
      untilItWorks: createRetrying(
        { clickhouse: () => clickhouse, logger: createLogger({ level: 'silent' }), trouble() {} },
        { firstRetryMs: 1, maxRetryMs: 1 },
      ),
      awayShards: {
        isAway: ({ url }) => away.push(url),
        isBack() {},
        watch: () => () => {},
        waitFor({ url }) {
          waitedFor.push(url);
          return () => {};
        },
      },
      isGone: () => false,
    },
    { nodeId: 'node-1', database: 'test' },
    new AbortController().signal,
  );
  two.answersQueries = false;
  const onWaiting = () => {
    two.answersQueries = true;
  };
  // A token of the time when there was one server.
  await sender.whenIdle({ token: tokenOfShard(0), onWaiting });
  expect(away).toEqual(['http://two']);
  expect(waitedFor).toEqual(['http://two']);
});
