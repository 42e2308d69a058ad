import { expect, test } from 'vitest';
import { createBatches } from './batches.ts';

test('what is asked for in one moment shares a request', async () => {
  const asked: string[][] = [];
  const answerTo = createBatches<string>(20);
  const ask = async (keys: readonly string[]) => {
    asked.push([...keys]);
    return keys.map((key) => [key, key.toUpperCase()] as const);
  };
  const { signal } = new AbortController();
  const names = Array.from({ length: 25 }, (_, at) => `f${at}`);
  const answers = await Promise.all(names.map((name) => answerTo('run', name, signal, ask)));
  expect(answers).toEqual(names.map((name) => name.toUpperCase()));
  expect(asked.map(({ length }) => length)).toEqual([20, 5]);
  await Promise.all([answerTo('a', 'x', signal, ask), answerTo('b', 'x', signal, ask)]);
  expect(asked.slice(2)).toEqual([['x'], ['x']]);
});

test('what the answer leaves out is undefined', async () => {
  const answerTo = createBatches<string>(20);
  const { signal } = new AbortController();
  expect(await answerTo('run', 'a', signal, async () => [])).toBeUndefined();
});

test('a request ends when nobody waits for it', async () => {
  const answerTo = createBatches<string>(20);
  const [one, two] = [new AbortController(), new AbortController()];
  let ended = false;
  const ask = (_: readonly string[], signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended = true;
        reject(signal.reason);
      });
    });
  const waiting = Promise.allSettled([
    answerTo('run', 'a', one.signal, ask),
    answerTo('run', 'b', two.signal, ask),
  ]);
  await Promise.resolve();
  one.abort();
  expect(ended).toBe(false);
  two.abort();
  expect(ended).toBe(true);
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
