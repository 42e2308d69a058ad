import { afterEach, expect, test, vi } from 'vitest';
import type { FrameSource } from '#core/index.ts';
import { eventually } from '#testing/eventually.ts';
import {
  appendSettled,
  framesOf,
  numbered,
  openTestJournal,
  readTexts,
  type TestJournal,
  type TestJournalOptions,
  testSource,
  textsOf,
} from '#testing/journal-fixture.ts';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import { allocateSharedBudget, sharedByteBudget } from './budget.ts';
import { nodeFileSystem } from './file-system.ts';

const open: TestJournal[] = [];
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
});

async function openJournal(options?: TestJournalOptions): Promise<TestJournal> {
  const journal = await openTestJournal(options);
  open.push(journal);
  return journal;
}

async function appendWhenRoom(journal: TestJournal, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const attempt = (): void => {
      if (!journal.writer.append(framesOf([text]), () => resolve())) return;
      stop();
    };
    const stop = journal.writer.onRoom(attempt);
    attempt();
  });
}

/** What the directory holds after `cut`: the journal is left as a crash would leave it. */
async function crashAndReopen(journal: TestJournal, options: TestJournalOptions = {}): Promise<TestJournal> {
  journal.disk.cutPower();
  open.splice(open.indexOf(journal), 1);
  return openJournal({ disk: journal.disk, ...options });
}

test('frames come back in order, with time and sender, from memory', async () => {
  const journal = await openJournal();
  const other: FrameSource = { inputId: 'a', remoteAddress: '2001:db8::1', remotePort: 65_535, codecId: 3 };
  journal.writer.append(framesOf(['one', '', 'three'], testSource, 1111));
  journal.writer.append(framesOf(['four'], other, 2222.5));
  expect(await appendSettled(journal, ['five'])).toBe(true);

  const batch = journal.reader.read();
  expect(batch && textsOf(batch)).toEqual(['one', '', 'three', 'four', 'five']);
  expect(batch?.firstOffset).toBe(0);
  expect(batch?.endOffset).toBe(5);
  expect([...(batch?.receivedAt ?? [])]).toEqual([1111, 1111, 1111, 2222.5, 1000]);
  // The very same objects: nothing was encoded and decoded again.
  expect(batch?.sources[0]).toBe(testSource);
  expect(batch?.sources[3]).toBe(other);
  expect(journal.stats()).toMatchObject({ memoryReads: 1, diskReads: 0, groups: 1, appendedRecords: 5 });
  expect(journal.reader.read()).toBeUndefined();
});

test('nothing is handed out before it is durable', async () => {
  const journal = await openJournal();
  journal.writer.append(framesOf(['early']));
  expect(journal.writer.nextOffset).toBe(1);
  expect(journal.writer.durableOffset).toBe(0);
  expect(journal.reader.read()).toBeUndefined();
  await journal.reader.whenReadable();
  expect(journal.writer.durableOffset).toBe(1);
  expect(await readTexts(journal, 1)).toEqual(['early']);
});

test('a consumer that fell behind reads from disk and returns to memory', async () => {
  const journal = await openJournal();
  const texts = numbered('message', 0, 2000);
  for (let i = 0; i < texts.length; i += 20) await appendSettled(journal, texts.slice(i, i + 20));
  expect(await readTexts(journal, 2000)).toEqual(texts);
  const behind = journal.stats();
  expect(behind.diskReads).toBeGreaterThan(0);

  await appendSettled(journal, ['fresh']);
  expect(await readTexts(journal, 1)).toEqual(['fresh']);
  expect(journal.stats()).toMatchObject({
    diskReads: behind.diskReads,
    memoryReads: behind.memoryReads + 1,
    readRecords: 2001,
  });
});

