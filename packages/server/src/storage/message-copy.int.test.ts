import { afterAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { databasesWith } from './message-copy.ts';

const server = useTestClickHouse();
const other = () => `${server().database}_before`;
afterAll(() => server().clickhouse.commandOnEach(`DROP DATABASE IF EXISTS ${other()} SYNC`));

test('messages are found whatever their database was called', async () => {
  const { clickhouse, database } = server();
  const [source] = clickhouse.servers;
  if (source === undefined) throw new Error('there is no server');
  const [one, two] = [`web_${database}`, `shop_${database}`];
  await source.command(`CREATE DATABASE ${other()}`);
  for (const table of [`${other()}.${one}`, `${other()}.${two}`, `${database}.${two}`]) {
    await source.command(`CREATE TABLE ${table} (n UInt8) ENGINE = MergeTree ORDER BY n`);
  }
  expect(await databasesWith(source, [one])).toEqual([other()]);
  expect(await databasesWith(source, [one, two])).toEqual([other(), database]);
  expect(await databasesWith(source, ['none'])).toEqual([]);
});
