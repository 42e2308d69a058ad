/**
 * The intake of a node as a process that can be killed: workers, journal and inputs as a node starts them,
 * without the parts that take seconds to start and have nothing to do with the journal.
 *
 *     node intake-child.ts <journal directory> <workers>
 *
 * Prints `ready <tcp port> <http port>`.
 */

import { probePort } from '../../packages/server/src/inputs/index.ts';
import { createLogger, createMetrics } from '../../packages/server/src/telemetry/index.ts';
import { createWorkerPool } from '../../packages/server/src/workers/pool.ts';

const [journalDirectory = '', workerCount] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const workers = createWorkerPool(
  {
    logger: createLogger({ level: 'warn', pretty: false }),
    metrics: createMetrics(),
    events: {
      incident: ({ kind, message, records }) => print(`incident ${kind} ${records}: ${message}`),
      workerDied() {},
      streamFaulted() {},
      pluginFaulted() {},
      ruleFaulted() {},
      extractorFaulted() {},
      fieldsSeen() {},
      manyFieldNames() {},
      lookupRequested() {},
      tailed() {},
    },
  },
  {
    workers: Number(workerCount),
    journalDirectory,
    maxJournalBytes: 8 * 1024 ** 3,
    journal: {
      flushAgeMs: 5,
      fullPolicy: 'block',
      segmentBytes: 16 * 1024 * 1024,
      segmentAgeMs: 3_600_000,
    },
    logLevel: 'warn',
    udpReceiveBufferBytes: 1024 * 1024,
    certificateDirectory: journalDirectory,
    outputQueueDirectory: `${journalDirectory}/outputs`,
    outputFilesDirectory: `${journalDirectory}/output-files`,
  },
);
await workers.start();
const input = (id: string, type: string, port: number) => ({
  id: id.repeat(24),
  type,
  configuration: { bind_address: '127.0.0.1', port },
  started: true,
});
const ports = [await probePort('tcp', '127.0.0.1', 0), await probePort('tcp', '127.0.0.1', 0)] as const;
await workers.apply([input('a', 'gelf-tcp', ports[0]), input('b', 'gelf-http', ports[1])]);
print(`ready ${ports.join(' ')}`);