test('the oldest records can be looked at, in memory and on disk, without reading them', async () => {
  const journal = await openJournal();
  expect(await journal.reader.peek()).toBeUndefined();
  const texts = numbered('message', 0, 2000);
  await appendSettled(journal, texts.slice(0, 20));
  const inMemory = await journal.reader.peek();
  expect(inMemory && textsOf(inMemory)[0]).toBe(texts[0]);
  inMemory?.release();
  for (let i = 20; i < texts.length; i += 20) await appendSettled(journal, texts.slice(i, i + 20));
  // Whoever wants to read meanwhile is woken when it is over.
  const [onDisk, read] = await Promise.all([journal.reader.peek(), readTexts(journal, 2000)]);
  expect(onDisk && textsOf(onDisk)[0]).toBe(texts[0]);
  onDisk?.release();
  expect(read).toEqual(texts);
  journal.reader.commit(1990);
  const rest = await journal.reader.peek();
  expect(rest && textsOf(rest)).toEqual(texts.slice(1990));
  rest?.release();
});

test('senders and times survive the way over the disk', async () => {
  const first = await openJournal();
  const sources = [0, 1, 2].map((n) => ({
    inputId: `input-${n}`,
    remoteAddress: `10.0.0.${n}`,
    remotePort: n,
    codecId: n,
  }));
  for (let i = 0; i < 30; i += 1) {
    first.writer.append(framesOf([`m${i}`], sources[i % 3] as FrameSource, 5000 + i));
  }
  await appendSettled(first, ['last']);
  const journal = await crashAndReopen(first);
  let seen = 0;
  while (seen < 30) {
    const batch = journal.reader.read({ records: 30 - seen });
    if (batch === undefined) {
      await journal.reader.whenReadable();
      continue;
    }
    for (let i = 0; i < batch.count; i += 1, seen += 1) {
      expect(batch.sources[i]).toEqual(sources[seen % 3]);
      expect(batch.receivedAt[i]).toBe(5000 + seen);
    }
  }
});

test('a record larger than every buffer goes through, also from disk', async () => {
  const huge = 'x'.repeat(20_000);
  const journal = await openJournal();
  await appendSettled(journal, ['before', huge, 'after']);
  expect(await readTexts(journal, 3)).toEqual(['before', huge, 'after']);
  const again = await crashAndReopen(journal);
  expect(await readTexts(again, 3)).toEqual(['before', huge, 'after']);
});

test('a frame no record can hold is refused with its size, and nothing of its batch is kept', async () => {
  const journal = await openJournal();
  const bytes = Buffer.alloc(4);
  const batch = {
    source: testSource,
    receivedAt: 1,
    bytes,
    starts: [0, 0],
    ends: [4, 65 * 1024 * 1024],
    count: 2,
  };
  expect(() => journal.writer.append(batch)).toThrow('68157440 bytes is too long');
  expect(journal.writer.nextOffset).toBe(0);
});

test('an empty batch settles', async () => {
  const journal = await openJournal();
  expect(await appendSettled(journal, [])).toBe(true);
});

test('views stay intact until they are released, however much is appended meanwhile', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('held', 0, 10));
  const held = journal.reader.read();
  for (let i = 0; i < 100; i += 1) {
    await appendSettled(journal, numbered(`later-${i}`, 0, 20));
    await readTexts(journal, 20);
  }
  expect(held && textsOf(held)).toEqual(numbered('held', 0, 10));
});

test('committed segments are deleted, uncommitted ones never', async () => {
  const journal = await openJournal();
  for (let i = 0; i < 50; i += 1) await appendSettled(journal, numbered(`m${i}`, 0, 5));
  const before = journal.stats();
  expect(before.segments).toBeGreaterThan(3);
  expect(before.uncommittedRecords).toBe(250);
  await readTexts(journal, 250);
  expect(journal.stats().segments).toBe(before.segments);

  journal.reader.commit(200);
  await eventually(() => expect(journal.stats().segments).toBeLessThan(before.segments));
  expect(journal.stats().uncommittedRecords).toBe(50);
  expect(journal.stats().sizeBytes).toBeLessThan(before.sizeBytes);
  const again = await crashAndReopen(journal);
  expect(await readTexts(again, 50)).toEqual(
    numbered('x', 40, 50).flatMap((x) => numbered(x.replace('x-', 'm'), 0, 5)),
  );
});

