import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFieldLayouts, type FieldValue, type Message, type RoutingTarget } from '#core/index.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { DEFAULT_SET, testSnapshot } from '#testing/writer-fixture.ts';
import { messagesOfBlock } from './block-messages.ts';
import { readNativeBlock } from './clickhouse/index.ts';
import { createMessageBlock } from './message-block.ts';
import { SeenFields } from './seen-fields.ts';
import { createPendingBlocks } from './writer/pending-blocks.ts';

const CONFIG = { indexSetId: 'set-a', nodeId: 'node-1' };

/** What a message says, without what storage does not keep. */
function contentOf(message: Message) {
  const { size: _, notes: __, layout, ...rest } = message;
  const { message: text, fullMessage, values } = message;
  const fields = layout.names.flatMap((name, position) => {
    const value = values[position];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...rest, text, fullMessage, fields: new Map(fields) };
}

function storedAndRead(entries: readonly (readonly [Message, RoutingTarget])[]) {
  const block = createMessageBlock(CONFIG);
  for (const [message, target] of entries) block.append(message, target);
  return messagesOfBlock(block.encode(3), CONFIG.indexSetId, createFieldLayouts());
}

// Halves of surrogate pairs have no UTF-8; they become U+FFFD, which is tested where the bytes are made.
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.toWellFormed());
const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  text,
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const fieldName = fc.oneof(
  fc.constantFrom('a', 'a.b', 'a%2Eb', 'a%b', '__proto__', 'constructor', 'Ä.-_'),
  fc.stringMatching(/^[\w.%-]{1,12}$/),
);
const anyMessage = fc
  .record({
    offset: fc.integer({ min: 0, max: 2 ** 40 - 1 }),
    receivedAt: fc.integer({ min: 0, max: Date.UTC(2299, 0, 1) }),
    timestamp: fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2299, 0, 1) }),
    source: text,
    message: text,
    fullMessage: fc.option(
      text.filter((value) => value !== ''),
      { nil: undefined },
    ),
    level: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    fields: fc.uniqueArray(fc.tuple(fieldName, fieldValue), { selector: ([name]) => name, maxLength: 8 }),
    inputId: text,
    remoteAddress: text,
    remotePort: fc.integer({ min: 0, max: 65_535 }),
  })
  .map(({ offset, ...parts }) => testMessage({ ...parts, id: testMessageId(offset, parts.receivedAt) }));
const anyTarget = fc.constantFrom(
  testTarget(['set-a'], ['s1']),
  testTarget(['set-a'], ['s1', 's2', 's3']),
  testTarget(['set-a', 'set-b'], ['s2']),
);

