import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type AuthenticationResult,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Principal,
  TooManyRequestsError,
} from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { principalFor } from '#testing/api-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import type { TailStatus } from './follower.ts';
import { createLiveTail, type LiveTailSettings, type TailRequest } from './live-tail.ts';
import type { TailPeers } from './peer-tails.ts';
import type { TailDelivery, WantedTails } from './protocol.ts';
import { eventText, messagesEventText } from './server-sent-events.ts';

const users: Record<string, string[]> = {};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  users.admin = ['*'];
  users.ada = ['searches:relative', 'streams:read:a', 'streams:read:b'];
  users.bob = ['searches:relative', 'streams:read:a'];
});
afterEach(() => void vi.useRealTimers());

const user = (name: string): Principal => {
  const principal = principalFor(users, name);
  if (principal === undefined) throw new Error(`no user ${name}`);
  return principal;
};

interface SeenEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape
  readonly data: any;
}

/** The events that a client has received. */
function reading(stream: Readable) {
  let text = '';
  let hasEnded = false;
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream.on('end', () => {
    hasEnded = true;
  });
  const events = (): SeenEvent[] =>
    text.split('\n\n').flatMap((part) => {
      const data = [...part.matchAll(/^data: (.*)$/gm)].map((match) => match[1]).join('\n');
      return data === '' ? [] : [{ event: /^event: (.*)$/m.exec(part)?.[1] ?? '', data: JSON.parse(data) }];
    });
  return {
    text: () => text,
    events,
    of: (event: string) => events().flatMap((seen) => (seen.event === event ? [seen.data] : [])),
    messages: () =>
      events().flatMap((seen) => (seen.event === 'message' ? seen.data : [])) as { n: number }[],
    status: () => events().findLast((seen) => seen.event === 'status')?.data as TailStatus,
    id: () => events()[0]?.data.id as string,
    hasEnded: () => hasEnded,
  };
}

function fixture(config: Partial<LiveTailSettings> = {}, options: { readonly workers?: number } = {}) {
  const monotonic = new ManualClock(1000);
  const told: WantedTails[] = [];
  const workers = options.workers ?? 0;
  const tail = createLiveTail(
    {
      publish(wanted) {
        told.push(wanted);
        return workers;
      },
      parse(text) {
        if (text === '(') throw new InvalidError('the query is not understood');
        return { query: { type: 'all' }, warnings: [] };
      },
      asksForFailures: () => false,
      streamIds: () => ['a', 'b', 'c'],
      clock: new ManualClock(),
      monotonic,
      logger: createLogger({ level: 'silent' }),
    },
    { nodeId: 'node-1', maxFollowers: 5, maxFollowersPerUser: 3, ...config },
  );
  const wanted = () => told.at(-1)?.tails ?? [];

  return {
    tail,
    told,
    wanted,
    open(name: string, more: Partial<TailRequest> = {}) {
      return tail.open({
        principal: user(name),
        query: '*',
        streams: undefined,
        fields: undefined,
        rate: 1000,
        timeZone: 'UTC',
        peers: undefined,
        authenticate: () => principalFor(users, name) ?? { failure: 'wrong' },
        signal: new AbortController().signal,
        ...more,
      });
    },
    /** Delivers messages as a worker does. */
    deliver(texts: readonly string[], id = wanted()[0]?.id ?? 0, more: Partial<TailDelivery> = {}) {
      const update = {
        id,
        messages: texts.map((_, at) => at),
        matched: texts.length,
        dropped: 0,
        skipped: 0,
      };
      tail.delivered(0, { version: told.length, texts, tails: [update], stalled: false, ...more });
    },
    async pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        monotonic.advance(100);
        vi.advanceTimersByTime(100);
        await nextTurn();
      }
    },
  };
}

const json = (n: number) => JSON.stringify({ n });
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => json(from + index));

