import { expect, test } from 'vitest';
import { createDecoder, createGelfEncoder, createMessageEncoder, gelfCodec } from '#codecs/index.ts';
import { createFieldLayouts, Message, messageIdText, type OutputBatch } from '#core/index.ts';
import { anIdentified } from '#testing/output-fixture.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { securedBy } from './queue/queue-record.ts';
import { payloadsOf } from './queue/queued-batch.ts';
import { createSharedEncodings } from './shared-encodings.ts';

function counted() {
  const encoded: Message[] = [];
  const create = () => {
    const encoder = createMessageEncoder();
    return {
      encode(message: Message) {
        encoded.push(message);
        return encoder.encode(message);
      },
    };
  };
  return { encoded, create };
}

const batchOf = (...messages: Message[]) => ({ firstOffset: 1, endOffset: 4, messages });

test('outputs of a kind share bytes: those of a whole batch, or else of each message', () => {
  const { encoded, create } = counted();
  const encodings = createSharedEncodings();
  const [first, second] = [
    encodings.use({ key: 'a', create }),
    encodings.use({ key: 'a', create: () => expect.fail() }),
  ];
  const messages = [anIdentified(1), anIdentified(2), anIdentified(3)];
  const whole = first.encodeBatch(batchOf(...messages));
  expect(second.encodeBatch(batchOf(...messages))).toBe(whole);
  const some = second.encodeBatch(batchOf(...messages.slice(1)));
  expect(some.runs.flatMap(({ starts }) => starts)).toHaveLength(2);
  expect(encoded).toEqual(messages);
  const [changed] = [anIdentified(1, { message: 'another one' })];
  const other = second.encodeBatch(batchOf(changed, ...messages.slice(1)));
  expect(other.bytes.includes('another one')).toBe(true);
  expect(encoded).toHaveLength(4);
});

test('other kinds have bytes of their own, and a kind nobody uses is forgotten', () => {
  const encodings = createSharedEncodings();
  const [one, other] = [counted(), counted()];
  const first = encodings.use({ key: 'one', create: one.create });
  const second = encodings.use({ key: 'other', create: other.create });
  const batch = batchOf(anIdentified(1));
  first.encodeBatch(batch);
  second.encodeBatch(batch);
  expect([one.encoded.length, other.encoded.length]).toEqual([1, 1]);
  first.release();
  first.release();
  const later = counted();
  encodings.use({ key: 'one', create: later.create }).encodeBatch(batch);
  expect(later.encoded).toHaveLength(1);
});

test('an encoder keeps no bytes when nobody shares it, even after it was released', () => {
  const { encoded, create } = counted();
  const encodings = createSharedEncodings();
  const only = encodings.use({ key: 'a', create });
  const other = encodings.use({ key: 'a', create });
  other.release();
  const batch = batchOf(anIdentified(1));
  only.encodeBatch(batch);
  only.encodeBatch(batch);
  expect(encoded).toHaveLength(2);
  only.release();
  only.encodeBatch(batch);
  only.encodeBatch(batch);
  expect(encoded).toHaveLength(4);
});

test('the memory of a batch is used again when all queues have it, and not before', () => {
  const { create } = counted();
  const encodings = createSharedEncodings();
  const [first, second] = [encodings.use({ key: 'a', create }), encodings.use({ key: 'a', create })];
  const batchAt = (offset: number) => ({
    firstOffset: offset,
    endOffset: offset + 1,
    messages: [anIdentified(offset)],
  });
  const slow = first.encodeBatch(batchAt(1));
  second.encodeBatch(batchAt(1)).release();
  const next = first.encodeBatch(batchAt(2));
  expect(next.bytes).not.toBe(slow.bytes);
  expect(slow.bytes.includes('message 1')).toBe(true);
  slow.release();
  expect(first.encodeBatch(batchAt(3)).bytes).toBe(slow.bytes);
  expect(next.bytes.includes('message 2')).toBe(true);
});

/** Messages of records from offset 40 on; every third one was changed. */
function decodedBatch(count: number): OutputBatch {
  const frame = (index: number) =>
    `{"version":"1.1","host":"a","short_message":"m${index}","timestamp":1.5,"level":6,"_n":${index}.0}`;
  const records = recordBatch(
    Array.from({ length: count }, (_, index) => ({ frame: frame(index) })),
    40,
  );
  const results: unknown[] = [];
  createDecoder(gelfCodec, { layouts: createFieldLayouts() }).decodeBatch(records, 0, count, results as []);
  const messages = results.filter((result) => result instanceof Message);
  for (const [index, message] of messages.entries()) {
    message.id = messageIdText({ receivedAt: message.receivedAt, partition: 3, offset: 40 + index });
    if (index % 3 !== 2) continue;
    message.gelfFrame = -1;
    message.setField('changed', true);
  }
  return { firstOffset: 40, endOffset: 40 + count, messages, records };
}

test('frames of messages that nothing has changed are passed on, in their places', () => {
  const encodings = createSharedEncodings();
  const encoding = { key: 'gelf', create: () => createGelfEncoder({ messageId: true, forwarder: 'us' }) };
  const [only, another] = [encodings.use(encoding), encodings.use(encoding)];
  const { records: _, ...without } = decodedBatch(10);
  const batches = {
    passed: decodedBatch(10),
    shared: decodedBatch(10),
    // Replayed batches come without records.
    encoded: without,
  };
  const texts = Object.entries(batches).map(([name, batch]) => {
    const queued = only.encodeBatch(batch);
    expect(
      queued.runs.flatMap(({ starts }) => starts).map((at) => securedBy(queued.bytes.subarray(at))),
    ).toEqual(batch.messages.map((_message, index) => 41 + index));
    const some = { ...batch, messages: batch.messages.slice(1) };
    const rest = name === 'shared' ? another.encodeBatch(some) : queued;
    return [...payloadsOf(name === 'shared' ? some : batch, rest).values()].map(String).slice(-9);
  });
  const [passed, shared, encoded] = texts;
  expect(shared).toEqual(passed);
  expect(passed?.map((text) => JSON.parse(text))).toEqual(encoded?.map((text) => JSON.parse(text)));
  expect(passed?.map((text) => /"_n":\d\.0/.test(text))).toEqual(
    Array.from({ length: 9 }, (_, index) => index % 3 !== 1),
  );
  expect(encoded?.some((text) => text.includes('.0,'))).toBe(false);
});
