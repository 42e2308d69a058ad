import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitIntoChunks, splitIntoDatagrams } from '#codecs/index.ts';
import { createGelfChunkAssembler, type GelfChunkAssembler, isGelfChunk } from './gelf-chunks.ts';

const SENDER = { remoteAddress: '192.0.2.1', remotePort: 4711 };
const ANOTHER_SENDER = { remoteAddress: '192.0.2.9', remotePort: 4711 };
const ID = Buffer.from('12345678');

function chunk(sequence: number, count: number, payload: string, id: Uint8Array = ID): Buffer {
  return Buffer.concat([Buffer.from([0x1e, 0x0f]), id, Buffer.from([sequence, count]), Buffer.from(payload)]);
}

/** One push, with the outcome as text. */
function push(assembler: GelfChunkAssembler, datagram: Buffer, now = 0, sender = SENDER): string | undefined {
  return assembler.push(datagram, sender, now)?.toString('latin1');
}

describe('reassembly', () => {
  test('chunks in any order give the message in order of sequence', () => {
    const assembler = createGelfChunkAssembler();
    expect(push(assembler, chunk(2, 3, 'c'))).toBeUndefined();
    expect(push(assembler, chunk(0, 3, 'a'))).toBeUndefined();
    expect(assembler.waitingMessages).toBe(1);
    expect(push(assembler, chunk(1, 3, 'b'))).toBe('abc');
    expect(assembler.waitingMessages).toBe(0);
    expect(assembler.waitingBytes).toBe(0);
    expect(assembler.counters).toMatchObject({ chunks: 3, completeMessages: 1 });
  });

  test('a message of one chunk is complete at once', () => {
    expect(push(createGelfChunkAssembler(), chunk(0, 1, 'all'))).toBe('all');
  });

  test('a chunk may be empty', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    expect(push(assembler, chunk(1, 2, ''))).toBe('a');
  });

  test('128 chunks are allowed', () => {
    const assembler = createGelfChunkAssembler();
    for (let i = 0; i < 127; i++) expect(push(assembler, chunk(i, 128, 'x'))).toBeUndefined();
    expect(push(assembler, chunk(127, 128, 'y'))).toBe(`${'x'.repeat(127)}y`);
  });

  test.each([
    ['of two machines', { remoteAddress: '192.0.2.2', remotePort: 4711 }],
    ['of two programs on one machine', { remoteAddress: '192.0.2.1', remotePort: 4712 }],
  ])('equal ids %s are two messages', (_whose, other) => {
    for (const [first, second] of [
      ['a0', 'b0'],
      ['same', 'same'],
    ] as const) {
      const assembler = createGelfChunkAssembler();
      push(assembler, chunk(0, 2, first));
      push(assembler, chunk(0, 2, second), 0, other);
      expect(push(assembler, chunk(1, 2, 'b1'), 0, other)).toBe(`${second}b1`);
      expect(push(assembler, chunk(1, 2, 'a1'))).toBe(`${first}a1`);
      expect(assembler.waitingMessages).toBe(0);
    }
  });

  test('a sender may send every chunk from another port, copies among them', () => {
    const assembler = createGelfChunkAssembler();
    const from = (remotePort: number) => ({ ...SENDER, remotePort });
    push(assembler, chunk(0, 3, 'a'), 0, from(1));
    push(assembler, chunk(0, 3, 'a'), 0, from(2));
    push(assembler, chunk(2, 3, 'c'), 0, from(3));
    expect(push(assembler, chunk(1, 3, 'b'), 0, from(4))).toBe('abc');
    // And chunks that come late find the id dead, whichever port they come from.
    push(assembler, chunk(0, 2, 'a'), 20_000, from(5));
    assembler.expire(25_001);
    expect(push(assembler, chunk(1, 2, 'b'), 25_002, from(6))).toBeUndefined();
    expect(push(assembler, chunk(0, 2, 'a'), 25_003, from(7))).toBeUndefined();
    expect(assembler.waitingMessages).toBe(0);
  });

  test('the id of a complete message may be used again at once', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    expect(push(assembler, chunk(1, 2, 'b'))).toBe('ab');
    push(assembler, chunk(0, 2, 'c'));
    expect(push(assembler, chunk(1, 2, 'd'))).toBe('cd');
  });

  test('a chunk that differs begins a new message of a finished id, and equal chunks that follow are part of it', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    push(assembler, chunk(1, 2, 'end'));
    push(assembler, chunk(0, 2, 'b'), 1);
    expect(push(assembler, chunk(1, 2, 'end'), 2)).toBe('bend');
  });

  test('an equal chunk that comes first is a copy, so the new message stays incomplete, but is not mixed', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'same'));
    push(assembler, chunk(1, 2, 'a'));
    // Either all of a new message, or a late copy and what is left of a new message that began otherwise.
    push(assembler, chunk(0, 2, 'same'), 1);
    expect(push(assembler, chunk(1, 2, 'b'), 2)).toBeUndefined();
    assembler.expire(5003);
    expect(assembler.counters).toMatchObject({ completeMessages: 1, duplicateChunks: 1, expiredMessages: 1 });
  });

  test('ids with any bytes are told apart', () => {
    const assembler = createGelfChunkAssembler();
    const first = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0x80]);
    const second = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0x81]);
    push(assembler, chunk(0, 2, 'a', first));
    expect(push(assembler, chunk(1, 2, 'b', second))).toBeUndefined();
    expect(assembler.waitingMessages).toBe(2);
  });
});

