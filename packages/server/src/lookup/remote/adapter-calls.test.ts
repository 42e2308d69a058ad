import { describe, expect, test } from 'vitest';
import { NO_ANSWER } from '../answer.ts';
import { createAdapterCalls } from './adapter-calls.ts';
import type { LookupChange } from './change.ts';

const LARGE: LookupChange = {
  kind: 'set',
  value: Array.from({ length: 1000 }, () => 'x'.repeat(10_000)),
};

describe('calls of an adapter', () => {
  test('changes that take much memory do not wait in any number', async () => {
    const ready = Promise.withResolvers<void>();
    const calls = createAdapterCalls({
      kind: 'remote',
      maxConcurrent: 1,
      usesExpired: false,
      fetch: async () => ({ answer: NO_ANSWER }),
      async change() {
        await ready.promise;
        return { answer: NO_ANSWER };
      },
    });
    const waiting = ['a', 'b', 'c'].map((key) => calls.change(key, LARGE));
    await expect(calls.change('d', LARGE)).rejects.toThrow('3 changes are waiting');
    const small = calls.change('e', { kind: 'clear' });
    ready.resolve();
    await Promise.all([...waiting, small]);
    expect(await calls.change('d', LARGE)).toEqual({ answer: NO_ANSWER });
  });
});
