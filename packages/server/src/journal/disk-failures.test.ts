import { afterEach, expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import {
  appendSettled,
  framesOf,
  numbered,
  openTestJournal,
  readTexts,
  type TestJournal,
  type TestJournalOptions,
} from '#testing/journal-fixture.ts';
import { systemError } from '#testing/simulated-disk.ts';

const open: TestJournal[] = [];
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
});

async function openJournal(options?: TestJournalOptions): Promise<TestJournal> {
  const journal = await openTestJournal(options);
  open.push(journal);
  return journal;
}

/** What the directory holds after `cut`: the journal is left as a crash would leave it. */
async function crashAndReopen(journal: TestJournal, options: TestJournalOptions = {}): Promise<TestJournal> {
  journal.disk.cutPower();
  open.splice(open.indexOf(journal), 1);
  return openJournal({ disk: journal.disk, ...options });
}

test('no space: appends that wait are refused for good, the others are kept and written when there is space', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('before', 0, 5));
  journal.disk.capacity = journal.disk.usedBytes() + 150;
  const room = new Promise<void>((resolve) => {
    journal.writer.onRoom(resolve);
  });
  journal.writer.append(framesOf(['tcp-0']));
  const http = appendSettled(journal, ['http-0', 'http-1']);
  journal.writer.append(framesOf(['tcp-1', 'tcp-2']));
  expect(await http).toBe(false);
  expect(journal.writer.refusal).toBe('failing');
  expect(journal.writer.append(framesOf(['refused']))).toBe(false);
  expect(journal.incidents.at(-1)).toMatchObject({ kind: 'write_failing' });
  expect(journal.incidents.at(-1)?.message).toContain('ENOSPC');

  journal.disk.capacity = Number.POSITIVE_INFINITY;
  await room;
  expect(journal.incidents.at(-1)?.kind).toBe('write_recovered');
  expect(await appendSettled(journal, ['after'])).toBe(true);
  const expected = [...numbered('before', 0, 5), 'tcp-0', 'tcp-1', 'tcp-2', 'after'];
  expect(await readTexts(journal, 9)).toEqual(expected);
  const again = await crashAndReopen(journal);
  expect(await readTexts(again, 9)).toEqual(expected);
  again.reader.commit(11);
  expect(again.stats()).toMatchObject({ uncommittedRecords: 0, lostRecords: 0 });
});

test('an I/O error in write or sync: nothing on disk is harmed and the retry goes into a new segment', async () => {
  for (const operation of ['write', 'sync'] as const) {
    const journal = await openJournal();
    await appendSettled(journal, ['good-0']);
    let failures = 2;
    journal.disk.fault = (current, file) => {
      if (current !== operation || !file.includes('.segment') || failures === 0) return;
      failures -= 1;
      throw systemError('EIO', file);
    };
    journal.writer.append(framesOf(['kept']));
    expect(await appendSettled(journal, ['told-no'])).toBe(false);
    await eventually(() => expect(journal.writer.durableOffset).toBe(3));
    expect(await appendSettled(journal, ['good-1'])).toBe(true);
    expect(journal.stats().failedGroups).toBeGreaterThan(0);
    expect(journal.stats().segments).toBe(2);
    const again = await crashAndReopen(journal);
    expect(await readTexts(again, 3)).toEqual(['good-0', 'kept', 'good-1']);
    expect(again.incidents).toEqual([]);
  }
});

/** A record that was refused although it stands whole at the end of the first segment: it cannot be cut off. */
async function refusedAndUncut(): Promise<TestJournal> {
  const journal = await openJournal();
  journal.disk.random = () => 0;
  await appendSettled(journal, ['good']);
  const failing = new Set<string>(['sync', 'truncate']);
  journal.disk.fault = (operation, file) => {
    if (failing.delete(operation)) throw systemError('EIO', file);
  };
  expect(await appendSettled(journal, ['told-no'])).toBe(false);
  return journal;
}

test('a refused record that could not be cut off stays away over two crashes', async () => {
  const again = await crashAndReopen(await refusedAndUncut());
  expect(again.lastFrame?.toString()).toBe('good');
  const onceMore = await crashAndReopen(again);
  expect(await appendSettled(onceMore, ['next'])).toBe(true);
  expect(await readTexts(onceMore, 2)).toEqual(['good', 'next']);
});

test('a refused record that could not be cut off stays away while the segment behind it fails too', async () => {
  const journal = await refusedAndUncut();
  let isOpening = false;
  const failed = new Promise<void>((resolve) => {
    journal.disk.fault = (operation, file) => {
      if (operation === 'open' && isOpening) resolve();
      isOpening ||= operation === 'write';
      if (operation === 'write' || operation === 'open') throw systemError('EIO', file);
    };
  });
  await failed;
  journal.disk.fault = () => undefined;
  const again = await crashAndReopen(journal);
  expect(await appendSettled(again, ['next'])).toBe(true);
  expect(await readTexts(again, 2)).toEqual(['good', 'next']);
});

test('void records at the very end are done with as soon as the rest is', async () => {
  const journal = await openJournal();
  await appendSettled(journal, ['a']);
  journal.disk.capacity = journal.disk.usedBytes();
  expect(await appendSettled(journal, ['no'])).toBe(false);
  journal.disk.capacity = Number.POSITIVE_INFINITY;
  await eventually(() => expect(journal.writer.durableOffset).toBe(2));
  await readTexts(journal, 1);
  expect(journal.reader.read()).toBeUndefined();
  journal.reader.commit(1);
  expect(journal.reader.committedOffset).toBe(2);
  expect(journal.stats().uncommittedRecords).toBe(0);
});

test('a failing read is retried until it works, nothing is skipped', async () => {
  const first = await openJournal();
  await appendSettled(first, numbered('m', 0, 50));
  const journal = await crashAndReopen(first);
  let failures = 3;
  journal.disk.fault = (operation, file) => {
    if (operation !== 'read' || failures === 0) return;
    failures -= 1;
    throw systemError('EIO', file);
  };
  expect(await readTexts(journal, 50)).toEqual(numbered('m', 0, 50));
  expect(journal.incidents.filter((incident) => incident.kind === 'read_failing')).toHaveLength(1);
});

test('closing while the disk fails ends, tells the waiting and reports what was not written', async () => {
  const journal = await openJournal({ tuning: { retryDelayMs: 3_600_000 } });
  journal.disk.capacity = journal.disk.usedBytes();
  expect(await appendSettled(journal, ['a'])).toBe(false);
  await journal.close();
  expect(journal.incidents.at(-1)).toMatchObject({ kind: 'records_abandoned', records: 1 });
});
