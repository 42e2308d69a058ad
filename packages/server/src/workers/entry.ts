/** The composition root of one worker. `pool.ts` starts it as a thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, systemClock } from '#core/index.ts';
import { loadThreadPlugins } from '#plugins/index.ts';
import { compilePredicate, createTailTap, workerUtilization } from '#search/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { endWorker } from './end-worker.ts';
import { releaseMemoryOfStart } from './memory-of-start.ts';
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
const assignment = workerData as WorkerAssignment;
const plugins = await loadThreadPlugins(
  (fault) => post({ kind: 'plugin-fault', fault }),
  assignment.plugins,
  assignment.worker,
);
// An error that a plugin throws in a timer or a callback of its own must not end the worker. Any other one does.
process.on('uncaughtException', (error) => {
  if (plugins.contain(error)) return;
  process.removeAllListeners('uncaughtException');
  endWorker(error);
});
const worker = createWorker(
  {
    clock: systemClock,
    post,
    createProcessing: createPartitionProcessing({ post }),
    createTap,
  },
  assignment,
);
function receive(message: ToWorker): void {
  if (message.kind === 'plugins') plugins.switchedOff(message.off);
  else worker.receive(message);
}
if (await worker.start()) port.on('message', receive);
if (assignment.worker === 0) releaseMemoryOfStart();
await worker.ended;
// Without the port nothing keeps the thread alive; what was posted before is delivered.
port.close();
