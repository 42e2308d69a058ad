import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fromFields, type LogMessage } from '../../../lib/messages/index.ts';
import { fillGap, type Gap, type SearchTime, untilStored } from './gap.ts';
import type { TailEvent } from './tail-state.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const message = (id: string): LogMessage => fromFields({ _id: id, timestamp: '2026-11-15T10:00:00.000Z' });
const gapWith = (expected: number | undefined, ...known: string[]): Gap => ({
  from: 5000,
  to: 9000,
  expected,
  known: new Set(known),
});

/** What each look finds: ids, how many there are in all, or a failure. The last one again and again. */
function finding(...answers: (readonly string[] | number | Error)[]) {
  const looks: { readonly from: number; readonly limit: number }[] = [];
  const search: SearchTime = async ({ from }, limit) => {
    const answer = answers[Math.min(looks.length, answers.length - 1)] ?? [];
    looks.push({ from, limit });
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'number') return { messages: [message('one of them')], total: answer };
    return { messages: answer.map(message), total: answer.length };
  };
  return { search, looks };
}

async function filled(search: SearchTime, gap: Gap): Promise<TailEvent[]> {
  const events: TailEvent[] = [];
  const filling = fillGap(search, gap, new AbortController().signal, (event) => events.push(event));
  await vi.runAllTimersAsync();
  await filling;
  return events;
}

const shown = (isLast: boolean, ...ids: string[]): TailEvent => ({
  type: 'gap',
  messages: ids.map(message),
  isLast,
});

test('messages that are stored late are waited for, and those that are there are shown meanwhile', async () => {
  const { search, looks } = finding([], ['b'], ['b', 'c']);
  expect(await filled(search, gapWith(2))).toEqual([
    shown(false),
    shown(false, 'b'),
    shown(false, 'b', 'c'),
    shown(true, 'b', 'c'),
  ]);
  // Senders' clocks may be slow.
  expect(looks[0]).toEqual({ from: 4000, limit: 1000 });
});

test('messages of the same time that were shown before the pause do not count', async () => {
  const { search } = finding(['a'], ['a'], ['a', 'b']);
  expect((await filled(search, gapWith(1, 'a'))).at(-1)).toEqual(shown(true, 'a', 'b'));
});

test('more may have come than were counted', async () => {
  const { search } = finding(['b'], ['b', 'c']);
  expect((await filled(search, gapWith(1))).at(-1)).toEqual(shown(true, 'b', 'c'));
});

test('when nobody knows how many came, looks go on until they find no more', async () => {
  const { search, looks } = finding([], [], ['b'], ['b', 'c']);
  expect((await filled(search, gapWith(undefined))).at(-1)).toEqual(shown(true, 'b', 'c'));
  expect(looks).toHaveLength(5);
  const growing = finding(['b'], ['b', 'c'], ['b'], ['b', 'c'], ['b'], ['b', 'c']);
  expect((await filled(growing.search, gapWith(undefined))).at(-1)).toEqual(shown(true, 'b', 'c'));
});

test('too many are offered, once all are there', async () => {
  const { search } = finding([], 1200, 1500);
  const gap = { from: 5000, to: 9000, total: 1500, expected: 1500 };
  expect((await filled(search, gapWith(1500))).at(-1)).toEqual({ type: 'offered', gap });
});

test('what is not found in the end is said and offered', async () => {
  const { search } = finding(['b'], new Error('the server is busy'));
  const gap = { from: 5000, to: 9000, total: 1, expected: 2 };
  expect(await filled(search, gapWith(2))).toEqual([shown(false, 'b'), { type: 'offered', gap }]);
});

test('a look that fails says nothing about what came', async () => {
  const failure = new Error('the server is busy');
  const { search } = finding(['b'], failure, failure, ['b', 'c'], ['b', 'c']);
  expect((await filled(search, gapWith(undefined))).at(-1)).toEqual(shown(true, 'b', 'c'));
  const gap = { from: 5000, to: 9000, total: undefined, expected: 2 };
  expect(await filled(finding(failure).search, gapWith(2))).toEqual([{ type: 'offered', gap }]);
});

test('nothing is told any more when somebody stops it', async () => {
  const { search, looks } = finding(['b']);
  const controller = new AbortController();
  const events: TailEvent[] = [];
  const filling = fillGap(search, gapWith(2), controller.signal, (event) => events.push(event));
  controller.abort();
  await vi.runAllTimersAsync();
  await filling;
  expect(events).toEqual([]);
  expect(looks.length).toBeLessThan(2);
});

test('stopping waits until what was seen is stored, but not for long', async () => {
  const span = { from: 1, to: 2 };
  const late = finding(new Error('the server is busy'), 1, 2, 3);
  const stopping = untilStored(late.search, { span, count: 2 }, new AbortController().signal);
  await vi.runAllTimersAsync();
  await stopping;
  expect(late.looks).toEqual(Array.from({ length: 3 }, () => ({ from: 1, limit: 0 })));
  const never = finding(1);
  const patient = untilStored(never.search, { span, count: 2 }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(10_000);
  await patient;
  expect(never.looks).toHaveLength(4);
});
