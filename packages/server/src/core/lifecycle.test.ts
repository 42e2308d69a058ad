import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';
import type { Startable } from './startable.ts';

function recording(log: string[], name: string, overrides: Partial<Startable> = {}): Startable {
  return {
    name,
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
    ...overrides,
  };
}

test('parts start in order and stop in reverse', async () => {
  const log: string[] = [];
  const lifecycle = createLifecycle();
  for (const name of ['a', 'b', 'c']) await lifecycle.start(recording(log, name));
  await lifecycle.stop();
  expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a part that fails to start is stopped as well', async () => {
  const log: string[] = [];
  const lifecycle = createLifecycle();
  await lifecycle.start(recording(log, 'a'));
  const failing = recording(log, 'b', { start: () => Promise.reject(new Error('no room')) });
  await expect(lifecycle.start(failing)).rejects.toThrow('no room');
  await lifecycle.stop();
  expect(log).toEqual(['start a', 'stop b', 'stop a']);
});

test('a part that fails to stop does not keep the others running, and is reported', async () => {
  const log: string[] = [];
  const failures: string[] = [];
  const lifecycle = createLifecycle({
    stopFailed: (part, reason) => failures.push(`${part.name}: ${reason}`),
  });
  await lifecycle.start(recording(log, 'a'));
  await lifecycle.start(recording(log, 'b', { stop: () => Promise.reject(new Error('stuck')) }));
  await lifecycle.stop();
  expect(log).toEqual(['start a', 'start b', 'stop a']);
  expect(failures).toEqual(['b: stuck']);
});

test('stop stops once, however often it is called, and nothing starts afterwards', async () => {
  const log: string[] = [];
  const lifecycle = createLifecycle();
  await lifecycle.start(recording(log, 'a'));
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  expect(log).toEqual(['start a', 'stop a']);
  await expect(lifecycle.start(recording(log, 'b'))).rejects.toThrow('stopping');
});
