/** The composition root of one intake thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#core/index.ts';
import { createMessageProcessing } from './intake-processing.ts';
import type { FromIntakeThread, IntakeThreadData, ToIntakeThread } from './intake-protocol.ts';
import { createIntakeThread } from './intake-thread.ts';

const port = parentPort;
if (port === null) throw new Error('intake-worker.ts is started by intake-workers.ts, as a thread');

const post = (message: FromIntakeThread) => port.postMessage(message);
const thread = createIntakeThread(
  { clock: systemClock, post, createProcessing: createMessageProcessing({ post }) },
  workerData as IntakeThreadData,
);
if (await thread.start()) port.on('message', (message: ToIntakeThread) => thread.receive(message));
await thread.ended;
// Without the port nothing keeps the thread alive; what was posted before is delivered.
port.close();