describe('a block of messages', () => {
  test('keeps everything of every message', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyMessage, anyTarget), { maxLength: 20 }), (entries) => {
        const read = storedAndRead(entries);
        expect(read.map(({ message }) => contentOf(message))).toEqual(
          entries.map(([message, target]) => ({ ...contentOf(message), streams: target.streamIds })),
        );
        expect(read.map(({ target }) => target)).toEqual(entries.map(([, target]) => target));
      }),
    );
  });

  test('keeps nothing of the rows before it was cleared', () => {
    const rows = fc.array(fc.tuple(anyMessage, anyTarget), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(rows, { minLength: 2, maxLength: 5 }), (batches) => {
        const reused = createMessageBlock(CONFIG);
        for (const entries of batches) {
          const fresh = createMessageBlock(CONFIG);
          for (const [message, target] of entries) {
            reused.append(message, target);
            fresh.append(message, target);
          }
          expect(reused.rows).toBe(entries.length);
          expect(reused.encode(7).equals(fresh.encode(7))).toBe(true);
          reused.clear();
        }
        expect({ rows: reused.rows, bytes: reused.frameBytes }).toEqual({ rows: 0, bytes: 0 });
      }),
    );
  });

  test('ten thousand fields over a run: each block has its own only, each is reported once', () => {
    const seenFields = new SeenFields('set-a');
    const block = createMessageBlock({ ...CONFIG, seenFields });
    const reported: string[] = [];
    const sizes: number[] = [];
    for (let round = 0; round < 100; round++) {
      const names = Array.from({ length: 100 }, (_, place) => `field_${round}_${place}`.padEnd(16, '_'));
      const fields = Object.fromEntries(names.map((name, place) => [name, place]));
      for (let row = 0; row < 2; row++) block.append(testMessage({ fields }), testTarget(['set-a']));
      const encoded = block.encode(0);
      sizes.push(encoded.length);
      const [first] = readNativeBlock(encoded).column('fields') as Map<string, unknown>[];
      expect([...(first ?? new Map()).keys()].sort()).toEqual([...names].sort());
      reported.push(...seenFields.takeNews().map(({ name }) => name));
      block.clear();
    }
    expect(reported).toHaveLength(10_000);
    expect(new Set(reported).size).toBe(10_000);
    expect(new Set(sizes).size).toBe(1);
  });

  test('puts all rows into the index it is encoded for', () => {
    const block = createMessageBlock(CONFIG);
    for (let row = 0; row < 3; row++) block.append(testMessage(), testTarget(['set-a']));
    expect(readNativeBlock(block.encode(5)).column('index_number')).toEqual([5, 5, 5]);
    expect(readNativeBlock(block.encode(4_000_000_000)).column('index_number')).toEqual(
      Array(3).fill(4_000_000_000),
    );
  });

  test('joins what is searched for words: message, full message, source and string fields', () => {
    const block = createMessageBlock(CONFIG);
    const fields = { a: 'one', n: 42, b: true, c: 'zwölf' };
    block.append(
      testMessage({ message: 'short', fullMessage: 'long\ntext', source: 'web-1', fields }),
      testTarget(['set-a']),
    );
    block.append(
      testMessage({ message: '', fullMessage: '', source: '', fields: {} }),
      testTarget(['set-a']),
    );
    const read = readNativeBlock(block.encode(0));
    expect(read.column('text')).toEqual(['short\x1flong\ntext\x1fweb-1\x1fone\x1fzwölf', '']);
    expect(read.column('message_length')).toEqual([5, 0]);
    expect(read.column('full_message_length')).toEqual([9, 0]);
  });

  test('does not repeat words that are already in the message', () => {
    const block = createMessageBlock(CONFIG);
    const fields = { method: 'GET', path: '/a/b', part: 'TARG', end: 'now', umlaut: 'Ä', inside: 'b TARGET' };
    block.append(
      testMessage({ message: 'GET /a/b TARGET now', source: 'now', fields }),
      testTarget(['set-a']),
    );
    block.append(testMessage({ message: 'üGETü', source: 'GET', fields: {} }), testTarget(['set-a']));
    expect(readNativeBlock(block.encode(0)).column('text')).toEqual([
      'GET /a/b TARGET now\x1fTARG\x1fÄ',
      'üGETü\x1fGET',
    ]);
  });

  test('texts of any length and alphabet stay as they are, whether the message has them or not', () => {
    const texts = [
      '',
      'plain',
      'é',
      'a plain text that is not short',
      'größer als zwanzig Zeichen',
      '\u{1F600}'.repeat(20),
    ];
    const fields = Object.fromEntries(
      [...texts, 'x'.repeat(127), 'x'.repeat(128), 'ÿ'.repeat(64), 'x'.repeat(20_000)].map((value, index) => [
        `f${index}`,
        value,
      ]),
    );
    const messages = [...texts, texts.join(' '), 'nothing of it'].map((message) =>
      testMessage({ message, id: testMessageId(1), fields }),
    );
    const read = storedAndRead(messages.map((message) => [message, testTarget(['set-a'])]));
    for (const { message } of read)
      expect(contentOf(message).fields).toEqual(new Map(Object.entries(fields)));
  });

  test('clamps values to the range of their column', () => {
    const read = (message: Message, column: string) => {
      const block = createMessageBlock(CONFIG);
      block.append(message, testTarget(['set-a']));
      return readNativeBlock(block.encode(0)).column(column)[0];
    };
    const year = (value: number) => BigInt(Date.UTC(value, 0, 1));
    expect(read(testMessage({ timestamp: -1e15 }), 'timestamp')).toBe(year(1900));
    expect(read(testMessage({ timestamp: 1e15 }), 'timestamp')).toBe(year(2300) - 1n);
    expect(read(testMessage({ timestamp: Number.NaN, receivedAt: 5000 }), 'timestamp')).toBe(5000n);
    expect(read(testMessage({ timestamp: 1.75 }), 'timestamp')).toBe(1n);
    expect(read(testMessage({ level: -1 }), 'level')).toBe(0);
    expect(read(testMessage({ level: 2 ** 40 }), 'level')).toBe(2 ** 31 - 1);
    expect(read(testMessage({ level: Number.NaN }), 'level')).toBe(0);
    expect(read(testMessage({ remotePort: 70_000 }), 'remote_port')).toBe(0);
    const beyond = testMessage({ fields: { big: 2n ** 64n, small: -(2n ** 70n) } });
    expect(read(beyond, 'fields')).toEqual(
      new Map([
        ['big', '18446744073709551616'],
        ['small', '-1180591620717411303424'],
      ]),
    );
  });

  test('reports every field and type once', () => {
    const seenFields = new SeenFields('set-a');
    const block = createMessageBlock({ ...CONFIG, seenFields });
    const append = (fields: Record<string, FieldValue>) =>
      block.append(testMessage({ fields }), testTarget(['set-a']));
    append({ a: 'x', b: 1 });
    append({ a: 'y', b: 2n ** 60n });
    append({ b: 1, a: 'z' });
    const { streamIds } = testTarget(['set-a']);
    const field = (name: string, type: string) => ({ indexSetId: 'set-a', name, type, streamIds });
    expect(seenFields.takeNews()).toEqual([field('a', 'string'), field('b', 'number')]);
    append({ a: true, b: 3 });
    append({ a: 1, 'c.d': 'x' });
    expect(seenFields.takeNews()).toEqual([
      field('a', 'boolean'),
      field('a', 'number'),
      field('c.d', 'string'),
    ]);
    expect(seenFields.takeNews()).toEqual([]);
  });

  test('reports a field once for each stream', () => {
    const seenFields = new SeenFields('set-a');
    const block = createMessageBlock({ ...CONFIG, seenFields });
    const [one, both] = [testTarget(['set-a'], ['s1']), testTarget(['set-a'], ['s1', 's2'])];
    const append = (target: RoutingTarget, fields: Record<string, FieldValue>) =>
      block.append(testMessage({ fields }), target);
    const news = () => seenFields.takeNews().map(({ name, type, streamIds }) => [name, type, streamIds]);
    append(one, { a: 'x', b: 1 });
    append(both, { a: 'x' });
    expect(news()).toEqual([
      ['a', 'string', ['s1']],
      ['b', 'number', ['s1']],
      ['a', 'string', ['s2']],
    ]);
    for (const target of [one, both, one, testTarget(['set-a'], ['s2'])]) append(target, { a: 'y' });
    expect(news()).toEqual([]);
    block.clear();
    append(both, { a: 'x', b: true });
    append(both, { a: 'x', b: 2 });
    expect(news()).toEqual([
      ['b', 'boolean', ['s1', 's2']],
      ['b', 'number', ['s2']],
    ]);
  });

  test('reports exactly what the messages of each stream have, whatever their order', () => {
    const streams = fc.subarray(['s1', 's2', 's3'], { minLength: 1 });
    const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fieldValue, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(streams, fields), { maxLength: 40 }), (entries) => {
        const seenFields = new SeenFields('set-a');
        const block = createMessageBlock({ ...CONFIG, seenFields });
        const layouts = createFieldLayouts({ maxLayouts: 4 });
        const targets = new Map<string, RoutingTarget>();
        const expected = new Set<string>();
        for (const [streamIds, values] of entries) {
          const target = targets.get(streamIds.join()) ?? testTarget(['set-a'], streamIds);
          targets.set(streamIds.join(), target);
          block.append(testMessage({ fields: values }, layouts), target);
          for (const [name, value] of Object.entries(values)) {
            const type = typeof value === 'bigint' ? 'number' : typeof value;
            for (const id of streamIds) expected.add(`${id} ${name} ${type}`);
          }
        }
        const reported = seenFields
          .takeNews()
          .flatMap(({ name, type, streamIds }) => streamIds.map((id) => `${id} ${name} ${type}`));
        expect(new Set(reported)).toEqual(expected);
        expect(reported).toHaveLength(expected.size);
      }),
    );
  });

  test('50 000 messages with one distinct field name each stay within a small multiple of their bytes', () => {
    const pending = createPendingBlocks(testSnapshot(1), { nodeId: 'node-1' });
    const target = testTarget([DEFAULT_SET]);
    let sent = 0;
    for (let index = 0; index < 50_000; index++) {
      const fields = { [`session_${index.toString(16)}_clicks`]: 'x' };
      const message = testMessage({ id: testMessageId(index, 1000), message: 'a page was shown', fields });
      pending.append({ firstOffset: index, endOffset: index + 1, messages: [message], targets: [target] });
      sent += 160;
    }
    const estimated = pending.byteLength;
    const blocks = pending.take(() => 0);
    const encoded = blocks.reduce((sum, { block }) => sum + block.length, 0);
    expect(blocks.reduce((sum, { rows }) => sum + rows, 0)).toBe(50_000);
    expect(new Set(blocks.map(({ fingerprint }) => fingerprint)).size).toBe(blocks.length);
    expect(Math.max(...blocks.map(({ block }) => block.length))).toBeLessThan(4 * 2 ** 20);
    expect(encoded).toBeLessThan(sent * 16);
    expect(encoded).toBeLessThan(estimated * 1.2);
    expect(pending.byteLength).toBeLessThan(4096);
  });

  test('messages with many common fields stay together', () => {
    const pending = createPendingBlocks(testSnapshot(1), { nodeId: 'node-1' });
    const target = testTarget([DEFAULT_SET]);
    const names = Array.from({ length: 200 }, (_, place) => `EventData_field_${place}`);
    for (let index = 0; index < 5000; index++) {
      const fields = Object.fromEntries(
        names
          .filter((_, place) => (place + index) % 3 === 0)
          .map((name) => [name, `value ${index} of ${name}`]),
      );
      const message = testMessage({ id: testMessageId(index, 1000), fields });
      pending.append({ firstOffset: index, endOffset: index + 1, messages: [message], targets: [target] });
    }
    expect(pending.take(() => 0)).toHaveLength(1);
  });

  test('grows in bytes with what is in it', () => {
    const block = createMessageBlock(CONFIG);
    block.append(testMessage({ message: 'x'.repeat(2 ** 20) }), testTarget(['set-a']));
    expect(block.byteLength).toBeGreaterThan(2 ** 20);
    expect(block.encode(0).length).toBeLessThan(block.byteLength + 4096);
  });
});

test('fields are stored with the types that somebody chose, from then on', () => {
  const block = createMessageBlock({ ...CONFIG, fieldTypes: { port: 'long' } });
  const fields = [
    ['port', '8080'],
    ['user', 7],
  ] as const;
  const target = testTarget([CONFIG.indexSetId]);
  const message = testMessage({ fields });
  block.append(message, target);
  block.append(testMessage({ fields: [['port', 'none']] }), target);
  block.useFieldTypes({ user: 'string' });
  block.append(message, target);
  block.useFieldTypes(undefined);
  block.append(message, target);
  const read = messagesOfBlock(block.encode(0), CONFIG.indexSetId, createFieldLayouts());
  expect(read.map((each) => Object.fromEntries(contentOf(each.message).fields))).toEqual([
    { port: 8080, user: 7 },
    { port: 'none' },
    { port: '8080', user: '7' },
    { port: '8080', user: 7 },
  ]);
});
