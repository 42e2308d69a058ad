import { describe, expect, test } from 'vitest';
import { createTimeGuard } from './time-guard.ts';

/** Longer than any test may take: only the guard ends it. */
const NEVER_MS = 600_000;

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, NEVER_MS);
}

function backtrack(): void {
  /^(a+)+$/.test(`${'a'.repeat(60)}!`);
}

describe.each(['run', 'repeat'] as const)('%s', (way) => {
  test('says that the work is done, and throws what it throws', () => {
    const guard = createTimeGuard();
    const done: string[] = [];
    expect(guard[way](() => void done.push('work'), 10_000)).toBe(true);
    expect(done).toEqual(['work']);
    const fail = () => {
      throw new Error('broken');
    };
    expect(() => guard[way](fail, 10_000)).toThrow('broken');
  });

  test('breaks off an expression that would never end, and guards again', () => {
    const guard = createTimeGuard();
    expect(guard[way](backtrack, 20)).toBe(false);
    expect(guard[way](() => {}, 10_000)).toBe(true);
  });
});

/** The guard itself works for some milliseconds, more in a busy process: far less than half of this. */
const LIMIT_MS = 300;

test('work that the machine kept waiting gets its time again', () => {
  const guard = createTimeGuard();
  let calls = 0;
  const delayedOnce = () => {
    calls += 1;
    if (calls === 1) standStill();
  };
  expect(guard.repeat(delayedOnce, LIMIT_MS)).toBe(true);
  expect(calls).toBe(2);
});

test('work that always stands still ends', () => {
  let calls = 0;
  const delayedAlways = () => {
    calls += 1;
    standStill();
  };
  expect(createTimeGuard().repeat(delayedAlways, LIMIT_MS)).toBe(false);
  expect(calls).toBe(3);
});