describe('refused chunks', () => {
  const cases: [string, Buffer, string][] = [
    ['shorter than the header', Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0]), 'short_header'],
    ['a count of zero', chunk(0, 0, 'x'), 'count_zero'],
    ['a count over 128', chunk(0, 129, 'x'), 'count_over_limit'],
    ['a sequence number equal to the count', chunk(2, 2, 'x'), 'sequence_out_of_range'],
    ['a sequence number over the count', chunk(200, 2, 'x'), 'sequence_out_of_range'],
  ];
  test.each(cases)('%s', (_name, datagram, reason) => {
    const assembler = createGelfChunkAssembler();
    expect(push(assembler, datagram)).toBeUndefined();
    expect(assembler.counters.refusedChunks).toMatchObject({ [reason]: 1 });
    expect(assembler.waitingMessages).toBe(0);
  });

  test('a chunk with another count is refused, the message completes without it', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    expect(push(assembler, chunk(1, 3, 'X'))).toBeUndefined();
    expect(push(assembler, chunk(1, 2, 'b'))).toBe('ab');
    expect(assembler.counters.refusedChunks.count_mismatch).toBe(1);
  });

  test('the same chunk again is ignored', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    push(assembler, chunk(0, 2, 'a'));
    expect(push(assembler, chunk(1, 2, 'b'))).toBe('ab');
    expect(assembler.counters.duplicateChunks).toBe(1);
  });

  test.each(['X', 'aX', ''])(
    'the same chunk with other bytes (%j) ends the message: nobody can tell which is right',
    (other) => {
      const assembler = createGelfChunkAssembler();
      push(assembler, chunk(0, 2, 'a'));
      expect(push(assembler, chunk(0, 2, other))).toBeUndefined();
      expect(push(assembler, chunk(1, 2, 'b'))).toBeUndefined();
      expect(assembler.waitingMessages).toBe(0);
      expect(assembler.counters.refusedChunks.conflicting_duplicate).toBe(3);
    },
  );

  test('copies of the chunks of a complete message begin no new one', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'), 0);
    push(assembler, chunk(1, 2, 'b'), 1000);
    expect(push(assembler, chunk(0, 2, 'a'), 1001)).toBeUndefined();
    expect(push(assembler, chunk(1, 2, 'b'), 6000)).toBeUndefined();
    expect(assembler.waitingMessages).toBe(0);
    expect(assembler.counters).toMatchObject({ duplicateChunks: 2, completeMessages: 1 });
  });

  test.each(['before', 'after'])(
    'copies of chunks from several ports begin no new message, %s the message is complete',
    (when) => {
      const assembler = createGelfChunkAssembler();
      const from = (remotePort: number) => ({ ...SENDER, remotePort });
      push(assembler, chunk(0, 3, 'a'), 0, from(1));
      push(assembler, chunk(1, 3, 'b'), 0, from(2));
      if (when === 'before') push(assembler, chunk(1, 3, 'b'), 1, from(2));
      expect(push(assembler, chunk(2, 3, 'c'), 2, from(3))).toBe('abc');
      if (when === 'after') push(assembler, chunk(1, 3, 'b'), 3, from(2));
      expect(assembler.waitingMessages).toBe(0);
      expect(assembler.counters).toMatchObject({ duplicateChunks: 1, completeMessages: 1 });
    },
  );

  test('one-chunk messages are remembered too', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 1, 'a'), 0);
    expect(push(assembler, chunk(0, 1, 'a'), 1)).toBeUndefined();
  });
});

