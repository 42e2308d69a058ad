import { expect, test } from 'vitest';
import { serverEvents } from './server-events.ts';

async function read(pieces: readonly string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  return await Array.fromAsync(serverEvents(body));
}

const TEXT =
  ': hello\nretry: 3000\n\nevent: open\ndata: {"id":1}\n\nid: 1\nevent: message\ndata: [\ndata: 2\ndata: ]\n\ndata: x\n\n';
const EVENTS = [
  { event: 'open', data: '{"id":1}' },
  { event: 'message', data: '[\n2\n]' },
  { event: 'message', data: 'x' },
];

test('events are read however the answer is cut into pieces', async () => {
  expect(await read([TEXT])).toEqual(EVENTS);
  expect(await read([...TEXT])).toEqual(EVENTS);
  expect(await read([TEXT.replaceAll('\n', '\r\n')])).toEqual(EVENTS);
});

test('what is not finished is not told', async () => {
  expect(await read(['event: open\ndata: 1'])).toEqual([]);
});
