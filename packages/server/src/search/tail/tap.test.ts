import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FAILURE_STREAM_ID, type Message } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { testMessage } from '#testing/messages.ts';
import type { MessagePredicate } from '../query/index.ts';
import type { TailDelivery, WantedTail } from './protocol.ts';
import { createTailTap, type TailTapSettings } from './tap.ts';

/** By what stands in the place of a field in the queries of these tests. */
const PREDICATES: Readonly<Record<string, MessagePredicate>> = {
  '*': () => true,
  red: (message) => message.message.includes('red'),
  slow: () => true,
  broken: () => {
    throw new Error('a fault');
  },
  '/regex/': (message) => {
    if (!message.message.startsWith('endless')) return true;
    for (;;);
  },
};
/** A query that may take long for one message. */
const REGEX = {
  type: 'match',
  field: 'message',
  match: { type: 'regex', source: 'regex' },
  at: { from: 0, to: 0 },
} as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function wanted(id: number, queryKey: string, more: Partial<WantedTail> = {}): WantedTail {
  return {
    id,
    query: { type: 'exists', field: queryKey, at: { from: 0, to: 0 } },
    queryKey,
    now: 0,
    timeZone: 'UTC',
    streams: undefined,
    visibleStreams: undefined,
    includesFailures: false,
    fields: ['message'],
    rate: 100,
    ...more,
  };
}

function fixture(config: TailTapSettings = {}) {
  const monotonic = new ManualClock(1000);
  const deliveries: TailDelivery[] = [];
  const compiled: string[] = [];
  const errors: unknown[] = [];
  /** The cost of testing one message. */
  const cost = { milliseconds: 0 };
  const tested: string[] = [];
  let version = 0;
  /** How much the thread works between two looks at its clock. */
  const work = { milliseconds: 1000 };
  let worked = 0;
  const tap = createTailTap(
    {
      monotonic,
      threadTime: {
        now() {
          worked += work.milliseconds;
          return worked;
        },
      },
      utilization: () => 1,
      compile(query) {
        const queryKey = query.type === 'exists' ? query.field : '/regex/';
        compiled.push(queryKey);
        return (message) => {
          tested.push(message.message);
          monotonic.advance(queryKey === 'slow' ? 4 : cost.milliseconds);
          return PREDICATES[queryKey]?.(message) ?? false;
        };
      },
      post: (delivery) => deliveries.push(delivery),
      logger: { error: (details: unknown) => void errors.push(details) },
    },
    config,
  );
  return {
    tap,
    deliveries,
    compiled,
    errors,
    cost,
    work,
    tested,
    monotonic,
    follow(...tails: WantedTail[]) {
      version += 1;
      tap.follow({ version, nodeId: 'node-1', tails });
      // Drops the delivery with the version; most tests are about other deliveries.
      expect(deliveries.at(-1)?.version).toBe(version);
      if (deliveries.at(-1)?.tails.length === 0 && !deliveries.at(-1)?.stalled) deliveries.pop();
      tap.delivered();
    },
    pass(milliseconds: number) {
      monotonic.advance(milliseconds);
      vi.advanceTimersByTime(milliseconds);
    },
    /** The messages and counts of a tail over all deliveries. */
    shown(id: number) {
      const update = deliveries.flatMap(({ tails, texts }) =>
        tails.filter((tail) => tail.id === id).map((tail) => ({ tail, texts })),
      );
      const sum = (count: 'matched' | 'dropped' | 'skipped') =>
        update.reduce((total, { tail }) => total + tail[count], 0);
      return {
        messages: update.flatMap(({ tail, texts }) =>
          tail.messages.map((place) => (JSON.parse(texts[place] ?? '') as { message: string }).message),
        ),
        matched: sum('matched'),
        dropped: sum('dropped'),
        skipped: sum('skipped'),
      };
    },
  };
}

function messages(count: number, streams: readonly string[] = ['s1'], text = 'message'): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const message = testMessage({ message: `${text} ${index}` });
    message.streams = streams;
    return message;
  });
}

test('without a follower nothing is tested or posted', () => {
  const { tap, deliveries, tested } = fixture();
  tap.observe({ messages: messages(10) });
  expect([deliveries, tested]).toEqual([[], []]);
});