describe('the window', () => {
  test('a message may take exactly five seconds', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'), 1000);
    assembler.expire(6000);
    expect(push(assembler, chunk(1, 2, 'b'), 6000)).toBe('ab');
  });

  test.each([true, false])('later chunks are discarded (sweep ran: %s)', (sweep) => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 3, 'a'), 1000);
    push(assembler, chunk(1, 3, 'b'), 5999);
    if (sweep) assembler.expire(6001);
    expect(push(assembler, chunk(2, 3, 'c'), 6001)).toBeUndefined();
    expect(assembler.waitingMessages).toBe(0);
    expect(assembler.waitingBytes).toBe(0);
    expect(assembler.counters).toMatchObject({ expiredMessages: 1, expiredChunks: 3, completeMessages: 0 });
  });

  test.each([true, false])(
    'an expired id stays dead for five seconds more, then it is free (sweep ran: %s)',
    (sweep) => {
      const assembler = createGelfChunkAssembler();
      push(assembler, chunk(0, 2, 'old'), 0);
      if (sweep) assembler.expire(5001);
      expect(push(assembler, chunk(0, 2, 'late'), 10_000)).toBeUndefined();
      expect(assembler.waitingMessages).toBe(0);
      if (sweep) assembler.expire(10_001);
      expect(push(assembler, chunk(0, 2, 'new '), 10_001)).toBeUndefined();
      expect(push(assembler, chunk(1, 2, 'message'), 10_002)).toBe('new message');
    },
  );

  test('an id that nobody swept is free too when it has been dead long enough', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'old'), 0);
    expect(push(assembler, chunk(0, 2, 'new '), 20_000)).toBeUndefined();
    expect(push(assembler, chunk(1, 2, 'message'), 20_001)).toBe('new message');
    expect(assembler.counters.expiredMessages).toBe(1);
  });

  test('the window begins with the first chunk, not with the latest', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 3, 'a'), 0);
    push(assembler, chunk(1, 3, 'b'), 4000);
    expect(push(assembler, chunk(2, 3, 'c'), 5001)).toBeUndefined();
    expect(assembler.counters.completeMessages).toBe(0);
  });
});

test('messages that share an address and an id are few', () => {
  const assembler = createGelfChunkAssembler();
  for (let port = 1; port <= 1000; port++)
    push(assembler, chunk(0, 2, 'a'), 0, { ...SENDER, remotePort: port });
  expect(assembler.waitingMessages).toBeLessThanOrEqual(32);
  expect(assembler.counters.evictedMessages).toBe(1);
  expect(push(assembler, chunk(1, 2, 'b'), 0, { ...SENDER, remotePort: 2 })).toBe('ab');
});

