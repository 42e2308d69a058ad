/**
 * The intake of a node as a process that can be killed: threads, journal and inputs as `node.ts` starts them,
 * without the parts that take seconds to start and have nothing to do with the journal.
 *
 *     node intake-child.ts <journal directory> <tcp port> <http port> <threads>
 */

import { createIntakeWorkers } from '../../packages/server/src/intake-workers.ts';
import { createLogger, createMetrics } from '../../packages/server/src/telemetry/index.ts';

const [journalDirectory = '', tcpPort, httpPort, threads] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const workers = createIntakeWorkers(
  {
    logger: createLogger({ level: 'warn', pretty: false }),
    metrics: createMetrics(),
    incident: ({ kind, message, records }) => print(`incident ${kind} ${records}: ${message}`),
  },
  {
    threads: Number(threads),
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
  },
);
await workers.start();
const input = (id: string, type: string, port: number) => ({
  id: id.repeat(24),
  type,
  configuration: { bind_address: '127.0.0.1', port },
  started: true,
});
await workers.apply([input('a', 'gelf-tcp', Number(tcpPort)), input('b', 'gelf-http', Number(httpPort))]);
print('ready');
