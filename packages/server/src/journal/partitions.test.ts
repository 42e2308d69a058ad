import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#core/index.ts';
import { appendSettled, numbered, readTexts } from '#testing/journal-fixture.ts';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import { type JournalPartition, openPartition } from './partition.ts';
import { listPartitions, partitionDirectory, removeDrainedPartition } from './partitions.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'millrace-journal-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open(number: number): Promise<JournalPartition> {
  return openPartition(
    { clock: systemClock, budget: localByteBudget(10_000_000), report: () => undefined },
    { directory: partitionDirectory(root, number), flushAgeMs: 1, fullPolicy: 'block' },
  );
}

test('a node with fewer workers finds, drains and removes the partitions of the others', async () => {
  expect(await listPartitions(path.join(root, 'none'))).toEqual([]);
  for (const number of [0, 1, 10]) {
    const journal = await open(number);
    await appendSettled(journal, numbered(`worker-${number}`, 0, 3));
    await journal.close();
  }
  const found = await listPartitions(root);
  expect(found.map((partition) => partition.number)).toEqual([0, 1, 10]);

  const orphan = found[2]?.directory ?? '';
  expect(await removeDrainedPartition(orphan)).toBe(false);
  const journal = await open(10);
  expect(await readTexts(journal, 3)).toEqual(numbered('worker-10', 0, 3));
  journal.reader.commit(3);
  expect(journal.stats().uncommittedRecords).toBe(0);
  await journal.close();
  expect(await removeDrainedPartition(orphan)).toBe(true);
  expect((await listPartitions(root)).map((partition) => partition.number)).toEqual([0, 1]);
});
