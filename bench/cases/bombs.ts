/**
 * `npm run bench -- bombs [Mbit/s] [seconds]`: what payloads cost that decompress a thousandfold, and whether the good
 * messages beside them still get through. The sender is another process; CPU is that of this one.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { InvalidConfiguration, systemClock } from '../../packages/server/src/core/index.ts';
import { INPUT_TYPES } from '../../packages/server/src/inputs/index.ts';
import { openPartition } from '../../packages/server/src/journal/index.ts';
import { createMetrics } from '../../packages/server/src/telemetry/index.ts';
import { localByteBudget } from '../../packages/server/src/testing/local-byte-budget.ts';

const SENDER = path.resolve(import.meta.dirname, '../support/bomb-sender.ts');
const INPUT_ID = '65a1b2c3d4e5f60718293a4b';
const GIB = 1024 ** 3;
/** Of a bomb over UDP. */
const DECOMPRESSED_BYTES = 7.9 * 1024 ** 2;

interface Sent {
  readonly bombs: number;
  readonly sent: number;
  readonly accepted: number;
  readonly slowestMs: number;
}

export async function run(args: readonly string[]): Promise<void> {
  const megabits = Number(args[0] ?? 3);
  const seconds = Number(args[1] ?? 5);
  const results: Record<string, unknown> = {};
  for (const kind of ['udp', 'http'] as const) {
    const measured = await measure(kind, megabits, seconds);
    console.log(
      `${kind.padEnd(5)} ${megabits} Mbit/s of bombs: ${measured.cpuPercent.toFixed(0)} % of a core, ` +
        `event loop held up for ${measured.longestDelayMs.toFixed(0)} ms at most, ` +
        `${measured.journaledMegabytes.toFixed(1)} MB journaled, ` +
        `good messages lost ${measured.lostPercent.toFixed(2)} %` +
        (kind === 'http' ? `, slowest answer ${measured.slowestMs.toFixed(0)} ms` : ''),
    );
    results[kind] = measured;
  }
  console.log(JSON.stringify({ bench: 'bombs', megabits, seconds, ...results }));
}

async function measure(kind: 'udp' | 'http', megabits: number, seconds: number) {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-bench-bombs-'));
  const journal = await openPartition(
    { clock: systemClock, budget: localByteBudget(20 * GIB), report: () => undefined },
    { directory, flushAgeMs: 5, fullPolicy: 'block' },
  );
  const metrics = createMetrics();
  const input = INPUT_TYPES.find(`gelf-${kind}`)?.create(
    {
      inputId: INPUT_ID,
      journal: journal.writer,
      metrics,
      logger: pino({ level: 'silent' }),
      clock: systemClock,
      shared: true,
      udpReceiveBufferBytes: 4 * 1024 * 1024,
      selfSignedCertificate: () => Promise.reject(new Error('not needed')),
      failed: (reason) => {
        throw new Error(reason);
      },
    },
    { bind_address: '127.0.0.1', port: 0 },
  );
  if (input === undefined || input instanceof InvalidConfiguration) throw new Error(kind);
  const count = (name: string): number => {
    const metric = metrics.get(`millrace.component.input.gelf-${kind}.${INPUT_ID}.${name}`)?.metric;
    return metric !== undefined && 'count' in metric ? Number(metric.count) : 0;
  };
  try {
    const { port } = await input.start();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const cpu = process.cpuUsage();
    const start = performance.now();
    const sent = await send([kind, String(port), String(megabits), String(seconds)]);
    const elapsedMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    delay.disable();
    await input.stop();
    // Bombs over UDP are journaled, too: as a failure, or decompressed unless the journal is busy with the one before.
    const droppedBombs = Math.round(count('dropped.journal_backlogged.bytes') / DECOMPRESSED_BYTES);
    const arrived = kind === 'udp' ? count('sent.events') - sent.bombs + droppedBombs : sent.accepted;
    return {
      cpuPercent: (user + system) / 10 / elapsedMs,
      longestDelayMs: delay.max / 1e6,
      journaledMegabytes: count('sent.bytes') / 1e6,
      lostPercent: Math.max(0, (1 - arrived / sent.sent) * 100),
      slowestMs: sent.slowestMs,
    };
  } finally {
    await input.stop();
    await journal.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function send(args: readonly string[]): Promise<Sent> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SENDER, ...args], (error, output) => {
      if (error) reject(error);
      else resolve(JSON.parse(output) as Sent);
    });
  });
}
