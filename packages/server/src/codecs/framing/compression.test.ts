import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compressPayload } from '#codecs/index.ts';
import { decompressPayload, type PayloadKind, payloadKind } from './compression.ts';

const MESSAGE = Buffer.from('{"version":"1.1","host":"h","short_message":"grüße"}');

describe('the kind of a payload', () => {
  const cases: [string, number[], PayloadKind][] = [
    ['gzip', [0x1f, 0x8b, 8], 'gzip'],
    ['zlib, default compression', [0x78, 0x9c], 'zlib'],
    ['zlib, no compression', [0x78, 0x01], 'zlib'],
    ['zlib, fastest', [0x78, 0x5e], 'zlib'],
    ['zlib, best', [0x78, 0xda], 'zlib'],
    ['a chunk', [0x1e, 0x0f], 'chunk'],
    ['half of gzip', [0x1f, 0x00], 'unsupported'],
    ['half of zlib', [0x78, 0x00], 'unsupported'],
    ['half of a chunk', [0x1e, 0x00], 'unsupported'],
    ['the first byte of gzip alone', [0x1f], 'unsupported'],
    ['a JSON object', [...Buffer.from('{"')], 'plain'],
    ['one byte', [0x7b], 'plain'],
    ['nothing', [], 'plain'],
  ];
  test.each(cases)('%s', (_name, bytes, kind) => {
    expect(payloadKind(Buffer.from(bytes))).toBe(kind);
  });
});

describe('decompression', () => {
  test('gives the payload of every zlib level and of gzip', () => {
    for (const level of [0, 1, 6, 9]) {
      expect(decompressPayload(deflateSync(MESSAGE, { level }))).toEqual(MESSAGE);
      expect(decompressPayload(gzipSync(MESSAGE, { level }))).toEqual(MESSAGE);
    }
  });

  test('gives the same buffer when there is nothing to do', () => {
    expect(decompressPayload(MESSAGE)).toBe(MESSAGE);
  });

  test('stops at the limit: a bomb of 64 MiB behind 64 KiB', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(70_000);
    expect(decompressPayload(bomb, 1024 * 1024)).toBe('too-large');
    expect(decompressPayload(deflateSync(Buffer.alloc(2048)), 2047)).toBe('too-large');
    expect(decompressPayload(deflateSync(Buffer.alloc(2048)), 2048)).toHaveLength(2048);
  });

  test('large payloads that fit come out whole', () => {
    const large = Buffer.from('0123456789abcdef'.repeat(100_000));
    const outcome = decompressPayload(gzipSync(large));
    expect(Buffer.isBuffer(outcome) && outcome.equals(large)).toBe(true);
  });

  const broken: [string, Buffer][] = [
    ['cut gzip', gzipSync(MESSAGE).subarray(0, 20)],
    ['gzip with a wrong checksum', Buffer.concat([gzipSync(MESSAGE).subarray(0, -8), Buffer.alloc(8)])],
    ['gzip header only', Buffer.from([0x1f, 0x8b])],
    ['cut zlib', deflateSync(MESSAGE).subarray(0, 10)],
    ['zlib with rubbish', Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff, 0xff])],
  ];
  test.each(broken)('%s is corrupt', (_name, payload) => {
    expect(decompressPayload(payload)).toBe('corrupt');
  });

  test('chunks and unknown magic bytes are unsupported', () => {
    expect(decompressPayload(Buffer.from([0x1e, 0x0f, 1, 2]))).toBe('unsupported');
    expect(decompressPayload(Buffer.from([0x1f, 0x8c, 1, 2]))).toBe('unsupported');
  });

  test('raw deflate has no magic bytes: it is plain or refused, never inflated', () => {
    const raw = deflateRawSync(MESSAGE);
    const outcome = decompressPayload(raw);
    expect(outcome === raw || outcome === 'unsupported').toBe(true);
  });

  test('compressed and mutated bytes never throw and never exceed the limit', () => {
    const limit = 4096;
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('gzip' as const, 'zlib' as const),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 4 }),
        (bytes, compression, changes) => {
          const payload = Buffer.from(compressPayload(Buffer.from(bytes), compression));
          for (const [at, byte] of changes) if (at < payload.length) payload[at] = byte;
          const outcome = decompressPayload(payload, limit);
          if (Buffer.isBuffer(outcome) && outcome !== payload)
            expect(outcome.length).toBeLessThanOrEqual(limit);
          if (changes.length === 0) expect(outcome).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });
});
