import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import {
  appendSettled,
  JOURNAL_DIRECTORY,
  numbered,
  openTestJournal,
  readTexts,
  type TestJournal,
  textsOf,
} from '#testing/journal-fixture.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import { xxHash32 } from './checksum.ts';
import {
  decodeSegmentHeader,
  encodeRecord,
  encodeSegmentHeader,
  encodeSource,
  FORMAT_VERSION,
  SEGMENT_HEADER_BYTES,
  segmentFileName,
  viewOf,
} from './format.ts';

const CHECKPOINT = path.join(JOURNAL_DIRECTORY, 'checkpoint');

/** A closed journal with records `m-0` to `m-(count - 1)` over several segments. */
async function filledDisk(count: number, committed = 0): Promise<SimulatedDisk> {
  const journal = await openTestJournal();
  for (let i = 0; i < count; i += 10) await appendSettled(journal, numbered('m', i, Math.min(count, i + 10)));
  if (committed > 0) {
    await readTexts(journal, committed);
    journal.reader.commit(committed);
  }
  await journal.close();
  return journal.disk;
}

function segmentsOf(disk: SimulatedDisk): string[] {
  return [...disk.files().keys()].filter((name) => name.endsWith('.segment')).toSorted();
}

/** Every record there is, with its offset, until nothing durable is left. */
async function readEverything(journal: TestJournal): Promise<{ offset: number; text: string }[]> {
  const found: { offset: number; text: string }[] = [];
  for (;;) {
    const replay = await journal.reader.nextReplay();
    if (replay === undefined) break;
    for (const batch of replay.records) collect(batch, found);
  }
  for (;;) {
    const batch = journal.reader.read();
    if (batch !== undefined) collect(batch, found);
    else if (journal.stats().uncommittedRecords === found.length) return found;
    else await Promise.race([journal.reader.whenReadable(), new Promise((resolve) => setImmediate(resolve))]);
  }
}

function collect(batch: Parameters<typeof textsOf>[0], into: { offset: number; text: string }[]): void {
  for (const [i, text] of textsOf(batch).entries()) into.push({ offset: batch.firstOffset + i, text });
}

test('an empty or missing directory is a new partition', async () => {
  const journal = await openTestJournal();
  expect(journal.incidents).toEqual([]);
  expect(journal.writer.nextOffset).toBe(0);
  await journal.close();
  const again = await openTestJournal({ disk: journal.disk });
  expect(again.incidents).toEqual([]);
  await again.close();
});

test('a torn end is cut at the first bad record, reported, and nothing before it is lost', async () => {
  const f = async (damage: (bytes: Buffer) => Buffer, reason: string, cut: number): Promise<void> => {
    const disk = new SimulatedDisk();
    const first = await openTestJournal({ disk });
    await appendSettled(first, numbered('m', 0, 5));
    disk.cutPower();
    const file = segmentsOf(disk)[0] as string;
    const good = disk.files().get(file) as Buffer;
    disk.replace(file, damage(Buffer.from(good)));
    const journal = await openTestJournal({ disk });
    expect(journal.incidents).toMatchObject([{ kind: 'tail_cut', bytes: cut, offset: 5, records: 0 }]);
    expect(journal.incidents[0]?.message).toContain(`(${reason})`);
    expect(disk.files().get(file)?.equals(good)).toBe(true);
    await appendSettled(journal, ['next']);
    expect(await readTexts(journal, 6)).toEqual([...numbered('m', 0, 5), 'next']);
    expect(journal.stats().lostRecords).toBe(0);
    await journal.close();
  };
  await f((good) => Buffer.concat([good, Buffer.alloc(4096)]), 'zeros', 4096);
  await f(
    (good) => Buffer.concat([good, good.subarray(SEGMENT_HEADER_BYTES, SEGMENT_HEADER_BYTES + 40)]),
    'incomplete',
    40,
  );
  await f((good) => Buffer.concat([good, Buffer.from([1])]), 'incomplete', 1);
  await f((good) => Buffer.concat([good, Buffer.alloc(100, 0xff)]), 'impossible length', 100);
  // An old record at a new place: intact by itself, but not the record that belongs there.
  await f((good) => Buffer.concat([good, good.subarray(SEGMENT_HEADER_BYTES)]), 'wrong checksum', 120);
});

