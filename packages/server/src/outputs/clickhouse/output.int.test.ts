import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { anIdentified, anOutput } from '#testing/output-fixture.ts';
import { RefusedError } from '../output.ts';

const opened = useTestClickHouse();

async function createTable(name: string, columns: string): Promise<void> {
  const { clickhouse } = opened();
  await clickhouse.commandOnEach(
    `CREATE TABLE \`${name}\` (${columns}) ENGINE = MergeTree ORDER BY timestamp
     SETTINGS non_replicated_deduplication_window = 100`,
  );
}

function output(table: string, changes: Record<string, unknown> = {}) {
  const { endpoint, database } = opened();
  return anOutput('clickhouse', {
    url: endpoint.url,
    database,
    table,
    username: endpoint.username,
    password: endpoint.password.reveal(),
    ...changes,
  });
}

test('fields become columns with their types, and a batch that is sent again is there once', async () => {
  await createTable(
    'my logs',
    '_id String, timestamp DateTime64(3), source LowCardinality(String), message String, level UInt8, count Nullable(Int64), ok Nullable(Bool)',
  );
  const { send } = output('my logs');
  const batch = [
    anIdentified(1, { count: 2n ** 60n, ok: true, unknown_to_the_table: 'x' }),
    anIdentified(2, { message: 'ä\n"b"' }),
  ];
  await send(...batch);
  await send(...batch);
  const rows = await opened().clickhouse.query(
    'SELECT _id, toString(timestamp) AS at, source, message, level, toString(count) AS count, ok FROM `my logs` ORDER BY _id',
  );
  expect(rows).toEqual([
    {
      _id: anIdentified(1).id,
      at: expect.stringContaining('2026-01-01'),
      source: 'web-1',
      message: 'message 1',
      level: 6,
      count: '1152921504606846976',
      ok: true,
    },
    expect.objectContaining({ message: 'ä\n"b"', count: null, ok: null }),
  ]);
});

test('what the table cannot take is refused, a table that is missing is waited for', async () => {
  await createTable('numbers', 'timestamp DateTime64(3), count UInt32');
  const { send } = output('numbers', { compression: 'none' });
  await expect(send(anIdentified(1, { count: 'many' }))).rejects.toBeInstanceOf(RefusedError);
  await send(anIdentified(1, { count: 3 }));
  const strict = output('numbers', { skip_unknown_fields: false });
  await expect(strict.send(anIdentified(1))).rejects.toBeInstanceOf(RefusedError);
  const missing = await output('missing')
    .send(anIdentified(1))
    .catch((error: unknown) => error);
  expect(missing).not.toBeInstanceOf(RefusedError);
  expect(missing).toMatchObject({ message: expect.stringContaining('missing') });
  const wrong = await output('numbers', { password: 'wrong' })
    .send(anIdentified(1))
    .catch((error: unknown) => error);
  expect(wrong).not.toBeInstanceOf(RefusedError);
});
