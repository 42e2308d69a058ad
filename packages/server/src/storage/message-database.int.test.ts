import { pino } from 'pino';
import { expect, test } from 'vitest';
import { UnavailableError } from '#core/index.ts';
import { useTestEngine } from '#testing/engine.ts';
import { eventually } from '#testing/eventually.ts';
import type { ClickHouse } from './clickhouse/index.ts';
import { createMessageDatabase } from './message-database.ts';

const engine = useTestEngine();
const NEVER = 3_600_000;

test('whoever waits for the tables does not wait for the next attempt, and the log says when they are there', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  let clickhouse: ClickHouse | undefined;
  const database = createMessageDatabase(
    { clickhouse: () => clickhouse, logger },
    { database: 'message_database', retryMs: NEVER, maxRetryMs: NEVER },
  );
  database.want(['first_1', 'second_2']);
  expect(() => database.tables()).toThrow(UnavailableError);

  clickhouse = engine().clickhouse;
  expect(() => database.tables()).toThrow(UnavailableError);
  expect(lines).toEqual([]);
  await database.whenReady();
  expect(await database.tables().figures()).toEqual([]);
  expect(lines).toEqual(['the message storage is ready']);

  database.want(['first_1', 'second_2', 'third_3']);
  await database.whenReady();
  expect(lines).toHaveLength(1);
  database.stop();
});

test('a server that refuses the tables is told from one that still starts', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const { clickhouse } = engine();
  const [server] = clickhouse.servers;
  if (server === undefined) throw new Error('the engine has no server');
  const old = { ...server, query: async <Row>() => [{ version: '25.8.1.1' }] as Row[] };
  const database = createMessageDatabase(
    { clickhouse: () => ({ ...clickhouse, servers: [old] }), logger },
    { database: 'message_database', retryMs: NEVER, maxRetryMs: NEVER },
  );
  expect(() => database.tables()).toThrow('The message storage is still starting.');
  database.want(['first_1']);
  await eventually(() => expect(lines).toHaveLength(1));
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'the message tables cannot be created',
      reason: expect.stringContaining('has version 25.8.1.1, and Millrace needs 26.7 or newer'),
    }),
  ]);
  expect(() => database.tables()).toThrow(
    'The message storage cannot be used; the log of the node says why.',
  );
  database.stop();
});
