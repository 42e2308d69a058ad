/** The composition root of one intake thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, systemClock } from '#core/index.ts';
import { compilePredicate } from '#search/query/index.ts';
import { createTailTap, threadUtilization } from '#search/tail/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { createMessageProcessing } from './intake-processing.ts';
import type { FromIntakeThread, IntakeThreadData, ToIntakeThread } from './intake-protocol.ts';
import { createIntakeThread } from './intake-thread.ts';

const port = parentPort;
if (port === null) throw new Error('intake-worker.ts is started by intake-workers.ts, as a thread');

const post = (message: FromIntakeThread) => port.postMessage(message);
const createTap = (logger: Logger) =>
  createTailTap({
    monotonic: monotonicClock,
    utilization: threadUtilization(),
    compile: compilePredicate,
    post: (delivery) => post({ kind: 'tail', delivery }),
    logger,
  });
const thread = createIntakeThread(
  { clock: systemClock, post, createProcessing: createMessageProcessing({ post }), createTap },
  workerData as IntakeThreadData,
);
if (await thread.start()) port.on('message', (message: ToIntakeThread) => thread.receive(message));
await thread.ended;
// Without the port nothing keeps the thread alive; what was posted before is delivered.
port.close();