test('acknowledged records damaged at the end are counted as lost and the file is kept', async () => {
  const disk = await filledDisk(95);
  const last = segmentsOf(disk).at(-1) as string;
  const bytes = Buffer.from(disk.files().get(last) as Buffer);
  const header = decodeSegmentHeader(bytes);
  if (typeof header === 'string' || 'unknownVersion' in header) throw new Error('no header');
  bytes.writeUInt8(bytes.readUInt8(SEGMENT_HEADER_BYTES + 50) ^ 1, SEGMENT_HEADER_BYTES + 50);
  disk.replace(last, bytes);

  const journal = await openTestJournal({ disk });
  const lost = 95 - header.firstOffset;
  expect(journal.incidents.map(({ kind, records }) => [kind, records])).toEqual([
    ['tail_cut', 0],
    ['records_lost', lost],
  ]);
  expect(disk.files().get(`${last}.corrupt`)?.equals(bytes)).toBe(true);
  // Their offsets are never given to other records: a batch in flight may have named them.
  expect(journal.writer.nextOffset).toBe(95);
  await appendSettled(journal, ['next']);
  const found = await readEverything(journal);
  expect(found.map(({ text }) => text)).toEqual([...numbered('m', 0, header.firstOffset), 'next']);
  expect(found.at(-1)?.offset).toBe(95);
  expect(journal.stats()).toMatchObject({ lostRecords: lost, uncommittedRecords: 95 - lost + 1 });
  await journal.close();
});

test('a bad run in an older segment: reported, the rest of the segment skipped, the file kept', async () => {
  const disk = await filledDisk(300);
  const [first, second] = segmentsOf(disk) as [string, string];
  const bytes = Buffer.from(disk.files().get(first) as Buffer);
  const place = SEGMENT_HEADER_BYTES + bytes.readUInt32LE(SEGMENT_HEADER_BYTES) + 70;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 0x10, place);
  disk.replace(first, bytes);
  const next = Number(path.basename(second).slice(0, 20));

  const journal = await openTestJournal({ disk });
  expect(journal.incidents).toEqual([]);
  const found = await readEverything(journal);
  expect(found.map(({ text }) => text)).toEqual([...numbered('m', 0, 10), ...numbered('m', next, 300)]);
  expect(journal.incidents).toMatchObject([
    { kind: 'records_lost', offset: 10, records: next - 10, file: first },
  ]);
  expect(journal.stats().lostRecords).toBe(next - 10);
  expect(disk.files().has(first)).toBe(true);
  journal.reader.commit(300);
  await eventually(() => expect(disk.files().has(`${first}.corrupt`)).toBe(true));
  expect(disk.files().get(`${first}.corrupt`)?.equals(bytes)).toBe(true);
  await journal.close();
});

test('a missing segment between others is counted as lost, one before the checkpoint is not', async () => {
  const disk = await filledDisk(300, 100);
  const names = segmentsOf(disk);
  const [from, to] = [names[1], names[2]].map((name) => Number(path.basename(name as string).slice(0, 20)));
  disk.replace(names[1] as string, undefined);
  const journal = await openTestJournal({ disk });
  const found = await readEverything(journal);
  expect(found).toHaveLength(200 - ((to as number) - (from as number)));
  expect(journal.stats().lostRecords).toBe((to as number) - (from as number));
  await journal.close();
});

test('a segment whose header is damaged is put aside; one that was never finished is removed', async () => {
  const disk = await filledDisk(50);
  const unfinished = path.join(JOURNAL_DIRECTORY, '00000000000000000050.segment');
  disk.replace(unfinished, Buffer.alloc(17));
  const stale = path.join(JOURNAL_DIRECTORY, 'checkpoint.tmp');
  disk.replace(stale, Buffer.from('half'));
  const first = segmentsOf(disk)[0] as string;
  const bytes = Buffer.from(disk.files().get(first) as Buffer);
  bytes.writeUInt8(0, 0);
  disk.replace(first, bytes);

  const journal = await openTestJournal({ disk });
  expect(journal.incidents.map(({ kind }) => kind)).toEqual(['segment_unusable', 'records_lost']);
  expect(journal.incidents[0]?.message).toContain('the header has no magic bytes');
  expect([...disk.files().keys()]).toContain(`${first}.corrupt`);
  expect([...disk.files().keys()]).not.toContain(unfinished);
  expect([...disk.files().keys()]).not.toContain(stale);
  const found = await readEverything(journal);
  expect(found.length + journal.stats().lostRecords).toBe(50);
  await journal.close();
});

test('a file of a later format is not touched: the node says so and does not start', async () => {
  const disk = new SimulatedDisk();
  const file = path.join(JOURNAL_DIRECTORY, '00000000000000000000.segment');
  const bytes = encodeSegmentHeader({ firstOffset: 0, createdAt: 0 });
  bytes.writeUInt32LE(FORMAT_VERSION + 1, 12);
  bytes.writeUInt32LE(xxHash32(viewOf(bytes), 12, 32, 0), 8);
  disk.replace(file, bytes);
  await expect(openTestJournal({ disk })).rejects.toThrow(/format version 3/);
  expect(disk.files().get(file)?.equals(bytes)).toBe(true);
});

