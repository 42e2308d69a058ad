/**
 * What a journaled record costs: CPU from append to durable, and reading it back from memory and from disk,
 * beside JSON.parse of the same payload in the same run as the yardstick.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FrameBatch, systemClock } from '../../packages/server/src/core/index.ts';
import { type JournalPartition, openPartition } from '../../packages/server/src/journal/index.ts';
import { localByteBudget } from '../../packages/server/src/testing/local-byte-budget.ts';
import { webMessage } from '../support/web-message.ts';

const RECORDS = 1_000_000;
/** Frames of 366 bytes that one read of 64 KiB from a socket brings. */
const FRAMES_PER_BATCH = 178;
const GIB = 1024 ** 3;

interface Measured {
  readonly microsecondsCpu: number;
  readonly microsecondsWall: number;
  readonly megabytesPerSecond: number;
}

export async function run(): Promise<void> {
  const payload = webMessage();
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-bench-journal-'));
  try {
    const parse = measureParse(payload);
    await appendAndRead(path.join(directory, 'warm-up'), payload, RECORDS / 10);
    const { append, fromMemory, groups } = await appendAndRead(
      path.join(directory, 'memory'),
      payload,
      RECORDS,
    );
    const fromDisk = await appendThenReadFromDisk(path.join(directory, 'disk'), payload);
    const results = { parse, append, fromMemory, fromDisk };
    for (const [name, measured] of Object.entries(results)) {
      console.log(
        `${name.padEnd(12)} ${measured.microsecondsCpu.toFixed(3)} µs CPU, ${measured.microsecondsWall.toFixed(3)} µs wall a record, ${measured.megabytesPerSecond.toFixed(0)} MB/s`,
      );
    }
    const ratio = append.microsecondsCpu / parse.microsecondsCpu;
    console.log(`append to durable costs ${ratio.toFixed(2)} of JSON.parse; ${groups} groups`);
    console.log(
      JSON.stringify({
        bench: 'journal',
        payloadBytes: payload.length,
        records: RECORDS,
        ...results,
        groups,
        ratio,
      }),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function measureParse(payload: Buffer): Measured {
  const measure = startMeasure();
  let sum = 0;
  for (let i = 0; i < RECORDS; i += 1) sum += JSON.parse(payload.toString('utf8')).level;
  if (sum !== RECORDS * 6) throw new Error('JSON.parse gave something else');
  return measure(RECORDS, payload.length);
}

function startMeasure(): (records: number, payloadBytes: number) => Measured {
  const cpu = process.cpuUsage();
  const start = performance.now();
  return (records, payloadBytes) => {
    const wallMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return {
      microsecondsCpu: (user + system) / records,
      microsecondsWall: (wallMs * 1000) / records,
      megabytesPerSecond: (records * payloadBytes) / wallMs / 1000,
    };
  };
}

/** A socket read's worth of frames, null-separated as TCP senders write them. */
function frameBatch(payload: Buffer): FrameBatch {
  const step = payload.length + 1;
  const bytes = Buffer.alloc(step * FRAMES_PER_BATCH);
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < FRAMES_PER_BATCH; i += 1) {
    payload.copy(bytes, i * step);
    starts.push(i * step);
    ends.push(i * step + payload.length);
  }
  const source = {
    inputId: '65a1b2c3d4e5f60718293a4b',
    remoteAddress: '203.0.113.77',
    remotePort: 52_114,
    codecId: 0,
  };
  return { source, receivedAt: 1_767_225_600_123, bytes, starts, ends, count: FRAMES_PER_BATCH };
}

function open(directory: string): Promise<JournalPartition> {
  return openPartition(
    {
      clock: systemClock,
      budget: localByteBudget(5 * GIB),
      report: (incident) => {
        throw new Error(incident.message);
      },
    },
    { directory, flushAgeMs: 5, fullPolicy: 'block' },
  );
}

/** As fast as the journal takes them, one event loop turn per batch as a socket would. */
async function appendAll(journal: JournalPartition, payload: Buffer, records: number): Promise<void> {
  const { writer } = journal;
  const batch = frameBatch(payload);
  for (let done = 0; done < records; ) {
    if (writer.append(batch)) {
      done += batch.count;
      await new Promise((resolve) => setImmediate(resolve));
    } else {
      await new Promise<void>((resolve) => {
        const stop = writer.onRoom(() => {
          stop();
          resolve();
        });
      });
    }
  }
  while (writer.durableOffset < writer.nextOffset) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function readAll(journal: JournalPartition, records: number): Promise<void> {
  const { reader } = journal;
  let read = 0;
  while (read < records) {
    const batch = reader.read();
    if (batch === undefined) {
      await reader.whenReadable();
      continue;
    }
    read += batch.count;
    batch.release();
  }
}

/** Appending alone, then rounds that fit the memory window, appended and read, for the difference. */
async function appendAndRead(
  directory: string,
  payload: Buffer,
  records: number,
): Promise<{ append: Measured; fromMemory: Measured; groups: number }> {
  const journal = await open(directory);
  const measureAppend = startMeasure();
  await appendAll(journal, payload, records);
  const append = measureAppend(records, payload.length);
  const { groups } = journal.stats();
  await readAll(journal, journal.writer.nextOffset);
  journal.reader.commit(journal.writer.durableOffset);

  const rounds = 50;
  let cpu = 0;
  let wall = 0;
  let read = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = journal.writer.nextOffset;
    await appendAll(journal, payload, 40_000);
    const count = journal.writer.nextOffset - before;
    const measure = startMeasure();
    await readAll(journal, count);
    const measured = measure(count, payload.length);
    cpu += measured.microsecondsCpu * count;
    wall += measured.microsecondsWall * count;
    read += count;
    journal.reader.commit(journal.writer.durableOffset);
  }
  await journal.close();
  const fromMemory = {
    microsecondsCpu: cpu / read,
    microsecondsWall: wall / read,
    megabytesPerSecond: (read * payload.length) / wall,
  };
  return { append, fromMemory, groups };
}

async function appendThenReadFromDisk(directory: string, payload: Buffer): Promise<Measured> {
  const journal = await open(directory);
  await appendAll(journal, payload, RECORDS);
  const records = journal.writer.nextOffset;
  await journal.close();
  const reopened = await open(directory);
  const measure = startMeasure();
  await readAll(reopened, records);
  const measured = measure(records, payload.length);
  await reopened.close();
  return measured;
}
