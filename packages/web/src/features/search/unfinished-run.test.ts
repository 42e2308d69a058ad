import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { cancelRuns, messagesQuery } from './queries.ts';
import type { Run } from './run.ts';

const fetchBefore = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetchBefore;
});

const run: Run = {
  query: 'x',
  streams: [],
  span: { from: 0, to: 60_000 },
  zone: 'UTC',
  sort: 'timestamp:desc',
  startedAt: 1,
};
const PARTIAL = 'event: partial\ndata: {"messages":[],"searched_from":"1970-01-01T00:00:30.000Z"}\n\n';

/** A server that tells a part of the result, and then goes on searching until it is left. */
function endlessServer() {
  let searches = 0;
  globalThis.fetch = async (_input, init) => {
    searches += 1;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(PARTIAL));
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
  return { searches: () => searches };
}

/** Looks at the list, until the returned function is called. */
async function look(client: QueryClient) {
  const observer = new InfiniteQueryObserver(client, messagesQuery(run));
  const leave = observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages[0]?.searched_from).toBeDefined());
  return { leave, result: () => observer.getCurrentResult() };
}

test('a search that was left before it was done is done when somebody comes back', async () => {
  const server = endlessServer();
  const client = new QueryClient();
  (await look(client)).leave();
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  const { leave, result } = await look(client);
  await vi.waitFor(() => expect(server.searches()).toBe(2));
  expect(result().fetchStatus).toBe('fetching');
  leave();
  client.clear();
});

test('one that was cancelled stays as it is', async () => {
  const server = endlessServer();
  const client = new QueryClient();
  const first = await look(client);
  await cancelRuns(client);
  first.leave();
  const { leave, result } = await look(client);
  expect(result().fetchStatus).toBe('idle');
  expect(server.searches()).toBe(1);
  leave();
  client.clear();
});