test('a follower gets its id, then messages immediately, then a status every second', async () => {
  const { deliver, open, pass, wanted } = fixture();
  const client = reading(open('admin', { query: 'red', fields: ['n'], rate: 7 }));
  await nextTurn();
  expect(client.of('open')).toEqual([
    { id: expect.stringMatching(/^node-1\../), query: 'red', streams: null, rate: 7, warnings: [] },
  ]);
  expect(wanted()).toMatchObject([
    { queryKey: '["UTC","red",null]', streams: undefined, fields: ['n'], rate: 7 },
  ]);
  deliver([json(1), json(2)]);
  await nextTurn();
  expect(client.messages()).toEqual([{ n: 1 }, { n: 2 }]);
  await pass(1000);
  expect(client.status()).toEqual({
    matched: 2,
    shown: 2,
    dropped: 0,
    skipped: 0,
    matched_per_second: 2,
    rate: 7,
    paused: false,
    new_messages: 0,
    stalled: false,
    nodes: 1,
    missing_nodes: [],
  });
  expect(client.text()).toMatch(/^id: 1$/m);
});

test('a follower gets the open event only when all workers know its tail', async () => {
  const { deliver, open, pass, tail, told } = fixture({}, { workers: 2 });
  const client = reading(open('admin'));
  await nextTurn();
  deliver([json(1)]);
  await nextTurn();
  expect(client.text()).toMatch(/^retry/);
  expect(client.events()).toEqual([]);
  tail.delivered(1, { version: told.length, texts: [], tails: [], stalled: false });
  await nextTurn();
  expect(client.events().map(({ event }) => event)).toEqual(['open', 'message']);
  // A worker that is down does not block it for long.
  const second = reading(open('admin', { query: 'red' }));
  await pass(500);
  expect(second.events()).toEqual([]);
  await pass(1000);
  expect(second.events()[0]?.event).toBe('open');
});

test('messages within a short time are sent together', async () => {
  const { deliver, open, pass } = fixture();
  const client = reading(open('admin'));
  await nextTurn();
  for (const n of [1, 2, 3]) {
    deliver([json(n)]);
    await nextTurn();
  }
  expect(client.of('message')).toHaveLength(1);
  await pass(100);
  expect(client.of('message')).toEqual([[{ n: 1 }], [{ n: 2 }, { n: 3 }]]);
});

test('followers with the same selection share a tail; each has its own rate', async () => {
  const { deliver, open, pass, wanted } = fixture();
  const quick = reading(open('admin', { rate: 100 }));
  const slow = reading(open('admin', { rate: 2 }));
  const other = reading(open('bob'));
  await nextTurn();
  expect(wanted()).toMatchObject([
    { id: 1, streams: undefined, rate: 100 },
    { id: 2, streams: ['a'] },
  ]);
  deliver(numbers(0, 5), 1);
  await pass(1000);
  expect(quick.messages()).toHaveLength(5);
  expect(slow.messages()).toHaveLength(2);
  expect(slow.status()).toMatchObject({ matched: 5, shown: 2, dropped: 3 });
  expect(other.messages()).toEqual([]);
});

test('a follower that disconnects is removed', async () => {
  const { open, told, wanted } = fixture();
  const first = open('admin');
  open('admin');
  await nextTurn();
  expect(wanted()).toHaveLength(1);
  first.destroy();
  await nextTurn();
  expect(wanted()).toHaveLength(1);
  const leaving = new AbortController();
  const second = open('bob', { signal: leaving.signal });
  const client = reading(second);
  await nextTurn();
  expect(wanted()).toHaveLength(2);
  leaving.abort();
  await nextTurn();
  expect(wanted()).toHaveLength(1);
  expect(client.of('end')).toMatchObject([{ reason: 'stopping' }]);
  expect(told.length).toBeGreaterThan(2);
});