test('a segment is given up by age', async () => {
  const clock = new ManualClock();
  const journal = await openJournal({ clock, config: { segmentAgeMs: 60_000 } });
  await appendSettled(journal, ['a']);
  await appendSettled(journal, ['b']);
  expect(journal.stats().segments).toBe(1);
  expect(journal.stats().oldestSegmentAt).toBe(clock.now());
  clock.advance(60_000);
  await appendSettled(journal, ['c']);
  expect(journal.stats().segments).toBe(2);
});

test('offsets continue after everything was committed and deleted', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 10));
  await readTexts(journal, 10);
  journal.reader.commit(10);
  await journal.close();
  const again = await openJournal({ disk: journal.disk });
  expect(again.stats()).toMatchObject({ segments: 0, sizeBytes: 0, uncommittedRecords: 0, usedBytes: 0 });
  expect(again.incidents).toEqual([]);
  expect(again.writer.nextOffset).toBe(10);
  await appendSettled(again, ['next']);
  expect(again.reader.read()?.firstOffset).toBe(10);
});

test('committing what was not read is an error', async () => {
  const journal = await openJournal();
  await appendSettled(journal, ['a', 'b']);
  await readTexts(journal, 1);
  expect(() => journal.reader.commit(2)).toThrow('offset 2 is too high: records up to 1 were read');
  await expect(journal.reader.beginBatch(2, 'a')).rejects.toThrow('offset 2 is too high');
});

test('after a crash the batches in flight come back first, whole, with their tokens', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 100));
  await readTexts(journal, 70);
  await journal.reader.beginBatch(30, 'token-a');
  await journal.reader.beginBatch(70, 'token-b');
  const again = await crashAndReopen(journal);
  expect(() => again.reader.read()).toThrow('nextReplay');

  const a = await again.reader.nextReplay();
  expect(a).toMatchObject({ token: 'token-a', fromOffset: 0, endOffset: 30 });
  expect(a?.records.flatMap(textsOf)).toEqual(numbered('m', 0, 30));
  const b = await again.reader.nextReplay();
  expect(b).toMatchObject({ token: 'token-b', fromOffset: 30, endOffset: 70 });
  expect(b?.records.flatMap(textsOf)).toEqual(numbered('m', 30, 70));
  expect(await again.reader.nextReplay()).toBeUndefined();
  expect(await readTexts(again, 30)).toEqual(numbered('m', 70, 100));

  again.reader.commitBatch('token-b');
  expect(again.reader.committedOffset).toBe(0);
  again.reader.commitBatch('token-a');
  expect(again.reader.committedOffset).toBe(70);
});

test('a committed batch does not come back once its commit is on disk', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 10));
  await readTexts(journal, 10);
  await journal.reader.beginBatch(4, 'a');
  journal.reader.commitBatch('a');
  await journal.reader.beginBatch(10, 'b');
  const again = await crashAndReopen(journal);
  expect(await again.reader.nextReplay()).toMatchObject({ token: 'b', fromOffset: 4, endOffset: 10 });
  expect(again.reader.committedOffset).toBe(4);
});

test('a batch whose checkpoint cannot be written must not be sent, and can be begun again', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 10));
  await readTexts(journal, 10);
  journal.disk.fault = (operation, file) => {
    if (operation === 'write' && file.includes('checkpoint')) throw systemError('EIO', file);
  };
  await expect(journal.reader.beginBatch(10, 'a')).rejects.toMatchObject({ name: 'RetryableError' });
  journal.disk.fault = () => undefined;
  await journal.reader.beginBatch(10, 'a');
  const again = await crashAndReopen(journal);
  expect((await again.reader.nextReplay())?.token).toBe('a');
});

test('tokens and batches that make no sense are refused by name', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 40));
  await readTexts(journal, 40);
  const f = (end: number, token: string, message: string): Promise<void> =>
    expect(journal.reader.beginBatch(end, token)).rejects.toThrow(message);
  await journal.reader.beginBatch(10, 'a');
  await f(10, 'b', 'a batch up to offset 10 is empty');
  await f(20, 'a', 'the token "a" is in flight up to offset 10, not 20');
  await f(20, '', '1 to 128 bytes');
  await f(20, 'x'.repeat(129), '1 to 128 bytes');
  expect(() => journal.reader.commitBatch('unknown')).toThrow('no batch with token "unknown"');
});

