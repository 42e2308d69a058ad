import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#core/index.ts';
import type { WantedInput } from '#inputs/index.ts';
import { listPartitions, openPartition } from '#journal/index.ts';
import { createLogger, createMetrics, type Metrics } from '#telemetry/index.ts';
import type { ReportedIncident } from '#workers/index.ts';
import {
  createWorkerPool,
  type WorkerPool,
  type WorkerPoolDeps,
  type WorkerPoolSettings,
} from '#workers/index.ts';
import { localByteBudget } from './local-byte-budget.ts';

/** Real workers over a journal directory of their own. */
export interface WorkerPoolFixture {
  readonly workers: WorkerPool;
  readonly metrics: Metrics;
  readonly incidents: readonly ReportedIncident[];
  readonly died: readonly string[];
  readonly logLines: readonly string[];
}

export interface WorkerPoolFixtureOptions extends Partial<WorkerPoolSettings> {
  readonly journalDirectory: string;
  readonly spawn?: WorkerPoolDeps['spawn'];
}

export function createWorkerPoolFixture(options: WorkerPoolFixtureOptions): WorkerPoolFixture {
  const incidents: ReportedIncident[] = [];
  const died: string[] = [];
  const logLines: string[] = [];
  const metrics = createMetrics();
  const { spawn, ...changes } = options;
  const workers = createWorkerPool(
    {
      logger: createLogger({
        level: 'debug',
        pretty: false,
        stream: { write: (line) => logLines.push(line) },
      }),
      metrics,
      events: {
        incident: (incident) => incidents.push(incident),
        workerDied: (worker, reason) => died.push(`${worker}: ${reason}`),
        streamFaulted() {},
        pluginFaulted() {},
        ruleFaulted() {},
        extractorFaulted() {},
        fieldsSeen() {},
        manyFieldNames() {},
        lookupRequested() {},
        tailed() {},
      },
      ...(spawn && { spawn }),
    },
    {
      workers: 2,
      maxJournalBytes: 64 * 1024 * 1024,
      journal: { flushAgeMs: 1, fullPolicy: 'block', segmentBytes: 1024 * 1024, segmentAgeMs: 3_600_000 },
      logLevel: 'debug',
      udpReceiveBufferBytes: 262_144,
      certificateDirectory: path.join(options.journalDirectory, 'tls'),
      outputQueueDirectory: path.join(options.journalDirectory, 'outputs'),
      outputFilesDirectory: path.join(options.journalDirectory, 'output-files'),
      restartDelayMs: 1,
      ...changes,
    },
  );
  return { workers, metrics, incidents, died, logLines };
}

export async function temporaryJournal(): Promise<{ readonly directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-intake-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

export function wantedInput(changes: Partial<WantedInput> = {}): WantedInput {
  return {
    id: '65a1b2c3d4e5f60718293a4b',
    type: 'gelf-tcp',
    configuration: { bind_address: '127.0.0.1', port: 0 },
    started: true,
    ...changes,
  };
}

export interface JournaledFrame {
  readonly partition: number;
  readonly inputId: string;
  readonly text: string;
}

/** Everything that waits in the journal of a node that does not run, as the next start would find it. */
export async function* journaledFrames(journalDirectory: string): AsyncGenerator<JournaledFrame> {
  for (const { number, directory } of await listPartitions(journalDirectory)) {
    const partition = await openPartition(
      { clock: systemClock, budget: localByteBudget(1024 ** 4), report: () => {} },
      { directory, flushAgeMs: 1, fullPolicy: 'block' },
    );
    const { reader, writer } = partition;
    let next = reader.committedOffset;
    while (next < writer.durableOffset) {
      const batch = reader.read();
      if (batch === undefined) {
        await reader.whenReadable();
        continue;
      }
      for (let i = 0; i < batch.count; i += 1) {
        const text = batch.bytes.toString('utf8', batch.frameStarts[i], batch.frameEnds[i]);
        yield { partition: number, inputId: batch.sources[i]?.inputId ?? '', text };
      }
      next = batch.endOffset;
      batch.release();
    }
    await partition.close();
  }
}

export function readJournal(journalDirectory: string): Promise<JournaledFrame[]> {
  return Array.fromAsync(journaledFrames(journalDirectory));
}