test('while a tail is paused, workers only count and the status has the number of new messages', async () => {
  const { deliver, open, pass, tail, wanted } = fixture();
  const client = reading(open('ada'));
  await nextTurn();
  await tail.setPaused(user('ada'), client.id(), true);
  await nextTurn();
  expect(wanted()).toMatchObject([{ rate: 0 }]);
  deliver(numbers(0, 4));
  await pass(1000);
  expect(client.messages()).toEqual([]);
  expect(client.status()).toMatchObject({ paused: true, new_messages: 4, matched: 4, dropped: 0 });
  await tail.setPaused(user('ada'), client.id(), false);
  await nextTurn();
  expect(client.status()).toMatchObject({ paused: false, new_messages: 0 });
  expect(wanted()).toMatchObject([{ rate: 1000 }]);
  deliver([json(9)]);
  await pass(100);
  expect(client.messages()).toEqual([{ n: 9 }]);
});

test('only its owner can pause a tail', async () => {
  const { open, tail } = fixture();
  const client = reading(open('ada'));
  await nextTurn();
  await expect(tail.setPaused(user('admin'), client.id(), true)).rejects.toThrow(NotFoundError);
  await expect(tail.setPaused(user('ada'), 'node-1.nothing', true)).rejects.toThrow(NotFoundError);
  expect(tail.nodeOf(client.id())).toBe('node-1');
  expect(tail.nodeOf('nothing')).toBeUndefined();
});

test('messages for a client that does not read are dropped, not kept in memory', async () => {
  const { deliver, open, pass } = fixture({ maxPendingCharacters: 10_000 });
  const stream = open('admin');
  await nextTurn();
  const text = JSON.stringify({ n: 1, text: 'x'.repeat(100) });
  for (let round = 0; round < 100; round++) {
    deliver(Array(50).fill(text));
    await pass(100);
  }
  expect(stream.readableLength).toBeLessThan(30_000);
  const client = reading(stream);
  await pass(1000);
  const { dropped, matched, shown } = client.status();
  expect(matched).toBe(5000);
  expect(shown).toBeLessThan(250);
  expect(dropped).toBe(matched - shown);
  deliver([json(2)]);
  await pass(200);
  expect(client.messages().at(-1)).toEqual({ n: 2 });
});

test('an invalid query, a forbidden stream and an unknown time zone are refused', () => {
  const { open } = fixture();
  expect(() => open('admin', { query: '(' })).toThrow(InvalidError);
  expect(() => open('bob', { streams: ['a', 'b'] })).toThrow(ForbiddenError);
  expect(() => open('admin', { timeZone: 'Atlantis' })).toThrow(InvalidError);
});

test('there is a limit per user and a limit per node; tails of other nodes have their own', () => {
  const { open } = fixture();
  const peers: TailPeers = { active: () => [], open: () => Promise.reject(new Error('none')) };
  for (let count = 0; count < 3; count++) open('ada', { peers });
  expect(() => open('ada', { peers })).toThrow(TooManyRequestsError);
  const last = open('ada');
  for (let count = 0; count < 2; count++) open('bob', { peers });
  expect(() => open('bob', { peers })).toThrow(/live_tail_max_followers\b/);
  last.destroy();
});

test('a stream that the user may no longer read is removed from the tail within seconds', async () => {
  const { deliver, open, pass, wanted } = fixture();
  const client = reading(open('ada'));
  await nextTurn();
  const before = wanted()[0]?.id ?? 0;
  expect(wanted()).toMatchObject([{ streams: ['a', 'b'] }]);
  users.ada = ['searches:relative', 'streams:read:b'];
  await pass(3000);
  expect(wanted()).toMatchObject([{ streams: ['b'] }]);
  expect(client.of('access')).toEqual([{ streams: ['b'] }]);
  // Messages found with the old permissions are not shown.
  deliver([json(1)], before);
  await pass(100);
  expect(client.messages()).toEqual([]);
});

test('a tail ends when its user, session or permission is gone', async () => {
  for (const [permissions, reason] of [
    [undefined, 'unauthenticated'],
    [['streams:edit:a'], 'forbidden'],
  ] as const) {
    const { open, pass, wanted } = fixture();
    const client = reading(open('bob'));
    await nextTurn();
    if (permissions === undefined) delete users.bob;
    else users.bob = [...permissions];
    await pass(3000);
    expect(client.of('end')).toMatchObject([{ reason }]);
    expect(client.hasEnded()).toBe(true);
    expect(wanted()).toEqual([]);
    users.bob = ['searches:relative'];
  }
});

