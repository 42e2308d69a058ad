/**
 * `npm run bench -- kills [rounds] [seed]`: a whole node under load while its workers, its ClickHouse and the node
 * itself are killed at random moments, each several times, and indices are rotated. Every message that was answered
 * with 202, and what rules made of it, must be stored once in each of its index sets, and nothing that rules dropped.
 * The suite does the same with one round.
 */
import { randomInt } from 'node:crypto';
import { killRounds } from '../../tests/support/kill-rounds.ts';

const ROUNDS = 10;
const SHOWN = 10;

export async function run(args: readonly string[]): Promise<void> {
  const rounds = Number(args[0] ?? ROUNDS);
  const seed = Number(args[1] ?? randomInt(2 ** 32));
  const start = performance.now();
  console.log(`seed ${seed}`);
  const { lost, repeated, unexpected, ...figures } = await killRounds({
    seed,
    rounds,
    httpSenders: 16,
    httpPauseMs: 5,
    log: (line) => console.log(line),
  });
  for (const [name, messages] of Object.entries({ lost, repeated, unexpected })) {
    if (messages.length > 0) console.log(`${name}: ${messages.slice(0, SHOWN).join(', ')}`);
  }
  const passed =
    lost.length + repeated.length + unexpected.length === 0 && Object.keys(figures.rows).length === 2;
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(
    JSON.stringify({
      bench: 'kills',
      passed,
      seed,
      ...figures,
      lost: lost.length,
      repeated: repeated.length,
      unexpected: unexpected.length,
      seconds,
    }),
  );
  if (!passed) process.exitCode = 1;
}
