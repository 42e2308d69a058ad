/** The composition root of one intake thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#core/index.ts';
import type { IntakeThreadData, ToIntakeThread } from './intake-protocol.ts';
import { createIntakeThread } from './intake-thread.ts';

const port = parentPort;
if (port === null) throw new Error('intake-worker.ts is started by intake-workers.ts, as a thread');

const thread = createIntakeThread(
  { clock: systemClock, post: (message) => port.postMessage(message) },
  workerData as IntakeThreadData,
);
if (await thread.start()) port.on('message', (message: ToIntakeThread) => thread.receive(message));
await thread.ended;
// Without the port nothing keeps the thread alive; what was posted before is delivered.
port.close();
