import { pino } from 'pino';
import { expect, test } from 'vitest';
import { UnavailableError } from '#core/index.ts';
import { useTestEngine } from '#testing/engine.ts';
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
