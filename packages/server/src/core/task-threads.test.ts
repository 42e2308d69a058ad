import { expect, test } from 'vitest';
import { askOnce, createTaskThreads } from './task-threads.ts';

const threadsOf = (script: string) =>
  createTaskThreads<undefined, unknown, unknown>(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    'Too many.',
  );
const PARENT = 'import { parentPort } from "node:worker_threads";';

test('a thread answers questions one after the other', async () => {
  const threads = threadsOf(`${PARENT} parentPort.on("message", (n) => parentPort.postMessage(n + 1));`);
  const thread = await threads.open(undefined);
  expect([await thread.ask(1), await thread.ask(5)]).toEqual([2, 6]);
  thread.close();
});

test('who asks a thread that ends without an answer is told', async () => {
  const ending = threadsOf(`${PARENT} parentPort.on("message", () => process.exit());`);
  await expect(askOnce(ending, 1)).rejects.toThrow('ended without an answer');
  const failing = threadsOf(`${PARENT} parentPort.on("message", () => { throw new Error("no"); });`);
  await expect(askOnce(failing, 1)).rejects.toThrow('no');
  const absent = threadsOf('throw new Error("not today");');
  await expect(askOnce(absent, 1)).rejects.toThrow('not today');
});

test('a thread that cannot be started takes no turn', async () => {
  const threads = createTaskThreads<unknown, unknown, unknown>(
    new URL(
      `data:text/javascript,${encodeURIComponent(`${PARENT} parentPort.on("message", (n) => parentPort.postMessage(n));`)}`,
    ),
    'Too many.',
  );
  // Functions cannot be sent to a thread.
  for (let times = 0; times < 20; times++) {
    await expect(threads.open({ job() {} })).rejects.toThrow('could not be cloned');
  }
  const thread = await threads.open({});
  expect(await thread.ask('still here')).toBe('still here');
  thread.close();
});