test('a tail is closed even if the client does not read its end', async () => {
  const { open, pass, wanted } = fixture();
  const stream = open('bob');
  await nextTurn();
  delete users.bob;
  await pass(3000);
  expect([wanted(), stream.destroyed]).toEqual([[], false]);
  await pass(5000);
  expect(stream.destroyed).toBe(true);
});

test('a tail stays open for a while when its permissions cannot be checked', async () => {
  const { open, pass } = fixture({ graceMs: 10_000 });
  const answers: (() => AuthenticationResult)[] = [];
  const authenticate = async () => {
    const answer = answers.shift() ?? (() => ({ failure: 'refused' }) as const);
    return answer();
  };
  answers.push(() => {
    throw new Error('the database is away');
  });
  const client = reading(open('admin', { authenticate }));
  await pass(8000);
  expect(client.of('end')).toEqual([]);
  await pass(5000);
  expect(client.of('end')).toMatchObject([{ reason: 'unchecked' }]);
});

test('the status says when messages wait in the journal', async () => {
  const { deliver, open, pass } = fixture();
  const client = reading(open('admin'));
  await nextTurn();
  deliver([], undefined, { tails: [], stalled: true });
  await pass(1000);
  expect(client.status()).toMatchObject({ stalled: true });
  deliver([], undefined, { tails: [], stalled: false });
  await pass(1000);
  expect(client.status()).toMatchObject({ stalled: false });
});

/** Another node that the test controls. */
function createPeer() {
  let push: ((text: string | undefined) => void) | undefined;
  let opened = 0;
  return {
    say: (text: string) => push?.(text),
    hangUp: () => push?.(undefined),
    opened: () => opened,
    async open(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
      opened += 1;
      const queue: (string | undefined)[] = [];
      let wake = Promise.withResolvers<void>();
      push = (text) => {
        queue.push(text);
        wake.resolve();
      };
      signal.addEventListener('abort', () => push?.(undefined));
      return (async function* () {
        for (;;) {
          await wake.promise;
          wake = Promise.withResolvers();
          for (const text of queue.splice(0)) {
            if (text === undefined) return;
            yield Buffer.from(text);
          }
        }
      })();
    },
  };
}

test('new nodes are followed, and nodes that are gone are dropped', async () => {
  const { open, pass } = fixture();
  const peer = createPeer();
  let active = ['node-2', 'node-3'];
  const peers: TailPeers = {
    active: () => active,
    open: (nodeId, signal) =>
      nodeId === 'node-2' ? peer.open(signal) : Promise.reject(new Error('status 503')),
  };
  const client = reading(open('admin', { peers }));
  await pass(1000);
  expect(client.status()).toMatchObject({ nodes: 1, missing_nodes: ['node-2', 'node-3'] });
  peer.say(eventText('open', '{}'));
  await pass(1000);
  expect(client.status()).toMatchObject({ nodes: 2, missing_nodes: ['node-3'] });
  peer.say(messagesEventText('x/1', [json(1), json(2)]));
  peer.say(eventText('status', JSON.stringify({ matched: 5, dropped: 3, skipped: 1, stalled: true })));
  await pass(1000);
  peer.say(eventText('status', JSON.stringify({ matched: 7, dropped: 4, skipped: 1 })));
  await pass(1000);
  expect(client.messages()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(client.status()).toMatchObject({ matched: 7, shown: 2, dropped: 4, skipped: 1 });
  expect(client.of('status').some((status) => status.stalled)).toBe(true);

  peer.hangUp();
  await pass(1000);
  expect(client.status()).toMatchObject({ nodes: 1, missing_nodes: ['node-2', 'node-3'] });
  await pass(5000);
  expect(peer.opened()).toBe(2);
  peer.say(messagesEventText('x/1', [json(3)]));
  await pass(200);
  expect(client.messages().at(-1)).toEqual({ n: 3 });
  active = [];
  await pass(2000);
  expect(client.status()).toMatchObject({ nodes: 1, missing_nodes: [] });
});
