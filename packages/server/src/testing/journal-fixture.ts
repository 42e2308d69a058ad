import type { FrameBatch, FrameSource, RecordBatch } from '#core/index.ts';
import {
  type ByteBudget,
  type JournalIncident,
  type JournalPartition,
  openPartition,
  type PartitionConfig,
  type PartitionTuning,
} from '#journal/index.ts';
import { localByteBudget } from './local-byte-budget.ts';
import { ManualClock } from './manual-clock.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export const JOURNAL_DIRECTORY = '/journal/partition-0';

export const testSource: FrameSource = {
  inputId: '65a1b2c3d4e5f60718293a4b',
  remoteAddress: '192.0.2.7',
  remotePort: 51_000,
  codecId: 0,
};

/** Texts as frames of one sender, with bytes between them that belong to no frame. */
export function framesOf(
  texts: readonly string[],
  source: FrameSource = testSource,
  receivedAt = 1000,
): FrameBatch {
  const starts: number[] = [];
  const ends: number[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const text of texts) {
    const bytes = Buffer.from(text);
    parts.push(bytes, Buffer.from([0]));
    starts.push(at);
    ends.push(at + bytes.length);
    at += bytes.length + 1;
  }
  return { source, receivedAt, bytes: Buffer.concat(parts), starts, ends, count: texts.length };
}

export function textsOf(batch: RecordBatch): string[] {
  return Array.from({ length: batch.count }, (_, i) =>
    batch.bytes.toString('utf8', batch.frameStarts[i], batch.frameEnds[i]),
  );
}

export interface TestJournal extends JournalPartition {
  readonly disk: SimulatedDisk;
  readonly clock: ManualClock;
  readonly budget: ByteBudget;
  readonly incidents: JournalIncident[];
}

export interface TestJournalOptions {
  readonly disk?: SimulatedDisk;
  readonly clock?: ManualClock;
  readonly budget?: ByteBudget;
  readonly config?: Partial<PartitionConfig>;
  readonly tuning?: PartitionTuning;
}

/** A partition on a simulated disk with everything small, so that a test reaches every edge quickly. */
export async function openTestJournal(options: TestJournalOptions = {}): Promise<TestJournal> {
  const disk = options.disk ?? new SimulatedDisk();
  const clock = options.clock ?? new ManualClock();
  const budget = options.budget ?? localByteBudget(1024 * 1024);
  const incidents: JournalIncident[] = [];
  const partition = await openPartition(
    {
      clock,
      budget,
      report: (incident) => incidents.push(incident),
      files: disk.mount(),
      tuning: {
        chunkBytes: 1024,
        windowBytes: 4096,
        maxPendingBytes: 64 * 1024,
        retryDelayMs: 1,
        commitDelayMs: 0,
        ...options.tuning,
      },
    },
    {
      directory: JOURNAL_DIRECTORY,
      flushAgeMs: 0,
      fullPolicy: 'block',
      segmentBytes: 2048,
      ...options.config,
    },
  );
  return {
    writer: partition.writer,
    reader: partition.reader,
    lastFrame: partition.lastFrame,
    whenDurable: () => partition.whenDurable(),
    stats: () => partition.stats(),
    close: () => partition.close(),
    disk,
    clock,
    budget,
    incidents,
  };
}

/** Appends one batch and waits for its outcome. */
export function appendSettled(journal: JournalPartition, texts: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (!journal.writer.append(framesOf(texts), resolve)) {
      reject(new Error(`refused: ${journal.writer.refusal}`));
    }
  });
}

/** Reads until `count` records are there. */
export async function readTexts(journal: JournalPartition, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) {
    const batch = journal.reader.read({ records: count - texts.length });
    if (batch === undefined) {
      await journal.reader.whenReadable();
      continue;
    }
    texts.push(...textsOf(batch));
    batch.release();
  }
  return texts;
}

/** Texts `prefix-from` to `prefix-(to - 1)`. */
export function numbered(prefix: string, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => `${prefix}-${from + i}`);
}