test('more batches than a checkpoint holds wait for the first one, and are begun in order', async () => {
  const journal = await openJournal();
  await appendSettled(journal, numbered('m', 0, 40));
  await readTexts(journal, 40);
  for (let i = 1; i <= 16; i += 1) await journal.reader.beginBatch(i, `t${i}`);
  const begun: string[] = [];
  const begin = (end: number, token: string) =>
    journal.reader.beginBatch(end, token).then(() => begun.push(token));
  const late = [begin(20, 'late-1'), begin(30, 'late-2')];
  for (let i = 2; i <= 16; i += 1) journal.reader.commitBatch(`t${i}`);
  // One that was begun already does not count twice.
  await journal.reader.beginBatch(16, 't16');
  expect(begun).toEqual([]);
  journal.reader.commitBatch('t1');
  late.push(begin(40, 'late-3'));
  await Promise.all(late);
  expect(begun).toEqual(['late-1', 'late-2', 'late-3']);
  for (const token of begun) journal.reader.commitBatch(token);
  expect(journal.reader.committedOffset).toBe(40);
});

test('full: refuses, says why, keeps everything, and tells when there is room again', async () => {
  const journal = await openJournal({ budget: localByteBudget(20_000) });
  let appended = 0;
  while (journal.writer.append(framesOf(numbered(`m${appended}`, 0, 10)))) {
    appended += 1;
    await journal.reader.whenReadable();
  }
  expect(journal.writer.refusal).toBe('full');
  expect(journal.stats().refusedRecords.full).toBe(10);
  expect(journal.stats().utilization).toBeGreaterThan(0.9);
  expect(journal.stats().utilization).toBeLessThanOrEqual(1);

  const room = new Promise<void>((resolve) => {
    journal.writer.onRoom(resolve);
  });
  await readTexts(journal, appended * 10);
  journal.reader.commit(appended * 10);
  await room;
  expect(journal.writer.refusal).toBeUndefined();
  expect(await appendSettled(journal, ['fits'])).toBe(true);
  expect(journal.stats().droppedRecords).toBe(0);
});

test('a full journal whose only segment is done with frees it', async () => {
  // One segment takes the whole budget: nothing is ever sealed by size.
  const journal = await openJournal({ budget: localByteBudget(3000), config: { segmentBytes: 1_000_000 } });
  for (let round = 0; round < 5; round += 1) {
    let count = 0;
    while (journal.writer.append(framesOf(['y'.repeat(100)]))) count += 1;
    const room = new Promise<void>((resolve) => {
      journal.writer.onRoom(resolve);
    });
    await readTexts(journal, count);
    journal.reader.commit(journal.writer.durableOffset);
    await room;
  }
  expect(journal.stats().uncommittedRecords).toBe(0);
});

test('room that another partition frees is noticed', async () => {
  const memory = allocateSharedBudget(12_000, 2);
  const [first, second] = (await Promise.all(
    [0, 1].map((holder) => openJournal({ budget: sharedByteBudget(memory, holder) })),
  )) as [TestJournal, TestJournal];
  await appendSettled(second, ['of the second']);
  let count = 0;
  while (first.writer.append(framesOf(['x'.repeat(100)]))) count += 1;
  expect(count).toBeGreaterThan(0);
  expect(second.writer.append(framesOf(['x'.repeat(1000)]))).toBe(false);
  expect(second.writer.refusal).toBe('full');
  const room = new Promise<void>((resolve) => {
    second.writer.onRoom(resolve);
  });
  await readTexts(first, count);
  first.reader.commit(count);
  await first.close();
  await room;
  expect(await appendSettled(second, ['y'.repeat(1000)])).toBe(true);
});

test('an append larger than the whole budget is refused without stopping the others', async () => {
  const journal = await openJournal({ budget: localByteBudget(4000) });
  expect(journal.writer.append(framesOf(['z'.repeat(5000)]))).toBe(false);
  expect(journal.writer.refusal).toBe('full');
  await new Promise<void>((resolve) => {
    journal.writer.onRoom(resolve);
  });
  expect(await appendSettled(journal, ['small'])).toBe(true);
});