test('followers get matching messages; each query runs once per message, and each message is written once', () => {
  const { tap, compiled, deliveries, follow, tested, shown } = fixture();
  follow(wanted(1, 'red'), wanted(2, 'red'), wanted(3, '*'));
  tap.observe({ messages: [...messages(1, ['s1'], 'red'), ...messages(1, ['s1'], 'blue')] });
  expect(compiled).toEqual(['red', '*']);
  expect(tested).toHaveLength(4);
  expect(deliveries).toHaveLength(1);
  expect(deliveries[0]?.texts).toHaveLength(2);
  expect(shown(1)).toEqual({ messages: ['red 0'], matched: 1, dropped: 0, skipped: 0 });
  expect(shown(2)).toEqual(shown(1));
  expect(shown(3).messages).toEqual(['red 0', 'blue 0']);
  follow(wanted(1, 'red'));
  expect(compiled).toHaveLength(2);
});

test('only messages of the streams of a tail are tested; failures only on request', () => {
  const { tap, follow, tested, pass, shown } = fixture();
  follow(
    wanted(1, 'red', { streams: ['s1', 's3'] }),
    wanted(2, '*'),
    wanted(3, '*', { includesFailures: true }),
    wanted(4, '*', { streams: [FAILURE_STREAM_ID] }),
  );
  tap.observe({ messages: messages(1, ['s2'], 'red') });
  expect(tested).toHaveLength(1);
  tap.observe({ messages: messages(1, ['s2', 's3'], 'red') });
  tap.observe({ messages: messages(1, [FAILURE_STREAM_ID], 'red failure') });
  pass(50);
  expect(shown(1).messages).toEqual(['red 0']);
  expect(shown(2).messages).toEqual(['red 0', 'red 0']);
  expect(shown(3).messages).toEqual(['red 0', 'red 0', 'red failure 0']);
  expect(shown(4).messages).toEqual(['red failure 0']);
});

test('a removed tail gets nothing', () => {
  const { tap, deliveries, follow } = fixture();
  follow(wanted(1, '*'));
  follow();
  tap.observe({ messages: messages(1) });
  expect(deliveries).toEqual([]);
});

test('messages beyond the rate are dropped and counted, until time has passed', () => {
  const { tap, follow, pass, shown } = fixture();
  follow(wanted(1, '*', { rate: 10 }));
  tap.observe({ messages: messages(25) });
  expect(shown(1)).toMatchObject({ matched: 25, dropped: 15 });
  pass(500);
  tap.observe({ messages: messages(25) });
  expect(shown(1)).toMatchObject({ matched: 50, dropped: 35 });
  expect(shown(1).messages).toHaveLength(15);
});

test('with a rate of 0, matches are only counted', () => {
  const { tap, deliveries, follow, shown } = fixture();
  follow(wanted(1, '*', { rate: 0 }));
  tap.observe({ messages: messages(5) });
  expect(shown(1)).toEqual({ messages: [], matched: 5, dropped: 0, skipped: 0 });
  expect(deliveries[0]?.texts).toEqual([]);
});

test('the rate of a tail can change while it is followed', () => {
  const { tap, follow, pass, shown } = fixture();
  follow(wanted(1, '*', { rate: 0 }));
  tap.observe({ messages: messages(5) });
  follow(wanted(1, '*', { rate: 10 }));
  pass(1000);
  tap.observe({ messages: messages(2) });
  expect(shown(1)).toEqual({ messages: ['message 0', 'message 1'], matched: 7, dropped: 0, skipped: 0 });
});

test('a tail that was paused shows the very next message', () => {
  const { tap, follow, pass, shown } = fixture();
  follow(wanted(1, '*', { rate: 10 }));
  follow(wanted(1, '*', { rate: 0 }));
  tap.observe({ messages: messages(5) });
  follow(wanted(1, '*', { rate: 10 }));
  tap.observe({ messages: messages(1) });
  // Past the shortest time between two deliveries; too short for a message at this rate.
  pass(50);
  expect(shown(1)).toEqual({ messages: ['message 0'], matched: 6, dropped: 0, skipped: 0 });
});

test('messages beyond the time allowance are skipped and counted', () => {
  const { tap, cost, follow, tested, monotonic, pass, shown } = fixture({ share: 0.1 });
  follow(wanted(1, '*', { rate: 1000 }));
  cost.milliseconds = 1;
  tap.observe({ messages: messages(100) });
  const first = tested.length;
  expect(first).toBeLessThan(20);
  // Of a second, a tenth is for the tail.
  for (let batch = 0; batch < 100; batch++) {
    monotonic.advance(10);
    tap.observe({ messages: messages(100) });
  }
  pass(100);
  expect(tested.length - first).toBeGreaterThan(80);
  expect(tested.length - first).toBeLessThan(150);
  const { matched, skipped } = shown(1);
  expect(matched).toBe(tested.length);
  expect(matched + skipped).toBe(101 * 100);
});

