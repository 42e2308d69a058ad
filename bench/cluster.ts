/**
 * `npm run cluster`: three nodes, two ClickHouse shards and a PostgreSQL on this machine, and a sender that spreads
 * messages over the nodes. Kill and start parts by typing; `quit` says whether a message was lost. Everything is
 * removed at the end.
 * `npm run cluster -- --demo [messages]` does the kills by itself and ends with a report; the exit code is 1 if a
 * message was lost or stored twice. `messages` are to be acknowledged in each of its steps.
 */
import { createInterface } from 'node:readline';
import { PASSWORD } from '../tests/support/node-api.ts';
import { farewell, HELP, obey, statusOf } from './support/laptop-cluster/commands.ts';
import { reportLines, runDemo } from './support/laptop-cluster/demo.ts';
import { type LaptopCluster, startLaptopCluster } from './support/laptop-cluster/laptop-cluster.ts';
import { watchSearches } from './support/laptop-cluster/search-watch.ts';

const DEMO_MESSAGES = 1000;

async function demo(cluster: LaptopCluster, messages: number): Promise<void> {
  const report = await runDemo(cluster, { messages, say: console.log });
  console.log(['', ...reportLines(report)].join('\n'));
  if (report.lost + report.storedTwice > 0) process.exitCode = 1;
}

async function session(cluster: LaptopCluster): Promise<void> {
  console.log(`\nLog in as admin with the password "${PASSWORD}".\n${HELP}`);
  const watch = watchSearches(cluster);
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await obey(cluster, watch, line).catch((error: Error) => error.message);
    if (answer === undefined) break;
    if (answer !== '') console.log(answer);
  }
  await watch.stop();
  console.log('starting what was killed, and looking for every message that was acknowledged …');
  console.log(await farewell(cluster));
}

const [mode, count] = process.argv.slice(2);
const messages = Number(count ?? DEMO_MESSAGES);
if ((mode !== undefined && mode !== '--demo') || !(messages > 0)) {
  console.error('usage: npm run cluster [-- --demo [messages]]');
  process.exit(2);
}

const INTERRUPTED = 130;
// In a terminal the nodes get the signal, too, so there is nothing left to compare: everything is removed.
const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.exitCode = INTERRUPTED;
      resolve();
    });
  }
});
const cluster = await startLaptopCluster(console.log);
try {
  console.log(await statusOf(cluster));
  await Promise.race([interrupted, mode === '--demo' ? demo(cluster, messages) : session(cluster)]);
} finally {
  await cluster.stop();
}
// Not before: what was interrupted may still be waiting for something, and so may the terminal.
process.exit();
