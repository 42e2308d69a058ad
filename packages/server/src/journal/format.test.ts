import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrameBatch, FrameSource } from '#core/index.ts';
import { changedBytes } from '#testing/changed-bytes.ts';
import { xxHash32 } from './checksum.ts';
import { ChunkPool, type RecordChunk } from './chunk.ts';
import { RecordDecoder } from './decode.ts';
import {
  decodeSegmentHeader,
  decodeSource,
  encodeRecord,
  encodeRun,
  encodeSegmentHeader,
  encodeSource,
  endOfRun,
  firstOffsetOfFileName,
  inspectRecord,
  RECORD_SLACK_BYTES,
  SEGMENT_HEADER_BYTES,
  segmentFileName,
  tableOfRun,
  viewOf,
  voidRecord,
} from './format.ts';

const sourceArbitrary = fc.record({
  inputId: fc.string({ unit: 'binary', maxLength: 60 }),
  remoteAddress: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('')),
  remotePort: fc.integer({ min: 0, max: 65_535 }),
  codecId: fc.nat(255),
});
const recordArbitrary = fc.record({
  source: sourceArbitrary,
  receivedAt: fc.integer({ min: 0, max: 4e12 }),
  frame: fc.uint8Array({ maxLength: 400 }),
});
type TestRecord = { source: FrameSource; receivedAt: number; frame: Uint8Array };
const offsetArbitrary = fc.oneof(fc.nat(), fc.integer({ min: 2 ** 32 - 5, max: 2 ** 52 }));

function encodeAll(records: readonly TestRecord[], firstOffset: number): Buffer {
  const size = records.reduce((sum, record) => sum + 1000 + record.frame.length, RECORD_SLACK_BYTES);
  const target = Buffer.alloc(size);
  let at = 0;
  records.forEach(({ source, receivedAt, frame }, index) => {
    at = encodeRecord(
      target,
      viewOf(target),
      at,
      firstOffset + index,
      receivedAt,
      encodeSource(source),
      Buffer.from(frame),
      0,
      frame.length,
    );
  });
  return target.subarray(0, at);
}

function decodeAll(bytes: Buffer, firstOffset: number): { chunk: RecordChunk; state: string } {
  const pool = new ChunkPool(Math.max(64, bytes.length), 1);
  const chunk = pool.take(firstOffset, bytes.length);
  bytes.copy(chunk.buffer);
  const state = new RecordDecoder().decode(chunk, bytes.length, Number.POSITIVE_INFINITY);
  return { chunk, state };
}

const batchArbitrary = fc.record({
  source: sourceArbitrary,
  receivedAt: fc.integer({ min: 0, max: 4e12 }),
  /** Each with what stands before it in the bytes. */
  frames: fc.array(fc.tuple(fc.nat(20), fc.uint8Array({ maxLength: 60 })), { minLength: 1, maxLength: 12 }),
});
type TestBatch = { source: FrameSource; receivedAt: number; frames: [number, Uint8Array][] };

function frameBatch({ source, receivedAt, frames }: TestBatch): FrameBatch {
  const parts = frames.flatMap(([gap, frame]) => [Buffer.alloc(gap, '#'), Buffer.from(frame)]);
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const [gap, frame] of frames) {
    starts.push(at + gap);
    at += gap + frame.length;
    ends.push(at);
  }
  return { source, receivedAt, bytes: Buffer.concat(parts), starts, ends, count: frames.length };
}

/** The batches as runs, each of as many frames as go together and fit. */
function encodeRuns(batches: readonly FrameBatch[], firstOffset: number, room: number): Buffer {
  const target = Buffer.alloc(batches.length * 4000 + RECORD_SLACK_BYTES);
  const view = viewOf(target);
  let at = 0;
  let offset = firstOffset;
  for (const batch of batches) {
    const source = encodeSource(batch.source);
    for (let from = 0; from < batch.count; ) {
      const to = Math.max(from + 1, endOfRun(batch, from, source, room));
      encodeRun(target, view, at, offset, source, batch, from, to);
      at += target.readUInt32LE(at);
      offset += to - from;
      from = to;
    }
  }
  return target.subarray(0, at);
}