test('backlogged: memory that waits for a slow disk is bounded', async () => {
  const journal = await openJournal({ tuning: { maxPendingBytes: 2000 } });
  let accepted = 0;
  while (journal.writer.append(framesOf(['x'.repeat(100)]))) accepted += 1;
  expect(journal.writer.refusal).toBe('backlogged');
  expect(accepted).toBeLessThan(20);
  await new Promise<void>((resolve) => {
    journal.writer.onRoom(resolve);
  });
  expect(await readTexts(journal, accepted)).toHaveLength(accepted);
});

test('drop_oldest drops, counts and reports the oldest, and keeps the newest', async () => {
  const journal = await openJournal({
    budget: localByteBudget(20_000),
    config: { fullPolicy: 'drop_oldest' },
  });
  for (let i = 0; i < 400; i += 1) {
    await appendWhenRoom(journal, `message-${i}`);
  }
  const { droppedRecords, uncommittedRecords, inProcessRecords } = journal.stats();
  expect(droppedRecords).toBeGreaterThan(0);
  expect(inProcessRecords).toBe(0);
  expect(droppedRecords + uncommittedRecords).toBe(400);
  const reported = journal.incidents.filter((incident) => incident.kind === 'records_dropped');
  expect(reported.reduce((sum, incident) => sum + incident.records, 0)).toBe(droppedRecords);
  expect(await readTexts(journal, uncommittedRecords)).toEqual(numbered('message', droppedRecords, 400));
  expect(journal.stats().inProcessRecords).toBe(uncommittedRecords);
  expect(journal.stats().lostRecords).toBe(0);
});

test('closing makes accepted frames durable; afterwards everything is refused', async () => {
  const journal = await openJournal({ config: { flushAgeMs: 60_000 } });
  await appendSettled(journal, ['first']);
  const outcome = appendSettled(journal, ['waits for its group']);
  await journal.close();
  expect(await outcome).toBe(true);
  expect(journal.writer.append(framesOf(['late']))).toBe(false);
  expect(journal.writer.refusal).toBe('closed');
  expect(journal.reader.closed).toBe(true);
  await journal.reader.whenReadable();
  const again = await openJournal({ disk: journal.disk });
  expect(await readTexts(again, 2)).toEqual(['first', 'waits for its group']);
});

/** More than enough for a group that need not wait for a timer. */
async function manyTurns(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('groups collect for the flush age; one after a quiet time goes at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const clock = new ManualClock();
    const journal = await openJournal({ clock, config: { flushAgeMs: 5 } });
    expect(await appendSettled(journal, ['at once'])).toBe(true);
    journal.writer.append(framesOf(['a']));
    journal.writer.append(framesOf(['b']));
    await manyTurns();
    expect(journal.writer.durableOffset).toBe(1);
    vi.advanceTimersByTime(5);
    while (journal.writer.durableOffset < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(journal.stats().groups).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a group starts when as many wait for it as for the last one, and collects until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const journal = await openJournal({ clock: new ManualClock(), config: { flushAgeMs: 5 } });
    for (const text of ['one', 'after', 'the other']) expect(await appendSettled(journal, [text])).toBe(true);
    // Two together wait for their group, so one alone may not be all that comes.
    expect(await Promise.all([appendSettled(journal, ['a']), appendSettled(journal, ['b'])])).toEqual([
      true,
      true,
    ]);
    const first = appendSettled(journal, ['c']);
    await manyTurns();
    expect(journal.stats().groups).toBe(4);
    expect(await Promise.all([first, appendSettled(journal, ['d'])])).toEqual([true, true]);
    expect(journal.stats().groups).toBe(5);
    // If no other comes, it waits for the flush age, once.
    const alone = appendSettled(journal, ['e']);
    await manyTurns();
    expect(journal.stats().groups).toBe(5);
    vi.advanceTimersByTime(5);
    expect(await alone).toBe(true);
    expect(await appendSettled(journal, ['f'])).toBe(true);
    expect(journal.stats().groups).toBe(7);
  } finally {
    vi.useRealTimers();
  }
});

test('the simulated disk and the real one are the same to the journal', () => {
  const disk = new SimulatedDisk().mount();
  for (const name of Object.keys(nodeFileSystem)) expect(name in disk).toBe(true);
});
