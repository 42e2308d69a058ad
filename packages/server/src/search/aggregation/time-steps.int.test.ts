import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { stepsSince } from './time-steps.ts';

const testClickHouse = useTestClickHouse();
const START = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;

/** The steps and their type, as the engine finds them. */
async function found(times: readonly number[], steps: { start: number; lengthMs: number; last?: number }) {
  const step = stepsSince('at', { last: undefined, ...steps });
  const rows = await testClickHouse().clickhouse.query<{ step: string; type: string }>(
    `SELECT toString(${step}) AS step, toTypeName(${step}) AS type FROM (SELECT fromUnixTimestamp64Milli(arrayJoin({times:Array(Int64)}), 'UTC') AS at)`,
    { parameters: { times } },
  );
  return { steps: rows.map((row) => Number(row.step)), type: rows[0]?.type };
}

/** Where the types end: two bytes of steps, four bytes of milliseconds. */
test.each([
  ['UInt16', 60_000, 24 * HOUR],
  ['UInt16', 1000, 65_536 * 1000 - 1],
  ['UInt32', 1000, 65_536 * 1000],
  ['UInt16', 7 * HOUR, 2 ** 32 - 1],
  ['UInt16', 7 * HOUR, 2 ** 32],
  ['UInt32', 1, 2 ** 32 - 1],
  ['Int64', 1, 2 ** 32],
  ['UInt16', 10_000 * 24 * HOUR, 2 ** 32 - 1],
  ['UInt16', 999_999 * HOUR, 2 ** 42],
])('steps are %s of %i ms over %i ms', async (type, lengthMs, range) => {
  const last = START + range;
  const times = [
    START,
    START + 1,
    START + lengthMs - 1,
    START + lengthMs,
    last - lengthMs,
    last - 1,
    last,
  ].filter((time) => time >= START && time <= last);
  const expected = times.map((time) => Math.floor((time - START) / lengthMs));
  expect(await found(times, { start: START, lengthMs, last })).toEqual({ steps: expected, type });
});

test('where times may be anywhere, those before the start count backwards', async () => {
  const times = [START - HOUR, START, START + 2 * HOUR];
  expect((await found(times, { start: START, lengthMs: HOUR })).steps).toEqual([-1, 0, 2]);
});
