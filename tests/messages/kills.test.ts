import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

test('whatever is killed, what was acknowledged and what rules made of it is stored once in each index set', async () => {
  // To repeat a run that failed, put its seed here.
  const seed = randomInt(2 ** 32);
  const log = (line: string) => process.stdout.write(`seed ${seed}: ${line}\n`);
  const result = await killRounds({ seed, rounds: 1, httpSenders: 8, httpPauseMs: 10, log });
  log(JSON.stringify(result.rows));
  expect(result.lost).toEqual([]);
  expect(result.repeated).toEqual([]);
  expect(result.unexpected).toEqual([]);
  expect(Object.keys(result.rows).sort()).toEqual(['millrace', 'second']);
  expect(result.kills).toBe(3);
  expect(result.acknowledged).toBeGreaterThan(300);
});