describe('records', () => {
  test('come back as they were written, wherever they start', () => {
    fc.assert(
      fc.property(fc.array(recordArbitrary, { maxLength: 20 }), offsetArbitrary, (records, firstOffset) => {
        const { chunk, state } = decodeAll(encodeAll(records, firstOffset), firstOffset);
        expect(state).toBe('incomplete');
        expect(chunk.count).toBe(records.length);
        records.forEach((record, i) => {
          expect(chunk.sources[i]).toEqual(record.source);
          expect(chunk.receivedAt[i]).toBe(record.receivedAt);
          const frame = chunk.buffer.subarray(chunk.frameStarts[i], chunk.frameEnds[i]);
          expect(frame.equals(record.frame)).toBe(true);
        });
      }),
    );
  });

  test('any changed byte is found, and only records before it are taken', () => {
    fc.assert(
      fc.property(
        fc.array(recordArbitrary, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (records, place, change) => {
          const bytes = encodeAll(records, 7);
          const at = place % bytes.length;
          bytes[at] = (bytes[at] as number) ^ change;
          const { chunk, state } = decodeAll(bytes, 7);
          expect(chunk.count).toBeLessThan(records.length);
          expect(chunk.length).toBeLessThanOrEqual(at);
          expect(state).not.toBe('good');
        },
      ),
    );
  });

  test('cut anywhere, the whole ones before the cut are there', () => {
    fc.assert(
      fc.property(fc.array(recordArbitrary, { minLength: 1, maxLength: 8 }), fc.nat(), (records, place) => {
        const bytes = encodeAll(records, 0);
        const cut = place % bytes.length;
        const { chunk, state } = decodeAll(bytes.subarray(0, cut), 0);
        expect(state).toBe('incomplete');
        const whole = records.filter((_, i) => encodeAll(records.slice(0, i + 1), 0).length <= cut);
        expect(chunk.count).toBe(whole.length);
      }),
    );
  });

  test('an intact record in another place is not taken', () => {
    const bytes = encodeAll([{ source: sourceOf('a'), receivedAt: 1, frame: Buffer.from('x') }], 5);
    expect(decodeAll(bytes, 5).chunk.count).toBe(1);
    expect(decodeAll(bytes, 6).state).toBe('wrong checksum');
  });

  test('random and mutated bytes never do anything but end the reading', () => {
    const records = fc.array(recordArbitrary, { minLength: 1, maxLength: 5 });
    const runs = fc.array(batchArbitrary, { minLength: 1, maxLength: 5 });
    const mutated = changedBytes(
      fc.oneof(
        records.map((each) => encodeAll(each, 0)),
        runs.map((each) => encodeRuns(each.map(frameBatch), 0, 1000)),
      ),
      10,
    );
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      // At another offset than 0 no checksum is right, and nothing behind it is looked at.
      fc.property(fc.oneof(mutated, random), fc.oneof(fc.constant(0), offsetArbitrary), (bytes, offset) => {
        const { chunk } = decodeAll(bytes, offset);
        expect(chunk.length).toBeLessThanOrEqual(bytes.length);
        for (let i = 0; i < chunk.count; i += 1) {
          expect(chunk.frameStarts[i]).toBeLessThanOrEqual(chunk.frameEnds[i] as number);
          expect(chunk.frameEnds[i]).toBeLessThanOrEqual(bytes.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a voided record stays intact and is marked', () => {
    const bytes = encodeAll(
      ['a', 'b', 'c'].map((text) => ({ source: sourceOf('i'), receivedAt: 1, frame: Buffer.from(text) })),
      0,
    );
    voidRecord(viewOf(bytes), bytes.readUInt32LE(0), 1);
    const again = decodeAll(bytes, 0).chunk;
    expect(again.count).toBe(3);
    expect(again.voids).toEqual([1]);
  });

  test('what is wrong has a name', () => {
    const good = encodeAll([{ source: sourceOf('i'), receivedAt: 1, frame: Buffer.alloc(30) }], 0);
    const f = (change: (bytes: Buffer) => void, expected: string): void => {
      const bytes = Buffer.from(good);
      change(bytes);
      expect(inspectRecord(viewOf(bytes), 0, bytes.length, 0)).toBe(expected);
    };
    f(() => undefined, 'good');
    f((bytes) => bytes.fill(0), 'zeros');
    f((bytes) => bytes.writeUInt32LE(3, 0), 'impossible length');
    f((bytes) => bytes.writeUInt32LE(0xffff_ffff, 0), 'impossible length');
    f((bytes) => bytes.writeUInt32LE(bytes.length + 1, 0), 'incomplete');
    f((bytes) => bytes.writeUInt8(9, 40), 'wrong checksum');
  });
});

describe('runs', () => {
  const batches = fc.array(batchArbitrary, { minLength: 1, maxLength: 6 });
  const room = fc.integer({ min: 0, max: 2000 });

  test('give the frames that they were made of, wherever they were cut', () => {
    fc.assert(
      fc.property(batches, room, offsetArbitrary, (given, bytes, firstOffset) => {
        const { chunk, state } = decodeAll(
          encodeRuns(given.map(frameBatch), firstOffset, bytes),
          firstOffset,
        );
        expect(state).toBe('incomplete');
        const all = given.flatMap(({ frames, ...rest }) => frames.map(([, frame]) => ({ ...rest, frame })));
        expect(chunk.count).toBe(all.length);
        all.forEach((each, i) => {
          expect(chunk.sources[i]).toEqual(each.source);
          expect(chunk.receivedAt[i]).toBe(each.receivedAt);
          const frame = chunk.buffer.subarray(chunk.frameStarts[i], chunk.frameEnds[i]);
          expect(frame.equals(each.frame)).toBe(true);
        });
      }),
    );
  });

  test('any changed byte is found, and only runs before it are taken', () => {
    fc.assert(
      fc.property(
        batches,
        room,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (given, bytes, place, change) => {
          const encoded = encodeRuns(given.map(frameBatch), 7, bytes);
          const at = place % encoded.length;
          encoded[at] = (encoded[at] as number) ^ change;
          const { chunk } = decodeAll(encoded, 7);
          expect(chunk.count).toBeLessThan(given.flatMap(({ frames }) => frames).length);
          expect(chunk.length).toBeLessThanOrEqual(at);
        },
      ),
    );
  });

  test('whose lengths do not add up reach nothing outside of them, even with a good checksum', () => {
    const words = fc.array(fc.nat(60), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(batchArbitrary, words, fc.nat(3), (given, values, skipped) => {
        const encoded = encodeRuns([frameBatch(given)], 0, 60_000);
        const table = tableOfRun(viewOf(encoded), 0) - 4;
        for (const [index, value] of values.entries()) {
          const at = table + (index + skipped) * 4;
          if (at + 4 <= encoded.length) encoded.writeUInt32LE(value, at);
        }
        encoded.writeUInt32LE(xxHash32(viewOf(encoded), 8, encoded.readUInt32LE(0), 0), 4);
        const { chunk } = decodeAll(encoded, 0);
        for (let i = 0; i < chunk.count; i += 1) {
          expect(chunk.frameStarts[i]).toBeLessThanOrEqual(chunk.frameEnds[i] as number);
          expect(chunk.frameEnds[i]).toBeLessThanOrEqual(encoded.length);
        }
      }),
    );
  });

  test('frames far from each other, or in another order, are not of one run', () => {
    const source = encodeSource(sourceOf('a'));
    const f = (starts: number[], ends: number[], expected: number): void => {
      const bytes = Buffer.alloc(200);
      const batch = { source: sourceOf('a'), receivedAt: 1, bytes, starts, ends, count: starts.length };
      expect(endOfRun(batch, 0, source, 1000)).toBe(expected);
    };
    f([0, 11, 27], [10, 20, 40], 3);
    f([0, 27], [10, 40], 1);
    f([50, 0], [60, 10], 1);
    f([0, 5], [10, 20], 1);
  });

  test('only what is before the end of the segment is taken', () => {
    const frames = Array.from({ length: 5 }, (_, n): [number, Uint8Array] => [1, Buffer.from(`f${n}`)]);
    const bytes = encodeRuns([frameBatch({ source: sourceOf('a'), receivedAt: 1, frames })], 0, 1000);
    const chunk = new ChunkPool(bytes.length, 1).take(0, bytes.length);
    bytes.copy(chunk.buffer);
    expect(new RecordDecoder().decode(chunk, bytes.length, 3)).toBe('good');
    expect(chunk.count).toBe(3);
  });

  test('a voided run stays intact, and all of its frames are voids', () => {
    const frames = [1, 2, 3].map((n): [number, Uint8Array] => [1, Buffer.from(`f${n}`)]);
    const batch = frameBatch({ source: sourceOf('a'), receivedAt: 1, frames });
    const bytes = encodeRuns([batch, batch], 0, 1000);
    voidRecord(viewOf(bytes), bytes.readUInt32LE(0), 3);
    const { chunk } = decodeAll(bytes, 0);
    expect(chunk.count).toBe(6);
    expect(chunk.voids).toEqual([3, 4, 5]);
  });
});

describe('sources', () => {
  test('what does not fit is refused with the value', () => {
    const f = (source: FrameSource, message: string): void =>
      expect(() => encodeSource(source)).toThrow(message);
    f({ ...sourceOf('x'.repeat(256)) }, 'input id is longer than 255 bytes: "xxx');
    f({ ...sourceOf('a'), remoteAddress: 'é'.repeat(128) }, 'remote address is longer than 255 bytes');
    f({ ...sourceOf('a'), remotePort: 65_536 }, 'remote port is not between 0 and 65535: 65536');
    f({ ...sourceOf('a'), remotePort: 1.5 }, 'remote port is not between 0 and 65535: 1.5');
    f({ ...sourceOf('a'), codecId: 256 }, 'codec id is not between 0 and 255: 256');
    f({ ...sourceOf('a'), codecId: -1 }, 'codec id is not between 0 and 255: -1');
  });

  test('random bytes are a source or not, never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        decodeSource(Buffer.from(bytes), 0, bytes.length, 0);
      }),
    );
  });
});

test('records of one sender with different codecs keep them apart', () => {
  const codecIds = [0, 7, 7, 255, 0];
  const records = codecIds.map((codecId) => ({
    source: { ...sourceOf('a'), codecId },
    receivedAt: 1,
    frame: Buffer.from('x'),
  }));
  const { chunk } = decodeAll(encodeAll(records, 0), 0);
  expect(chunk.sources.slice(0, chunk.count).map((source) => source.codecId)).toEqual(codecIds);
});

/** A segment as the version before codec numbers wrote it, with two GELF records. */
const SEGMENT_WITHOUT_CODECS = Buffer.from(
  [
    'TUlMTEpSTkwEV0xYAQAAAAAAAAAAAAAAAACAqm23eUJvAAAAFwPQ4AAAgKptt3lCAQAlABg2NWExYjJjM2Q0ZTVmNjA3MTgy',
    'OTNhNGIJMTkyLjAuMi43OMd7InZlcnNpb24iOiIxLjEiLCJob3N0Ijoid2ViLTEiLCJzaG9ydF9tZXNzYWdlIjoib25lIn1S',
    'AAAA7pop4AAQgKptt3lCAQAnABg2NWExYjJjM2Q0ZTVmNjA3MTgyOTNhNGILMjAwMTpkYjg6OjFAnHsic2hvcnRfbWVzc2Fn',
    'ZSI6InR3byJ9',
  ].join(''),
  'base64',
);

describe('a segment of the version before codec numbers', () => {
  const records = SEGMENT_WITHOUT_CODECS.subarray(SEGMENT_HEADER_BYTES);
  const origin = { inputId: '65a1b2c3d4e5f60718293a4b', codecId: 0 };
  const sources = [
    { ...origin, remoteAddress: '192.0.2.7', remotePort: 51_000 },
    { ...origin, remoteAddress: '2001:db8::1', remotePort: 40_000 },
  ];
  const frames = ['{"version":"1.1","host":"web-1","short_message":"one"}', '{"short_message":"two"}'];
  const createdAt = Date.UTC(2026, 0, 1);

  test('is read; its records have the number of GELF', () => {
    expect(decodeSegmentHeader(SEGMENT_WITHOUT_CODECS)).toEqual({ firstOffset: 0, createdAt });
    const { chunk } = decodeAll(records, 0);
    expect(chunk.sources.slice(0, chunk.count)).toEqual(sources);
    expect(
      frames.map((_, i) => chunk.buffer.toString('utf8', chunk.frameStarts[i], chunk.frameEnds[i])),
    ).toEqual(frames);
  });

  test('is what a GELF record that came alone is written as now', () => {
    const written = sources.map((source, i) => ({
      source,
      receivedAt: createdAt + i,
      frame: Buffer.from(frames[i] ?? ''),
    }));
    expect(encodeAll(written, 0).equals(records)).toBe(true);
  });
});

describe('segment headers', () => {
  test('come back as they were written', () => {
    const header = { firstOffset: 2 ** 40 + 1, createdAt: 1_767_225_600_123 };
    expect(decodeSegmentHeader(encodeSegmentHeader(header))).toEqual(header);
  });

  test('any damage has a reason', () => {
    const good = encodeSegmentHeader({ firstOffset: 5, createdAt: 6 });
    expect(decodeSegmentHeader(good.subarray(0, 31))).toBe('the header has 31 of 32 bytes');
    expect(decodeSegmentHeader(Buffer.alloc(32))).toBe('the header has no magic bytes');
    for (let i = 0; i < good.length; i += 1) {
      const bad = Buffer.from(good);
      bad[i] = (bad[i] as number) ^ 1;
      expect(typeof decodeSegmentHeader(bad)).toBe('string');
    }
  });

  test('names carry the first offset and sort by it', () => {
    expect(segmentFileName(42)).toBe('00000000000000000042.segment');
    expect(firstOffsetOfFileName(segmentFileName(42))).toBe(42);
    for (const name of [
      '42.segment',
      'checkpoint',
      '00000000000000000042.segment.corrupt',
      `${'9'.repeat(20)}.segment`,
    ]) {
      expect(firstOffsetOfFileName(name)).toBeUndefined();
    }
  });
});

function sourceOf(inputId: string): FrameSource {
  return { inputId, remoteAddress: '192.0.2.1', remotePort: 9, codecId: 0 };
}