test('a file of the format before is read, and what is appended goes into a new one', async () => {
  const disk = new SimulatedDisk();
  const file = path.join(JOURNAL_DIRECTORY, segmentFileName(0));
  const header = encodeSegmentHeader({ firstOffset: 0, createdAt: 0 });
  header.writeUInt32LE(1, 12);
  header.writeUInt32LE(xxHash32(viewOf(header), 12, SEGMENT_HEADER_BYTES, 0), 8);
  const records = Buffer.alloc(1000);
  const source = encodeSource({ inputId: 'i', remoteAddress: '192.0.2.1', remotePort: 9, codecId: 0 });
  let at = 0;
  for (const [offset, text] of ['a', 'b'].entries()) {
    at = encodeRecord(records, viewOf(records), at, offset, 1, source, Buffer.from(text), 0, text.length);
  }
  const before = Buffer.concat([header, records.subarray(0, at)]);
  disk.replace(file, before);

  const journal = await openTestJournal({ disk });
  expect(journal.incidents).toEqual([]);
  await appendSettled(journal, ['c', 'd']);
  expect(disk.files().get(file)?.equals(before)).toBe(true);
  expect(await readTexts(journal, 4)).toEqual(['a', 'b', 'c', 'd']);
  await journal.close();
  const again = await openTestJournal({ disk });
  expect(await readTexts(again, 4)).toEqual(['a', 'b', 'c', 'd']);
  await again.close();
});

test('without its checkpoint a partition starts at the oldest record; a damaged one is reported', async () => {
  for (const damage of [undefined, Buffer.alloc(8192, 7), Buffer.alloc(0)]) {
    const disk = await filledDisk(100, 40);
    const oldest = Number(path.basename(segmentsOf(disk)[0] as string).slice(0, 20));
    disk.replace(CHECKPOINT, damage);
    const journal = await openTestJournal({ disk });
    expect(journal.incidents.map(({ kind }) => kind)).toEqual(
      damage === undefined ? [] : ['checkpoint_lost'],
    );
    expect((await readEverything(journal)).map(({ text }) => text)).toEqual(numbered('m', oldest, 100));
    await journal.close();
  }
});

test('a torn checkpoint slot loses nothing', async () => {
  for (const slot of [0, 1]) {
    const disk = await filledDisk(100, 40);
    const bytes = Buffer.from(disk.files().get(CHECKPOINT) as Buffer);
    bytes.fill(0xee, slot * 4096, slot * 4096 + 512);
    disk.replace(CHECKPOINT, bytes);
    const journal = await openTestJournal({ disk });
    expect(journal.stats().lostRecords).toBe(0);
    const found = await readEverything(journal);
    expect(found.map(({ text }) => text)).toEqual(numbered('m', journal.reader.committedOffset, 100));
    expect(journal.reader.committedOffset).toBeLessThanOrEqual(40);
    await journal.close();
  }
});

test('random damage: what is read is authentic and in order, what is not is counted', {
  timeout: 60_000,
}, async () => {
  const damage = fc.record({
    file: fc.nat(),
    kind: fc.constantFrom('flip', 'truncate', 'zero', 'append', 'delete'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const clean = await filledDisk(200);
  const original = clean.files();
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      const disk = new SimulatedDisk();
      for (const [name, bytes] of original) disk.replace(name, bytes);
      for (const { file, kind, place } of damages) {
        const names = segmentsOf(disk);
        const name = names[file % Math.max(1, names.length)];
        if (name === undefined) continue;
        disk.replace(name, damaged(disk.files().get(name) as Buffer, kind, place));
      }
      const journal = await openTestJournal({ disk });
      const found = await readEverything(journal);
      for (const { offset, text } of found) expect(text).toBe(`m-${offset}`);
      const offsets = found.map(({ offset }) => offset);
      expect(offsets).toEqual([...new Set(offsets)].toSorted((a, b) => a - b));
      expect(found.length + journal.stats().lostRecords).toBe(200);
      await appendSettled(journal, ['next']);
      expect(await readTexts(journal, 1)).toEqual(['next']);
      await journal.close();
    }),
    { numRuns: 100 },
  );
});

function damaged(bytes: Buffer, kind: string, place: number): Buffer | undefined {
  const at = Math.floor(place * Math.max(0, bytes.length - 1));
  const copy = Buffer.from(bytes);
  switch (kind) {
    case 'flip':
      if (copy.length > 0) copy[at] = (copy[at] as number) ^ 0x40;
      return copy;
    case 'truncate':
      return copy.subarray(0, at);
    case 'zero':
      copy.fill(0, at);
      return copy;
    case 'append':
      return Buffer.concat([copy, copy.subarray(0, at)]);
    default:
      return undefined;
  }
}
