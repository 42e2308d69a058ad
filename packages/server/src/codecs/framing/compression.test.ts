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
    ['zlib, window of 256 bytes', [0x08, 0x1d], 'zlib'],
    ['zlib, window of 512 bytes', [0x18, 0x95], 'zlib'],
    ['zlib, window of 16 KiB', [0x68, 0x81], 'zlib'],
    ['zlib with a window that there is not', [0x88, 0x1c], 'plain'],
    ['half of zlib with a small window', [0x48, 0x54], 'plain'],
    ['zlib with a small window and a dictionary that nobody has', [0x48, 0x2c], 'plain'],
    ['the first byte of zlib with a small window alone', [0x08], 'plain'],
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

test('what begins as a message does, or several of them, is plain, whatever follows', () => {
  for (const first of [...Buffer.from('{[ \t\r\n'), 0xef]) {
    for (let second = 0; second < 256; second++) {
      expect(payloadKind(Buffer.from([first, second]))).toBe('plain');
    }
  }
});

test('text that begins like zlib with a small window is plain', () => {
  for (const text of [
    '(Service started)',
    'HKEY_LOCAL_MACHINE',
    'XG',
    'hCaptcha\tfailed\r\n',
    '8O',
    '(S'.repeat(100),
  ]) {
    expect(payloadKind(Buffer.from(text))).toBe('plain');
  }
});

describe('decompression', () => {
  test('gives the payload of every zlib level and of gzip', () => {
    for (const level of [0, 1, 6, 9]) {
      expect(decompressPayload(deflateSync(MESSAGE, { level }))).toEqual(MESSAGE);
      expect(decompressPayload(gzipSync(MESSAGE, { level }))).toEqual(MESSAGE);
    }
  });

  test('gives the payload of every zlib window', () => {
    for (const windowBits of [9, 10, 11, 12, 13, 14, 15]) {
      expect(decompressPayload(deflateSync(MESSAGE, { windowBits }))).toEqual(MESSAGE);
    }
    // Node does not write the smallest window, but others do.
    const smallest = deflateSync(MESSAGE, { windowBits: 9 });
    smallest.set([0x08, 0x1d]);
    expect(decompressPayload(smallest)).toEqual(MESSAGE);
  });

  test.each(['\n', '\r\n', ' \t\n\n', '\0', '\0\0\0', '\0\n'])(
    'takes no notice of white space or null bytes (%j) after the stream',
    (padding) => {
      for (const length of [2, 0x0900, 0x0a0d, 0x2020, 100_000]) {
        const message = Buffer.alloc(length, 'abc');
        for (const stream of [gzipSync(message), deflateSync(message, { windowBits: 9 })]) {
          const outcome = decompressPayload(Buffer.concat([stream, Buffer.from(padding)]), length);
          expect(Buffer.isBuffer(outcome) && outcome.equals(message)).toBe(true);
        }
      }
    },
  );

  test('white space behind a bomb does not change its limit', () => {
    const bomb = Buffer.concat([gzipSync(Buffer.alloc(100_000)), Buffer.from('\n')]);
    expect(decompressPayload(bomb, 99_999)).toBe('too-large');
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
    ['gzip header and white space', Buffer.from([0x1f, 0x8b, 0x20, 0x0a])],
    ['cut gzip with a newline', Buffer.concat([gzipSync(MESSAGE).subarray(0, -1), Buffer.from('\n')])],
    ['gzip with something else after it', Buffer.concat([gzipSync(MESSAGE), Buffer.from('{}')])],
    ['gzip with a newline before something else', Buffer.concat([gzipSync(MESSAGE), Buffer.from('\n{}')])],
    ['gzip with half a second one', Buffer.concat([gzipSync(MESSAGE), gzipSync(MESSAGE).subarray(0, 20)])],
    ['cut zlib', deflateSync(MESSAGE).subarray(0, 10)],
    ['zlib with rubbish', Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff, 0xff])],
    ['cut zlib with a small window', deflateSync(MESSAGE, { windowBits: 9 }).subarray(0, 10)],
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

  test('every window and padding gives back what was compressed', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3000 }),
        fc.integer({ min: 9, max: 15 }),
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.constantFrom(0x09, 0x0a, 0x0d, 0x20), { maxLength: 8 }),
        fc.nat(8),
        (bytes, windowBits, level, spaces, nulls) => {
          const message = Buffer.from(bytes);
          const padding = Buffer.from([...Array<number>(nulls).fill(0), ...spaces]);
          for (const stream of [gzipSync(message, { level }), deflateSync(message, { level, windowBits })]) {
            expect(decompressPayload(Buffer.concat([stream, padding]))).toEqual(message);
          }
        },
      ),
    );
  });

  test('bytes that begin like zlib with any window never throw and never exceed the limit', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(255), fc.uint8Array({ maxLength: 100 }), (window, second, bytes) => {
        const payload = Buffer.from([window * 16 + 8, second, ...bytes]);
        const outcome = decompressPayload(payload, 64);
        if (Buffer.isBuffer(outcome) && outcome !== payload) expect(outcome.length).toBeLessThanOrEqual(64);
      }),
    );
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
