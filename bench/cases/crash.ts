/**
 * `npm run bench -- crash [messages]`: a million messages over 4 TCP connections and over HTTP while the intake
 * is killed with SIGKILL ten times. Every message that was answered with 202 must be in the journal, once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crashRounds } from '../../tests/support/crash-rounds.ts';

const MESSAGES = 1_000_000;
const KILLS = 10;
const SHOWN = 10;

export async function run(args: readonly string[]): Promise<void> {
  const messages = Number(args[0] ?? MESSAGES);
  const journalDirectory = await mkdtemp(path.join(tmpdir(), 'millrace-bench-crash-'));
  const start = performance.now();
  try {
    const result = await crashRounds({
      journalDirectory,
      kills: KILLS,
      workers: 2,
      httpSenders: 32,
      tcpConnections: 4,
      tcpMessages: messages,
      acknowledgedPerRound: 1000,
    });
    const { lost, repeated, invented, incidents, ...figures } = result;
    for (const incident of incidents) console.log(incident);
    for (const [name, ids] of Object.entries({ lost, repeated, invented })) {
      if (ids.length > 0)
        console.log(`${name}: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ' …' : ''}`);
    }
    const passed = lost.length + repeated.length + invented.length === 0 && figures.acknowledged > 0;
    console.log(
      JSON.stringify({
        bench: 'crash',
        passed,
        ...figures,
        lost: lost.length,
        repeated: repeated.length,
        invented: invented.length,
        seconds: Math.round((performance.now() - start) / 1000),
      }),
    );
    if (!passed) process.exitCode = 1;
  } finally {
    await rm(journalDirectory, { recursive: true, force: true });
  }
}
