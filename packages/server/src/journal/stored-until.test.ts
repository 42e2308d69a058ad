import { expect, test } from 'vitest';
import type { JournalStats } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createStoredUntil } from './stored-until.ts';

function fixture() {
  const [clock, monotonic] = [new ManualClock(1_000_000), new ManualClock(0)];
  let reports = new Map<number, JournalStats>();
  const stored = createStoredUntil({
    partitions: () => [...reports].map(([number, stats]) => ({ number, stats })),
    clock,
    monotonic,
  });
  return {
    stored,
    /** Somebody sets the clock of the machine forward, or back. */
    setClock: (byMs: number) => clock.advance(byMs),
    /** A second later the worker of a partition reports. */
    report(number: number, committedRecords: number, uncommittedRecords: number): number {
      for (const each of [clock, monotonic]) each.advance(1000);
      const stats = { committedRecords, uncommittedRecords } as JournalStats;
      reports = new Map([...reports, [number, stats]]);
      stored.reported();
      return stored.time() - 1_000_000;
    },
  };
}

test('a node without messages has stored everything up to its last report but one', () => {
  const { report } = fixture();
  report(0, 0, 0);
  expect(report(0, 0, 0)).toBe(1000);
  expect(report(0, 0, 0)).toBe(2000);
});

test('messages that wait hold the time back until as many as there were then are stored', () => {
  const { report } = fixture();
  report(0, 0, 0);
  report(0, 0, 0);
  expect(report(0, 0, 100)).toBe(1000);
  expect(report(0, 50, 100)).toBe(1000);
  expect(report(0, 120, 80)).toBe(2000);
  expect(report(0, 200, 500)).toBe(4000);
  expect(report(0, 700, 0)).toBe(6000);
});

test('the slowest partition decides, and an old report of one worker says nothing new', () => {
  const { report } = fixture();
  report(0, 0, 0);
  report(1, 0, 10);
  report(0, 0, 0);
  expect(report(0, 0, 0)).toBe(-1_000_000);
  report(1, 10, 0);
  expect(report(0, 0, 0)).toBe(2000);
  for (let turn = 0; turn < 5; turn++) report(0, 0, 0);
  expect(report(0, 0, 0)).toBe(2000);
});

test('a worker that starts again counts anew, without going back in time', () => {
  const { report } = fixture();
  report(0, 500, 0);
  report(0, 500, 20);
  expect(report(0, 520, 0)).toBe(2000);
  expect(report(0, 3, 40)).toBe(2000);
  expect(report(0, 10, 33)).toBe(2000);
  expect(report(0, 43, 0)).toBe(5000);
});

const HOUR_MS = 3_600_000;

test('when the clock is set back, what is received from then on is waited for', () => {
  const { report, setClock } = fixture();
  report(0, 0, 0);
  setClock(HOUR_MS);
  report(0, 0, 0);
  expect(report(0, 0, 0)).toBe(HOUR_MS + 2000);
  setClock(-HOUR_MS);
  // Somewhere in this second the clock was set back: from its start on, messages may be on their way.
  expect(report(0, 0, 10)).toBe(3000);
  expect(report(0, 0, 20)).toBe(3000);
  expect(report(0, 10, 20)).toBe(3000);
  expect(report(0, 40, 0)).toBe(6000);
});

test('when the clock is set back, messages that wait do not count as stored up to a time to come', () => {
  const { report, setClock } = fixture();
  setClock(HOUR_MS);
  report(0, 0, 10);
  report(0, 0, 20);
  report(0, 0, 30);
  setClock(-HOUR_MS);
  report(0, 0, 40);
  expect(report(0, 20, 30)).toBe(3000);
  expect(report(0, 30, 30)).toBe(3000);
  expect(report(0, 50, 20)).toBe(4000);
});

test('a clock that is set back by less than the time between two reports does not count as set right', () => {
  const { report, setClock } = fixture();
  report(0, 0, 0);
  report(0, 0, 0);
  setClock(-600);
  expect(report(0, 0, 0)).toBe(1400);
});

test('a worker that does not report says nothing about the time after the clock was set back', () => {
  const { report, setClock } = fixture();
  setClock(HOUR_MS);
  for (let turn = 0; turn < 2; turn++) {
    report(0, 0, 0);
    report(1, 0, 0);
  }
  setClock(-HOUR_MS);
  for (let turn = 0; turn < 5; turn++) report(0, 0, 0);
  expect(report(0, 0, 0)).toBe(4000);
});