describe('memory', () => {
  const idOf = (n: number) => {
    const id = Buffer.alloc(8);
    id.writeUInt32BE(n, 4);
    return id;
  };

  test('past the number of messages the oldest is given up, and its other chunks are discarded', () => {
    const assembler = createGelfChunkAssembler({ maxMessages: 2 });
    for (const n of [1, 2, 3]) push(assembler, chunk(0, 2, `m${n}`, idOf(n)), n);
    expect(assembler.waitingMessages).toBe(2);
    expect(assembler.counters).toMatchObject({ evictedMessages: 1, evictedChunks: 1 });
    expect(push(assembler, chunk(1, 2, '!', idOf(1)), 4)).toBeUndefined();
    expect(assembler.waitingMessages).toBe(2);
    expect(push(assembler, chunk(1, 2, '!', idOf(3)), 4)).toBe('m3!');
  });

  test('past the number of bytes the oldest is given up', () => {
    const assembler = createGelfChunkAssembler({ maxBytes: 5000 });
    for (const n of [1, 2, 3]) push(assembler, chunk(0, 3, 'x'.repeat(1500), idOf(n)), n);
    expect(assembler.waitingMessages).toBe(2);
    expect(assembler.waitingBytes).toBeLessThanOrEqual(5000);
    expect(assembler.counters.evictedMessages).toBe(1);
    expect(push(assembler, chunk(1, 3, 'y'.repeat(1500), idOf(3)), 4)).toBeUndefined();
    expect(assembler.waitingMessages).toBe(1);
  });

  test('a chunk that alone is past the bound is refused', () => {
    const assembler = createGelfChunkAssembler({ maxBytes: 1000 });
    expect(push(assembler, chunk(0, 2, 'x'.repeat(1500)))).toBeUndefined();
    expect(assembler.counters.refusedChunks.over_memory_limit).toBe(1);
  });

  test('a flood of ids that never complete stays within all bounds and empties with time', () => {
    const assembler = createGelfChunkAssembler({ maxMessages: 50, maxBytes: 30_000, maxRemembered: 100 });
    for (let n = 0; n < 5000; n++) {
      push(assembler, chunk(n % 7, 9, 'x'.repeat(n % 300), idOf(n)), n);
      expect(assembler.waitingMessages).toBeLessThanOrEqual(50);
      expect(assembler.waitingBytes).toBeLessThanOrEqual(30_000);
    }
    expect(push(assembler, chunk(0, 1, 'still here', idOf(9999)), 5000)).toBe('still here');
    assembler.expire(20_000);
    expect(assembler.waitingMessages).toBe(0);
    expect(assembler.waitingBytes).toBe(0);
  });
});

describe('lost messages', () => {
  const none = { messages: 0, bytes: 0 };

  test.each([true, false])('one that expires is lost once, with its late chunks (sweep ran: %s)', (sweep) => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 3, 'a'), 0);
    push(assembler, chunk(0, 3, 'a'), 0);
    push(assembler, chunk(1, 3, 'bb'), 0);
    if (sweep) assembler.expire(5001);
    push(assembler, chunk(2, 3, 'ccc'), 5001);
    assembler.expire(7000);
    expect(assembler.counters.lost).toEqual({
      incomplete: { messages: 1, bytes: 6 },
      evicted: none,
      too_many_chunks: none,
    });
  });

  test('two that cannot be told apart are lost', () => {
    const assembler = createGelfChunkAssembler();
    for (const [sequence, payload] of [
      [0, 'a'],
      [0, 'bb'],
      [1, 'ccc'],
    ] as const)
      push(assembler, chunk(sequence, 2, payload));
    expect(assembler.counters.lost.incomplete).toEqual({ messages: 2, bytes: 6 });
  });

  test('one that is evicted is lost once', () => {
    const assembler = createGelfChunkAssembler({ maxMessages: 1 });
    push(assembler, chunk(0, 2, 'a', Buffer.from('aaaaaaaa')));
    push(assembler, chunk(0, 2, 'b', Buffer.from('bbbbbbbb')));
    push(assembler, chunk(1, 2, 'aa', Buffer.from('aaaaaaaa')));
    expect(assembler.counters.lost.evicted).toEqual({ messages: 1, bytes: 3 });
    expect(push(assembler, chunk(1, 2, 'b', Buffer.from('bbbbbbbb')))).toBe('bb');
  });

  test('one of more than 128 chunks is lost once, and the next one with its id, and others are not kept out', () => {
    const assembler = createGelfChunkAssembler();
    for (let sequence = 0; sequence < 129; sequence++) push(assembler, chunk(sequence, 129, 'x'), sequence);
    expect(assembler.counters.lost.too_many_chunks).toEqual({ messages: 1, bytes: 129 });
    expect(push(assembler, chunk(0, 1, 'small'), 200)).toBe('small');
    push(assembler, chunk(0, 129, 'x'), 6000);
    expect(assembler.counters.lost.too_many_chunks).toEqual({ messages: 2, bytes: 130 });
  });

  test('those that are given up are lost', () => {
    const assembler = createGelfChunkAssembler();
    push(assembler, chunk(0, 2, 'a'));
    push(assembler, chunk(1, 2, 'bb'), 0, ANOTHER_SENDER);
    assembler.giveUp();
    expect(assembler.counters.lost.incomplete).toEqual({ messages: 2, bytes: 3 });
    expect(assembler.counters.expiredMessages).toBe(0);
    expect([assembler.waitingMessages, assembler.waitingBytes]).toEqual([0, 0]);
  });
});

