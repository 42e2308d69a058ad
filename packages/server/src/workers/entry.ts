/** The composition root of one worker. `pool.ts` starts it as a thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, systemClock } from '#core/index.ts';
import { compilePredicate, createTailTap, workerUtilization } from '#search/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { createPartitionProcessing } from './partition-processing.ts';
import type { FromWorker, ToWorker, WorkerAssignment } from './protocol.ts';
import { createWorker } from './worker.ts';

const port = parentPort;
if (port === null) throw new Error('workers/entry.ts must be started as a thread, by workers/pool.ts');

const post = (message: FromWorker) => port.postMessage(message);
const createTap = (logger: Logger) =>
  createTailTap({
    monotonic: monotonicClock,
    utilization: workerUtilization(),
    compile: compilePredicate,
    post: (delivery) => post({ kind: 'tail', delivery }),
    logger,
  });
const worker = createWorker(
  { clock: systemClock, post, createProcessing: createPartitionProcessing({ post }), createTap },
  workerData as WorkerAssignment,
);
if (await worker.start()) port.on('message', (message: ToWorker) => worker.receive(message));
await worker.ended;
// Without the port nothing keeps the thread alive; what was posted before is delivered.
port.close();
