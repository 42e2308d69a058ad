import { expect, test } from 'vitest';
import { readAfterChanges } from './read-after-changes.ts';

test('what was read is kept until something may have changed', async () => {
  let version = 1;
  let reads = 0;
  const read = readAfterChanges({ version: () => version }, async () => ++reads);
  expect([await read(), await read()]).toEqual([1, 1]);
  version = 2;
  expect([await read(), await read()]).toEqual([2, 2]);
});

test('a database that cannot tell is read each time', async () => {
  let version: number | undefined;
  let reads = 0;
  const read = readAfterChanges({ version: () => version }, async () => ++reads);
  expect([await read(), await read()]).toEqual([1, 2]);
  version = 1;
  expect([await read(), await read()]).toEqual([3, 3]);
  version = undefined;
  expect(await read()).toBe(4);
  version = 1;
  expect(await read()).toBe(5);
});

test('what is written while it is read is read the next time', async () => {
  let version = 1;
  let stored = 'old';
  const read = readAfterChanges({ version: () => version }, async () => {
    const found = stored;
    if (version === 1) {
      stored = 'new';
      version = 2;
    }
    return found;
  });
  expect(await read()).toBe('old');
  expect(await read()).toBe('new');
});

test('a failure is not kept', async () => {
  let isAway = true;
  const read = readAfterChanges({ version: () => 1 }, async () => {
    if (isAway) throw new Error('away');
    return 'there';
  });
  await expect(read()).rejects.toThrow('away');
  isAway = false;
  expect(await read()).toBe('there');
});
