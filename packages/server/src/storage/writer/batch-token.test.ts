import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClickHouseServer } from '../clickhouse/index.ts';
import { batchTokenText, isBegunWith, newBatchToken, parseBatchToken, shardOfKey } from './batch-token.ts';

function serversAt(...urls: readonly string[]): ClickHouseServer[] {
  const none = () => {
    throw new Error('not asked');
  };
  return urls.map((url) => ({
    url,
    query: none,
    stream: none,
    text: none,
    command: none,
    insertNative: none,
    ping: none,
  }));
}

test('a batch goes to the server that was chosen, also after its token was in the journal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 50 }), fc.nat(), fc.nat(), (count, chosen, version) => {
      const servers = serversAt(...Array.from({ length: count }, (_, index) => `http://${index}`));
      const shard = chosen % count;
      const token = newBatchToken(version, { shard, servers });
      expect(shardOfKey(token.key, count)).toBe(shard);
      const read = parseBatchToken(batchTokenText(token));
      expect(read).toEqual(token);
      expect(isBegunWith(read, servers)).toBe(true);
    }),
  );
});

test('a batch that was begun with other servers may be on any of them', () => {
  const token = newBatchToken(1, { shard: 0, servers: serversAt('http://a', 'http://b') });
  expect(isBegunWith(token, serversAt('http://b', 'http://a'))).toBe(false);
  expect(isBegunWith(token, serversAt('http://a', 'http://b', 'http://c'))).toBe(false);
  expect(isBegunWith(token, serversAt('http://a'))).toBe(false);
});

test('with one server a token does not name it: the address of the embedded one changes', () => {
  const token = newBatchToken(7, { shard: 0, servers: serversAt('http://a') });
  expect(batchTokenText(token)).toMatch(/^[\w-]{22};7$/);
  expect(isBegunWith(token, serversAt('http://b'))).toBe(true);
  expect(isBegunWith(token, serversAt('http://a', 'http://b'))).toBe(false);
  expect(() => parseBatchToken('x;7')).toThrow('"x;7" is not a batch token');
});
