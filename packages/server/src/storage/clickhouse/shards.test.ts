import { expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import type { ClickHouseServer } from './server.ts';
import { acrossShards, createShardWatch, isAcrossShards, onOneServer, statementOver } from './shards.ts';

const credentials = { username: 'millrace', password: new Secret("it's secret") };
const statement = `SELECT count() FROM ${acrossShards('SELECT 1 FROM messages')}`;

test('a statement over several servers names their addresses, and no password', () => {
  const { sql, parameters } = statementOver(statement, [
    { ...credentials, url: 'http://a:8123' },
    { ...credentials, url: 'http://[::1]:8123', nativePort: 9001 },
  ]);
  expect(sql).toBe(
    'SELECT count() FROM remote({shard_addresses:String}, view(SELECT 1 FROM messages), {shard_user:String}, {shard_password:String})',
  );
  expect(parameters).toEqual({
    shard_addresses: 'a:9000,[::1]:9001',
    shard_user: 'millrace',
    shard_password: "it's secret",
  });
  const secure = statementOver(statement, [{ ...credentials, url: 'https://a:8443' }]);
  expect(secure.sql).toContain('remoteSecure(');
  expect(secure.parameters.shard_addresses).toBe('a:9440');
});

test('one server needs no more than the statement itself', () => {
  expect(isAcrossShards(statement)).toBe(true);
  expect(isAcrossShards('SELECT 1')).toBe(false);
  expect(onOneServer(statement)).toBe('SELECT count() FROM (SELECT 1 FROM messages)');
});

class Server implements Pick<ClickHouseServer, 'url' | 'ping'> {
  readonly url: string;
  isThere = true;
  pings = 0;
  constructor(url: string) {
    this.url = url;
  }
  async ping(): Promise<void> {
    this.pings += 1;
    if (!this.isThere) throw new Error('away');
  }
}

test('which servers are there is known, and looked up again when that is old', async () => {
  const [a, b] = [new Server('http://a'), new Server('http://b')];
  const servers = [a, b] as unknown as ClickHouseServer[];
  let time = 0;
  const watch = createShardWatch(servers, () => time);
  const present = async () => (await watch.present()).map(({ url }) => url);
  expect(await present()).toEqual(['http://a', 'http://b']);
  b.isThere = false;
  expect(await present()).toEqual(['http://a', 'http://b']);
  expect(b.pings).toBe(1);
  time = 60_000;
  expect(await present()).toEqual(['http://a']);
  b.isThere = true;
  expect(await present()).toEqual(['http://a']);
  expect(await watch.look()).toHaveLength(2);
  watch.leaveOut(new Set(servers.slice(0, 1)));
  expect(await present()).toEqual(['http://b']);
});
