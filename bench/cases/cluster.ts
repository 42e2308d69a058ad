/**
 * `npm run bench -- cluster [messages]`: the demonstration of `npm run cluster`, which kills the leader twice and a
 * ClickHouse shard once under load. Every message that was answered with 202 must be stored once. The last line is JSON.
 */
import os from 'node:os';
import { reportLines, runDemo } from '../support/laptop-cluster/demo.ts';
import { startLaptopCluster } from '../support/laptop-cluster/laptop-cluster.ts';

const MESSAGES = 5000;

export async function run(args: readonly string[]): Promise<void> {
  const cluster = await startLaptopCluster(console.log);
  try {
    const report = await runDemo(cluster, { messages: Number(args[0] ?? MESSAGES), say: console.log });
    console.log(reportLines(report).join('\n'));
    const passed = report.lost + report.storedTwice === 0;
    console.log(JSON.stringify({ bench: 'cluster', passed, cores: os.availableParallelism(), ...report }));
    if (!passed) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}
