import { readdir, rename } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JournalReader, systemClock } from '#core/index.ts';
import { allocateSharedBudget, partitionDirectory } from '#journal/index.ts';
import { eventually, until } from '#testing/eventually.ts';
import { readJournal, temporaryJournal, wantedInput } from '#testing/worker-pool-fixture.ts';
import type { FromWorker, WorkerAssignment } from './protocol.ts';
import { createWorker, type Worker } from './worker.ts';
import type { CreateProcessing } from './worker-partitions.ts';

let journal: Awaited<ReturnType<typeof temporaryJournal>>;
const running: Worker[] = [];

beforeEach(async () => {
  journal = await temporaryJournal();
});
afterEach(async () => {
  for (const worker of running.splice(0)) {
    worker.receive({ kind: 'stop' });
    await worker.ended;
  }
  await journal.remove();
});

function create(options: { processing?: CreateProcessing; leftovers?: readonly number[] } = {}) {
  const posted: FromWorker[] = [];
  const assigned = (number: number, holder: number) => ({
    number,
    holder,
    directory: partitionDirectory(journal.directory, number),
  });
  const data: WorkerAssignment = {
    worker: 0,
    logLevel: 'debug',
    sharesPorts: false,
    partition: assigned(0, 0),
    leftovers: (options.leftovers ?? []).map((number, index) => assigned(number, index + 1)),
    budget: allocateSharedBudget(10 * 1024 * 1024, 3),
    journal: { flushAgeMs: 1, fullPolicy: 'block', segmentBytes: 1024 * 1024, segmentAgeMs: 3_600_000 },
    udpReceiveBufferBytes: 262_144,
    certificateDirectory: path.join(journal.directory, 'tls'),
    outputs: {
      directory: path.join(journal.directory, 'outputs'),
      filesDirectory: path.join(journal.directory, 'output-files'),
      shares: 1,
      orphans: [],
    },
  };
  const worker = createWorker(
    {
      clock: systemClock,
      // Cloned as between threads: what cannot be cloned must not be posted.
      post: (message) => posted.push(structuredClone(message)),
      ...(options.processing && { createProcessing: options.processing }),
    },
    data,
  );
  running.push(worker);
  const ofKind = <Kind extends FromWorker['kind']>(kind: Kind) =>
    posted.filter((message): message is FromWorker & { kind: Kind } => message.kind === kind);
  return { worker, posted, ofKind };
}

async function send(port: number, ...texts: string[]): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  socket.end(texts.map((text) => `${text}\0`).join(''));
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

/** Starts the worker with one input; resolves with the port on which it listens. */
async function startListening({ worker, ofKind }: ReturnType<typeof create>): Promise<number> {
  expect(await worker.start()).toBe(true);
  worker.receive({ kind: 'inputs', snapshot: { version: 1, inputs: [wantedInput()] } });
  return await until(() => ofKind('states').at(-1)?.states[0]?.port);
}

test('a worker reports that it is ready, the states of its inputs and, before it ends, its journal', async () => {
  const created = create();
  const { worker, ofKind } = created;
  const port = await startListening(created);
  expect(ofKind('states').at(-1)).toMatchObject({ version: 1, states: [{ state: 'RUNNING' }] });
  await send(port, '{"short_message":"a"}', '{"short_message":"b"}');
  // An older snapshot that comes late changes nothing.
  worker.receive({ kind: 'inputs', snapshot: { version: 1, inputs: [] } });
  worker.receive({ kind: 'stop' });
  await worker.ended;
  expect(ofKind('ready')).toHaveLength(1);
  expect(ofKind('report').at(-1)?.partitions).toMatchObject([
    { number: 0, stats: { uncommittedRecords: 2 } },
  ]);
  const states = ofKind('states').flatMap(({ states }) => states.map(({ state }) => state));
  expect(states).toContain('RUNNING');
  expect(await readJournal(journal.directory)).toHaveLength(2);
});

test('a worker that is asked how its journal is answers at once', async () => {
  const created = create();
  const { worker, ofKind } = created;
  const port = await startListening(created);
  await send(port, '{"short_message":"a"}');
  let request = 0;
  await eventually(() => {
    request += 1;
    worker.receive({ kind: 'look-at-partitions', request });
    expect(ofKind('partitions').at(-1)).toMatchObject({
      request,
      partitions: [{ number: 0, stats: { uncommittedRecords: 1 } }],
    });
  });
});

test('a changed log level applies in the worker', async () => {
  const { worker, ofKind } = create();
  await worker.start();
  worker.receive({ kind: 'log-level', component: undefined, level: 'silent' });
  const before = ofKind('log').length;
  const bad = wantedInput({ configuration: { bind_address: '203.0.113.1', port: 1 } });
  worker.receive({ kind: 'inputs', snapshot: { version: 1, inputs: [bad] } });
  await eventually(() => expect(ofKind('states').at(-1)?.states).toMatchObject([{ state: 'FAILED' }]));
  expect(ofKind('log')).toHaveLength(before);
});

/** Reads and commits whatever comes, unless it is paused. */
function eager(seen: { partition: number; paused: boolean[]; stopped: number }[]): CreateProcessing {
  return (reader: JournalReader, { partition, paused }) => {
    const state = { partition, paused: [paused], stopped: 0 };
    seen.push(state);
    let isStopped = false;
    const stopped = Promise.withResolvers<void>();
    const work = (async () => {
      while (!isStopped && !reader.closed) {
        const batch = reader.read();
        if (batch === undefined) {
          await Promise.race([reader.whenReadable(), stopped.promise]);
          continue;
        }
        reader.commit(batch.endOffset);
        batch.release();
      }
    })();
    return {
      setPaused: (value) => void state.paused.push(value),
      receive: () => {},
      async stop() {
        isStopped = true;
        stopped.resolve();
        await work;
        state.stopped += 1;
      },
    };
  };
}

test('processing gets every partition, and empty leftovers are removed', async () => {
  const first = create();
  const port = await startListening(first);
  await send(port, '{"short_message":"a"}', '{"short_message":"b"}', '{"short_message":"c"}');
  first.worker.receive({ kind: 'stop' });
  await first.worker.ended;
  running.splice(0);

  await rename(partitionDirectory(journal.directory, 0), partitionDirectory(journal.directory, 4));

  const seen: { partition: number; paused: boolean[]; stopped: number }[] = [];
  const second = create({ processing: eager(seen), leftovers: [4] });
  await second.worker.start();
  second.worker.receive({ kind: 'processing', paused: true });
  expect(seen).toMatchObject([
    { partition: 0, paused: [false, true] },
    { partition: 4, paused: [false, true] },
  ]);
  await eventually(() =>
    expect(
      second
        .ofKind('report')
        .at(-1)
        ?.partitions.map(({ number }) => number),
    ).toEqual([0]),
  );
  expect(seen.map(({ stopped }) => stopped)).toEqual([0, 1]);
  second.worker.receive({ kind: 'stop' });
  await second.worker.ended;
  expect(seen.map(({ stopped }) => stopped)).toEqual([1, 1]);
  const metrics = second.ofKind('report').at(-1)?.metrics.readings ?? [];
  expect(metrics.find(({ name }) => name === 'org.graylog2.journal.read')?.data).toEqual({
    type: 'counter',
    count: 3,
  });
  expect(await readJournal(journal.directory)).toEqual([]);

  expect(await readdir(journal.directory)).toEqual(['partition-0']);
}, 30_000);