test('a small batch is tested even if the allowance is spent, so that a quiet node misses nothing', () => {
  const { tap, cost, follow, pass, shown } = fixture({ share: 0.1 });
  follow(wanted(1, '*', { rate: 1000 }));
  // As if the worker had been interrupted during a test.
  cost.milliseconds = 40;
  tap.observe({ messages: messages(100) });
  pass(100);
  const { skipped } = shown(1);
  expect(skipped).toBeGreaterThan(0);
  for (let batch = 0; batch < 5; batch++) {
    tap.delivered();
    tap.observe({ messages: messages(2, ['s1'], 'late') });
  }
  pass(100);
  expect(shown(1).skipped).toBe(skipped);
  expect(shown(1).messages.filter((text) => text.startsWith('late'))).toHaveLength(10);
});

test('queries share the allowance evenly; an expensive query does not take the time of others', () => {
  const { tap, cost, follow, monotonic, pass, shown } = fixture({ share: 0.2 });
  follow(wanted(1, '*', { rate: 1000 }), wanted(2, 'red', { rate: 1000 }), wanted(3, 'slow', { rate: 1000 }));
  cost.milliseconds = 0.5;
  for (let batch = 0; batch < 100; batch++) {
    monotonic.advance(10);
    tap.observe({ messages: messages(50, ['s1'], 'red') });
  }
  pass(100);
  const [one, two, slow] = [shown(1).matched, shown(2).matched, shown(3).matched];
  // A little more than 200 ms, a third for each query, half a millisecond per test.
  expect(one).toBeGreaterThan(100);
  expect(Math.abs(one - two)).toBeLessThan(one / 5);
  expect(slow).toBeLessThan(one / 2);
  expect(slow).toBeGreaterThan(0);
});

test('unused time of cheap queries goes to an expensive one', () => {
  const { tap, follow, tested, monotonic, pass, shown } = fixture({ share: 0.2 });
  follow(wanted(1, 'slow', { rate: 1000 }), ...[2, 3, 4, 5].map((id) => wanted(id, `nothing ${id}`)));
  for (let batch = 0; batch < 100; batch++) {
    monotonic.advance(10);
    tap.observe({ messages: messages(50) });
  }
  pass(100);
  // At 4 ms per test, its own fifth of the allowance would be enough for 10.
  expect(shown(1).matched).toBeGreaterThan(35);
  expect(tested.length).toBeGreaterThan(4 * 100 * 50);
});

test('a restricted follower does not see the volume of other streams', () => {
  const { tap, cost, follow, pass, shown } = fixture({ share: 0.1 });
  follow(wanted(1, '*', { streams: ['mine'] }), wanted(2, '*'));
  cost.milliseconds = 5;
  tap.observe({ messages: messages(1000, ['other']) });
  pass(100);
  expect(shown(2).skipped).toBeGreaterThan(900);
  expect(shown(1).skipped).toBe(0);
});

test('messages within a short time are posted together', () => {
  const { tap, deliveries, follow, pass, shown } = fixture();
  follow(wanted(1, '*'));
  tap.observe({ messages: messages(1) });
  for (let batch = 0; batch < 5; batch++) tap.observe({ messages: messages(1) });
  expect(deliveries).toHaveLength(1);
  pass(40);
  expect(deliveries).toHaveLength(2);
  expect(shown(1).messages).toHaveLength(6);
});

test('deliveries are bounded while the main thread takes none', () => {
  const { tap, deliveries, follow, pass, shown } = fixture({ maxOutstanding: 2 });
  follow(wanted(1, '*'));
  for (let batch = 0; batch < 5; batch++) {
    tap.observe({ messages: messages(1) });
    pass(100);
  }
  expect(deliveries).toHaveLength(2);
  tap.delivered();
  tap.delivered();
  pass(100);
  expect(shown(1)).toMatchObject({ matched: 5, dropped: 3 });
  expect(shown(1).messages).toHaveLength(2);
});

