import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { probePort } from '#inputs/index.ts';
import { eventually } from '#testing/eventually.ts';
import {
  createWorkerPoolFixture,
  readJournal,
  temporaryJournal,
  type WorkerPoolFixtureOptions,
  wantedInput,
} from '#testing/worker-pool-fixture.ts';
import type { WorkerPool } from './pool.ts';

let journal: Awaited<ReturnType<typeof temporaryJournal>>;
const running: WorkerPool[] = [];

beforeEach(async () => {
  journal = await temporaryJournal();
});
afterEach(async () => {
  for (const workers of running.splice(0)) await workers.stop();
  await journal.remove();
});

function create(options: Partial<WorkerPoolFixtureOptions> = {}) {
  const fixture = createWorkerPoolFixture({ journalDirectory: journal.directory, ...options });
  running.push(fixture.workers);
  return fixture;
}

const listeningOn = async (): Promise<number> => probePort('tcp', '127.0.0.1', 0);

const inputOn = (port: number) => wantedInput({ configuration: { bind_address: '127.0.0.1', port } });

/** Sends frames over a new connection and closes it. */
async function send(port: number, ...texts: string[]): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(texts.map((text) => `${text}\0`).join(''));
  socket.resume();
  await once(socket, 'close');
}

const uncommitted = (workers: WorkerPool) =>
  workers.partitions().reduce((sum, { stats }) => sum + stats.uncommittedRecords, 0);

test('messages reach the journal, are counted, and are all still there after a stop', async () => {
  const { workers, metrics } = create();
  const reported = Promise.withResolvers<void>();
  await workers.start();
  const port = await listeningOn();
  await workers.apply([inputOn(port)]);
  expect(workers.statuses().map((states) => [...(states?.values() ?? [])].map(({ state }) => state))).toEqual(
    [['RUNNING'], ['RUNNING']],
  );
  for (let i = 0; i < 20; i += 1) await send(port, `{"short_message":"${i}"}`);
  workers.onReport(() => {
    if (uncommitted(workers) === 20) reported.resolve();
  });
  await reported.promise;
  expect(metrics.get('org.graylog2.journal.append')?.metric).toEqual({ count: 20 });
  expect(metrics.get('org.graylog2.throughput.input')?.metric).toEqual({ count: 20 });
  await workers.stop();

  const frames = await readJournal(journal.directory);
  expect(frames.map(({ text }) => JSON.parse(text).short_message).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
  expect(new Set(frames.map(({ inputId }) => inputId))).toEqual(new Set([inputOn(port).id]));
});

test('inputs follow every change in all workers', async () => {
  const { workers } = create();
  await workers.start();
  const port = await listeningOn();
  const states = () =>
    workers.statuses().map((reports) => [...(reports?.values() ?? [])].map(({ state }) => state));
  await workers.apply([inputOn(port)]);
  await workers.apply([{ ...inputOn(port), started: false }]);
  expect(states()).toEqual([['STOPPED'], ['STOPPED']]);
  // Nobody listens any more, so the port is free.
  expect(await probePort('tcp', '127.0.0.1', port)).toBe(port);
  await workers.apply([]);
  expect(states()).toEqual([[], []]);
});

test('a worker that dies is restarted, with its inputs and with everything it had accepted', async () => {
  const made: Worker[] = [];
  const { workers, died } = create({
    spawn(data) {
      const worker = new Worker(new URL('./entry.ts', import.meta.url), { workerData: data });
      made.push(worker);
      return worker;
    },
  });
  await workers.start();
  const port = await listeningOn();
  await workers.apply([inputOn(port)]);
  await send(port, '{"short_message":"before"}');
  await eventually(() => expect(uncommitted(workers)).toBe(1));

  for (const worker of [...made]) await worker.terminate();
  await eventually(() =>
    expect(workers.statuses().map((reports) => reports?.get(inputOn(port).id)?.state)).toEqual([
      'RUNNING',
      'RUNNING',
    ]),
  );
  expect(died).toHaveLength(2);
  await send(port, '{"short_message":"after"}');
  await eventually(() => expect(uncommitted(workers)).toBe(2));
  await workers.stop();
  expect((await readJournal(journal.directory)).map(({ text }) => text).sort()).toEqual([
    '{"short_message":"after"}',
    '{"short_message":"before"}',
  ]);
});

test('a journal that cannot be opened is a startup error that says what to do', async () => {
  const directory = path.join(journal.directory, 'partition-0');
  fs.mkdirSync(directory);
  fs.mkdirSync(path.join(directory, '00000000000000000000.segment'));
  const { workers } = create({ workers: 1 });
  const failure = await workers.start().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartupError);
  expect((failure as StartupError).whatToDo).not.toBe('');
});

test('a node with fewer workers keeps counting the partitions of those that are gone', async () => {
  const first = create({ workers: 3 });
  await first.workers.start();
  const port = await listeningOn();
  await first.workers.apply([inputOn(port)]);
  for (let i = 0; i < 30; i += 1) await send(port, `{"short_message":"${i}"}`);
  await first.workers.stop();
  const before = await readJournal(journal.directory);
  expect(before).toHaveLength(30);

  const second = create({ workers: 1 });
  await second.workers.start();
  await eventually(() => expect(uncommitted(second.workers)).toBe(30));
  const inherited = before.filter(({ partition }) => partition > 0).map(({ partition }) => partition);
  expect(second.workers.partitions().map(({ number }) => number)).toEqual(
    [...new Set([0, ...inherited])].sort((a, b) => a - b),
  );
  await second.workers.stop();
  // Nothing read the partitions, so all records are still there; only empty partitions are gone.
  expect(await readJournal(journal.directory)).toHaveLength(30);
});

test('a full journal refuses frames and says so', async () => {
  const { workers, metrics } = create({ workers: 1, maxJournalBytes: 256 * 1024 });
  await workers.start();
  const port = await listeningOn();
  await workers.apply([inputOn(port)]);
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const frame = `{"short_message":"${'x'.repeat(10_000)}"}\0`;
  for (let i = 0; i < 60; i += 1) socket.write(frame);
  await eventually(() =>
    expect(metrics.get('millrace.component.journal.journal.partition-0.refused.full')?.metric).not.toEqual({
      count: 0,
    }),
  );
  const [report] = workers.partitions();
  expect(report?.stats.utilization).toBeGreaterThan(0.9);
  expect(report?.stats.utilization).toBeLessThanOrEqual(1);
  socket.destroy();
});

test('log lines of a worker become lines of the node, with the number of the worker', async () => {
  const { workers, logLines } = create({ workers: 1 });
  await workers.start();
  await workers.apply([wantedInput({ configuration: { bind_address: '203.0.113.1', port: 1 } })]);
  await eventually(() => {
    const lines = logLines.map((line) => JSON.parse(line));
    expect(lines.some(({ component, worker }) => component === 'inputs' && worker === 0)).toBe(true);
  });
});
