/**
 * `npm run bench -- restarts [times]`: whether something is left of a worker that ended. Two workers with a TCP and a UDP
 * input receive messages; again and again one of them is ended, and the next one takes its place. Prints the memory of
 * the process, what the main thread holds of it, and how much is in malloc's arenas, where memory of ended threads stays.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
import { probePort } from '../../packages/server/src/inputs/index.ts';
import { until } from '../../packages/server/src/testing/eventually.ts';
import {
  createWorkerPoolFixture,
  temporaryJournal,
  wantedInput,
} from '../../packages/server/src/testing/worker-pool-fixture.ts';
import { webMessage } from '../support/web-message.ts';

const TIMES = 30;
const PRINT_EVERY = 5;
const CONNECTIONS = 8;
const FRAMES_PER_CONNECTION = 200;
const HOST = '127.0.0.1';
const ENTRY = new URL('../../packages/server/src/workers/entry.ts', import.meta.url);
const PATIENCE = { timeoutMs: 60_000, intervalMs: 20 };
/** An arena begins at a multiple of this size. */
const ARENA_BYTES = 64n * 2n ** 20n;

export async function run(args: readonly string[]): Promise<void> {
  const times = Number(args[0] ?? TIMES);
  const journal = await temporaryJournal();
  const threads: Worker[] = [];
  const { workers } = createWorkerPoolFixture({
    journalDirectory: journal.directory,
    logLevel: 'error',
    maxJournalBytes: 2 ** 30,
    maxRestartDelayMs: 5,
    spawn(assignment) {
      const flags = ['--disable-warning=ExperimentalWarning'];
      const thread = new Worker(ENTRY, { workerData: assignment, execArgv: flags });
      threads.push(thread);
      return thread;
    },
  });
  try {
    await workers.start();
    const tcp = await probePort('tcp', HOST, 0);
    const udp = await probePort('udp', HOST, 0);
    const inputs = [
      wantedInput({ configuration: { bind_address: HOST, port: tcp } }),
      wantedInput({
        id: '65a1b2c3d4e5f60718293a4c',
        type: 'gelf-udp',
        configuration: { bind_address: HOST, port: udp },
      }),
    ];
    await workers.apply(inputs);
    await send(tcp, udp);
    const before = memory();
    print(0, before);
    for (let ended = 1; ended <= times; ended++) {
      await threads.pop()?.terminate();
      await until(
        () =>
          workers
            .statuses()
            .every((states) => inputs.every(({ id }) => states?.get(id)?.state === 'RUNNING')),
        PATIENCE,
      );
      await send(tcp, udp);
      if (ended % PRINT_EVERY === 0) print(ended, memory());
    }
    console.log(JSON.stringify({ bench: 'restarts', times, before, after: memory() }));
  } finally {
    await workers.stop();
    await journal.remove();
  }
}

/** Resolves when the TCP input has read everything; datagrams may be lost. */
async function send(tcp: number, udp: number): Promise<void> {
  const message = webMessage();
  const frame = Buffer.concat([message, Buffer.of(0)]);
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const socket = net.connect(tcp, HOST);
    await once(socket, 'connect');
    for (let i = 0; i < FRAMES_PER_CONNECTION; i++) socket.write(frame);
    socket.end();
    socket.resume();
    await once(socket, 'close');
  }
  const socket = dgram.createSocket('udp4');
  for (let i = 0; i < FRAMES_PER_CONNECTION; i++) {
    await new Promise((sent) => socket.send(message, udp, HOST, sent));
  }
  socket.close();
}

interface Memory {
  readonly resident: number;
  readonly arenas: number;
  readonly heap: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly descriptors: number;
}

/** In MB, after a garbage collection. Linux only. */
function memory(): Memory {
  globalThis.gc?.();
  const used = process.memoryUsage();
  return {
    resident: megabytes(used.rss),
    arenas: megabytes(arenaBytes()),
    heap: megabytes(used.heapUsed),
    external: megabytes(used.external),
    arrayBuffers: megabytes(used.arrayBuffers),
    descriptors: fs.readdirSync('/proc/self/fd').length,
  };
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

function arenaBytes(): number {
  const areas = fs.readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return areas.reduce((sum, area) => {
    const [, start] = /^([0-9a-f]+)-[0-9a-f]+ rw\S+ \S+ 00:00 0 *\n/.exec(area) ?? [];
    if (start === undefined || BigInt(`0x${start}`) % ARENA_BYTES !== 0n) return sum;
    return sum + Number(/^Rss:\s+(\d+) kB/m.exec(area)?.[1] ?? 0) * 1024;
  }, 0);
}

function print(ended: number, { resident, arenas, heap, external, arrayBuffers, descriptors }: Memory): void {
  console.log(
    `${ended} workers ended: ${resident} MB, in arenas ${arenas} MB | main thread: heap ${heap} MB, external ${external} MB, array buffers ${arrayBuffers} MB | ${descriptors} fds`,
  );
}
