/**
 * Runs until it is killed: appends numbered frames as fast as the disk takes them, prints `ack <number>`
 * for each one that is durable, and stores what it reads as one file per token, as a database that
 * deduplicates by token would.
 *
 * Arguments: journal directory, storage directory, number of the first frame.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type RecordBatch, systemClock } from '#core/index.ts';
import { openPartition } from '#journal/index.ts';
import { framesOf, textsOf } from './journal-fixture.ts';
import { localByteBudget } from './local-byte-budget.ts';

const STDOUT = 1;
const [directory = '', storage = '', first = '0'] = process.argv.slice(2);

const journal = await openPartition(
  {
    clock: systemClock,
    budget: localByteBudget(200 * 1024 * 1024),
    report: ({ kind, message }) => writeSync(STDOUT, `incident ${kind} ${message}\n`),
    // Small pieces: many segments, many groups, reads from memory and from disk.
    tuning: { chunkBytes: 16 * 1024, windowBytes: 64 * 1024, commitDelayMs: 1 },
  },
  { directory, flushAgeMs: 1, fullPolicy: 'block', segmentBytes: 256 * 1024 },
);

function store(token: string, records: readonly RecordBatch[]): void {
  const file = path.join(storage, token);
  if (existsSync(file)) return;
  writeFileSync(`${file}.tmp`, records.flatMap(textsOf).join('\n'));
  renameSync(`${file}.tmp`, file);
}

async function consume(): Promise<void> {
  const { reader } = journal;
  for (;;) {
    const replay = await reader.nextReplay();
    if (replay === undefined) break;
    store(replay.token, replay.records);
    reader.commitBatch(replay.token);
  }
  for (;;) {
    await reader.whenReadable();
    const batch = reader.read({ records: 500 });
    if (batch === undefined) continue;
    const token = randomUUID();
    await reader.beginBatch(batch.endOffset, token);
    store(token, [batch]);
    reader.commitBatch(token);
    batch.release();
  }
}

async function produce(): Promise<void> {
  for (let next = Number(first); ; ) {
    const texts = Array.from(
      { length: 1 + (next % 17) },
      (_, i) => `${next + i} ${'x'.repeat((next * 31) % 700)}`,
    );
    const numbers = texts.map((text) => text.split(' ')[0]);
    const accepted = journal.writer.append(framesOf(texts), (durable) => {
      if (durable) writeSync(STDOUT, `${numbers.map((number) => `ack ${number}`).join('\n')}\n`);
    });
    if (accepted) next += texts.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

writeSync(STDOUT, 'ready\n');
await Promise.all([consume(), produce()]);
