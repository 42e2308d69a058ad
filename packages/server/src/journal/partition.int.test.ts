import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#core/index.ts';
import { appendSettled, framesOf, numbered, readTexts } from '#testing/journal-fixture.ts';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import type { JournalIncident } from './incident.ts';
import { type JournalPartition, openPartition } from './partition.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'millrace-journal-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open(directory: string, incidents: JournalIncident[] = []): Promise<JournalPartition> {
  return openPartition(
    {
      clock: systemClock,
      budget: localByteBudget(200 * 1024 * 1024),
      report: (incident) => incidents.push(incident),
      tuning: { retryDelayMs: 5, chunkBytes: 64 * 1024, windowBytes: 256 * 1024 },
    },
    { directory, flushAgeMs: 1, fullPolicy: 'block', segmentBytes: 256 * 1024 },
  );
}

const CHILD = path.join(import.meta.dirname, '../testing/journal-crash-child.ts');

interface Run {
  readonly acknowledged: number[];
  readonly incidents: string[];
}

/** Starts the child and kills it with SIGKILL once it acknowledged `acknowledgements` frames. */
function runUntilKilled(
  directory: string,
  storage: string,
  first: number,
  acknowledgements: number,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, directory, storage, String(first)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const acknowledged: number[] = [];
    const incidents: string[] = [];
    const lines = createInterface({ input: child.stdout });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += data;
    });
    lines.on('line', (line) => {
      if (line.startsWith('incident ')) incidents.push(line);
      if (!line.startsWith('ack ')) return;
      acknowledged.push(Number(line.slice(4)));
      if (acknowledged.length === acknowledgements) child.kill('SIGKILL');
    });
    let signal: NodeJS.Signals | null = null;
    child.on('exit', (_, by) => {
      signal = by;
    });
    // What was printed before the kill is still in the pipe: wait for its end, not for the exit.
    lines.on('close', () => {
      setImmediate(() => {
        if (signal === 'SIGKILL' || acknowledged.length >= acknowledgements)
          resolve({ acknowledged, incidents });
        else reject(new Error(`the child ended by itself: ${errors}`));
      });
    });
  });
}

test('killed with SIGKILL again and again: every acknowledged frame is there once, in order', async () => {
  const directory = path.join(root, 'partition-0');
  const storage = await mkdtemp(path.join(root, 'storage-'));
  const acknowledged = new Set<number>();
  const incidents: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const first = round * 1_000_000;
    const run = await runUntilKilled(directory, storage, first, 1 + Math.floor(Math.random() * 4000));
    for (const number of run.acknowledged) acknowledged.add(number);
    incidents.push(...run.incidents);
  }
  expect(acknowledged.size).toBeGreaterThan(10);

  const found: number[] = [];
  const journal = await open(directory);
  for (;;) {
    const replay = await journal.reader.nextReplay();
    if (replay === undefined) break;
    const known = (await readdir(storage)).includes(replay.token);
    for (const batch of replay.records) {
      for (let i = 0; i < batch.count && !known; i += 1) {
        found.push(
          Number.parseInt(batch.bytes.toString('utf8', batch.frameStarts[i], batch.frameEnds[i]), 10),
        );
      }
    }
    journal.reader.commitBatch(replay.token);
  }
  const rest = journal.stats().uncommittedRecords;
  for (const text of await readTexts(journal, rest)) found.push(Number.parseInt(text, 10));
  const { lostRecords } = journal.stats();
  await journal.close();
  for (const token of await readdir(storage)) {
    if (token.endsWith('.tmp')) continue;
    const rows = (await readFile(path.join(storage, token), 'utf8'))
      .split('\n')
      .map((row) => Number.parseInt(row, 10));
    expect(rows).toEqual(rows.toSorted((a, b) => a - b));
    found.push(...rows);
  }
  expect(lostRecords).toBe(0);
  expect(incidents.filter((line) => line.includes('records_lost'))).toEqual([]);
  const once = new Set(found);
  expect(once.size).toBe(found.length);
  expect([...acknowledged].filter((number) => !once.has(number))).toEqual([]);
});

/** Whether a small file system of our own can be mounted here; needs root. */
function whyNoMount(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'mounting a small disk needs root on Linux';
  return undefined;
}

describe.skipIf(whyNoMount())('on a disk of 1 MiB', () => {
  let disk: string;
  beforeEach(async () => {
    disk = await mkdtemp(path.join(root, 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  });
  afterEach(() => execFileSync('umount', [disk]));

  test('a full disk refuses, harms nothing, and the journal recovers by itself when there is space', async () => {
    const directory = path.join(disk, 'partition-0');
    const incidents: JournalIncident[] = [];
    const journal = await open(directory, incidents);
    await writeFile(path.join(disk, 'other'), Buffer.alloc(500_000));
    const acknowledged: string[] = [];
    const refused: string[] = [];
    for (let i = 0; refused.length === 0; i += 1) {
      const texts = numbered(`frame-${i}-${'x'.repeat(300)}`, 0, 20);
      (await appendSettled(journal, texts)) ? acknowledged.push(...texts) : refused.push(...texts);
    }
    expect(journal.writer.refusal).toBe('failing');
    expect(incidents.at(-1)?.message).toContain('ENOSPC');
    expect(journal.writer.append(framesOf(['no']))).toBe(false);

    // The consumer keeps working on a full disk: that is what frees space.
    const half = Math.floor(acknowledged.length / 2);
    expect(await readTexts(journal, half)).toEqual(acknowledged.slice(0, half));
    await journal.reader.beginBatch(half, 'token');
    journal.reader.commitBatch('token');

    const room = new Promise<void>((resolve) => {
      journal.writer.onRoom(resolve);
    });
    await unlink(path.join(disk, 'other'));
    await room;
    expect(incidents.at(-1)?.kind).toBe('write_recovered');
    expect(await appendSettled(journal, ['after'])).toBe(true);
    const expected = [...acknowledged.slice(half), 'after'];
    expect(await readTexts(journal, expected.length)).toEqual(expected);
    await journal.close();

    const again = await open(directory, incidents);
    expect(await readTexts(again, expected.length)).toEqual(expected);
    expect(again.stats().lostRecords).toBe(0);
    await again.close();
  });
});