test('there is also a limit for the length of messages', () => {
  const { tap, follow, pass, shown } = fixture();
  follow(wanted(1, '*', { rate: 1000 }));
  const long = 'x'.repeat(16_000);
  tap.observe({ messages: messages(500, ['s1'], long) });
  tap.delivered();
  pass(50);
  const { messages: seen, dropped } = shown(1);
  expect(seen.length).toBeLessThan(200);
  expect(seen.length + dropped).toBe(500);
});

test('an error in a predicate affects only its own followers', () => {
  const { tap, errors, follow, pass, shown } = fixture();
  follow(wanted(1, 'broken'), wanted(2, '*'));
  tap.observe({ messages: messages(3) });
  tap.observe({ messages: messages(3) });
  pass(50);
  expect(errors).toHaveLength(1);
  expect(shown(1).matched).toBe(0);
  expect(shown(2).matched).toBe(6);
});

test('a long wait for storage is reported, a short one is not', () => {
  const { tap, deliveries, follow, pass } = fixture();
  const reader = {};
  follow(wanted(1, '*'));
  tap.waitBegins(reader);
  pass(900);
  tap.waitEnds(reader);
  expect(deliveries).toEqual([]);
  tap.waitBegins(reader);
  pass(1100);
  expect(deliveries.map(({ stalled }) => stalled)).toEqual([true]);
  // A new follower gets the state, too.
  follow(wanted(1, '*'), wanted(2, '*'));
  pass(100);
  tap.waitEnds(reader);
  pass(100);
  expect(deliveries.map(({ stalled }) => stalled)).toEqual([true, true, false]);
});

test('a wait that started before the first follower is reported', () => {
  const { tap, deliveries, follow, pass } = fixture();
  tap.waitBegins({});
  pass(5000);
  follow(wanted(1, '*'));
  pass(1100);
  expect(deliveries.map(({ stalled }) => stalled)).toEqual([true]);
});

test('a message does not name streams that its follower may not read', () => {
  const { tap, follow, deliveries, compiled } = fixture();
  const fields = ['streams'];
  follow(
    wanted(1, '* of all', { query: { type: 'exists', field: '*', at: { from: 0, to: 0 } }, fields }),
    wanted(2, '* of one', {
      query: { type: 'exists', field: '*', at: { from: 0, to: 0 } },
      fields,
      streams: ['s1'],
      visibleStreams: ['s1'],
    }),
  );
  tap.observe({ messages: messages(1, ['s1', 's2']) });
  const streams = (id: number) =>
    deliveries.flatMap(({ tails, texts }) =>
      tails
        .filter((tail) => tail.id === id)
        .flatMap((tail) => tail.messages.map((place) => JSON.parse(texts[place] ?? '').streams)),
    );
  expect(streams(1)).toEqual([['s1', 's2']]);
  expect(streams(2)).toEqual([['s1']]);
  expect(compiled).toHaveLength(2);
});

test('a regular expression that takes long is interrupted and rests; other tails go on', () => {
  const { tap, follow, shown, pass, compiled } = fixture();
  follow(wanted(1, '*'), wanted(2, '/regex/', { query: REGEX }));
  const observe = (text: string) => {
    tap.observe({ messages: messages(2, ['s1'], text) });
    pass(1000);
    tap.delivered();
  };
  observe('endless');
  expect(shown(1).messages).toEqual(['endless 0', 'endless 1']);
  expect(shown(2)).toEqual({ messages: [], matched: 0, dropped: 0, skipped: 2 });
  observe('fine');
  expect(shown(1).matched).toBe(4);
  expect(shown(2)).toEqual({ messages: [], matched: 0, dropped: 0, skipped: 4 });
  pass(10_000);
  observe('later');
  expect(shown(2)).toEqual({ messages: ['later 0', 'later 1'], matched: 2, dropped: 0, skipped: 4 });
  // What was interrupted may be in no state to go on.
  expect(compiled).toEqual(['*', '/regex/', '/regex/']);
});

test('a regular expression that was interrupted because the machine stood still goes on with the next batch', () => {
  const { tap, follow, shown, pass, work } = fixture();
  work.milliseconds = 1;
  follow(wanted(1, '/regex/', { query: REGEX }));
  for (const text of ['endless', 'fine']) {
    tap.observe({ messages: messages(2, ['s1'], text) });
    pass(1000);
    tap.delivered();
  }
  expect(shown(1)).toEqual({ messages: ['fine 0', 'fine 1'], matched: 2, dropped: 0, skipped: 2 });
});