describe('splitting', () => {
  test('what fits is sent as it is, what does not is split, and splitting is undone by reassembly', () => {
    const payload = Buffer.from('x'.repeat(100));
    expect(splitIntoDatagrams(payload, ID, 100)).toEqual([payload]);
    const datagrams = splitIntoDatagrams(payload, ID, 99);
    expect(datagrams.map((datagram) => datagram.length)).toEqual([99, 25]);
    expect(datagrams.every(isGelfChunk)).toBe(true);
  });

  test('impossible requests say what to change', () => {
    expect(() => splitIntoChunks(Buffer.alloc(2000), ID, 20)).toThrow(
      'need 250 chunks of 20 bytes, more than 128',
    );
    expect(() => splitIntoChunks(Buffer.alloc(20), ID, 12)).toThrow('no room');
    expect(() => splitIntoChunks(Buffer.alloc(20), Buffer.alloc(7), 20)).toThrow('7');
  });
});

test('any order, duplication, loss and ports: a message comes out exactly when all its chunks came in, once, unchanged', () => {
  const message = fc.record({
    payload: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    size: fc.integer({ min: 13, max: 40 }),
    // Chunk by chunk. A copy of a datagram has its port, too.
    ports: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 200 }),
      (messages, picks) => {
        const assembler = createGelfChunkAssembler();
        const split = messages.map(({ payload, size }, n) => {
          const share = Math.max(size, 12 + Math.ceil(payload.length / 128));
          return splitIntoChunks(Buffer.from(payload), Buffer.alloc(8, n), share);
        });
        const missing = split.map((chunks) => new Set(chunks.keys()));
        for (const [which, part] of picks) {
          const m = which % split.length;
          const chunks = split[m]!;
          const c = part % chunks.length;
          const completes = missing[m]!.size === 1 && missing[m]!.has(c);
          missing[m]!.delete(c);
          const { ports } = messages[m]!;
          const sender = { ...SENDER, remotePort: ports[c % ports.length]! };
          const whole = assembler.push(chunks[c]!, sender, 0);
          if (completes) expect(whole).toEqual(Buffer.from(messages[m]!.payload));
          else expect(whole).toBeUndefined();
        }
        expect(assembler.counters.completeMessages).toBe(missing.filter((set) => set.size === 0).length);
        const unfinished = missing.filter((set, m) => set.size > 0 && set.size < split[m]!.length);
        expect(assembler.waitingMessages).toBe(unfinished.length);
      },
    ),
  );
});

test('random bytes from any port at any time never throw, and the next good message arrives', () => {
  const datagram = fc.record({
    // Few ids, numbers and counts, so that many chunks meet others of their message.
    header: fc.tuple(fc.nat(1), fc.nat(3), fc.integer({ min: 1, max: 3 })),
    bytes: fc.uint8Array({ maxLength: 40 }),
    isChunk: fc.boolean(),
    remotePort: fc.nat(3),
    pauseMs: fc.constantFrom(0, 0, 0, 1000, 5001),
  });
  fc.assert(
    fc.property(fc.array(datagram, { maxLength: 50 }), (datagrams) => {
      const assembler = createGelfChunkAssembler({ maxMessages: 8, maxBytes: 4096, maxRemembered: 16 });
      let now = 0;
      for (const { header, bytes, isChunk, remotePort, pauseMs } of datagrams) {
        now += pauseMs;
        const [id, sequence, count] = header;
        const start = isChunk ? chunk(sequence, count, '', Buffer.alloc(8, id)) : Buffer.from([0x1e, 0x0f]);
        assembler.push(Buffer.concat([start, bytes]), { ...SENDER, remotePort }, now);
        expect(assembler.waitingBytes).toBeLessThanOrEqual(4096);
        expect(assembler.waitingMessages).toBeLessThanOrEqual(8);
      }
      push(assembler, chunk(0, 2, 'go'), now, ANOTHER_SENDER);
      expect(push(assembler, chunk(1, 2, 'od'), now, ANOTHER_SENDER)).toBe('good');
      assembler.expire(now + 5001);
      expect([assembler.waitingMessages, assembler.waitingBytes]).toEqual([0, 0]);
    }),
  );
});
