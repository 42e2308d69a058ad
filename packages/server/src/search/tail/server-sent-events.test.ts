import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commentText, eventText, messagesEventText, messagesOf, readEvents } from './server-sent-events.ts';

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

test('events are read correctly, however their bytes are split', async () => {
  const message = fc.string({ unit: 'binary' }).map((text) => JSON.stringify({ text }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(message, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 40 })),
      async (batches, sizes) => {
        const text = batches
          .map((batch, index) => messagesEventText(`t/${index}`, batch))
          .join(commentText('x'));
        const read = [];
        for await (const event of readEvents(inPieces(text, sizes))) {
          if (event.data.length > 0) read.push(messagesOf(event));
        }
        expect(read).toEqual(batches);
      },
    ),
  );
});

test('the data of an event with messages is one JSON array', async () => {
  const text = messagesEventText('t/1', ['{"a":1}', '{"a":2}']) + eventText('status', '{"matched":2}');
  const events = await Array.fromAsync(readEvents(inPieces(text, [])));
  expect(events.map(({ event, data }) => [event, JSON.parse(data.join('\n'))])).toEqual([
    ['message', [{ a: 1 }, { a: 2 }]],
    ['status', { matched: 2 }],
  ]);
});

test('reading fails on an event that never ends', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(2 ** 20, 'x');
  }
  await expect(Array.fromAsync(readEvents(endless()))).rejects.toThrow(/too long/);
});
