/**
 * `npm run bench -- cluster [messages] [messages of the intake]`: first the demonstration of `npm run cluster`, which kills
 * the leader twice and a ClickHouse shard once under load: every message that was answered with 202 must be stored once.
 * Then the intake of two nodes with two shards, compared with that of one node and one shard: with all cores of this
 * machine, and, where the kernel lets us limit processor time, with a third of them (at most one core) for each node and
 * its shard, as if each pair had a machine of its own. The goal of 1.7 times is for machines with enough cores for both pairs and
 * the senders. The last line is JSON.
 */
import os from 'node:os';
import { compareIntake, type IntakeComparison } from '../support/cluster-intake.ts';
import { reportLines, runDemo } from '../support/laptop-cluster/demo.ts';
import { startLaptopCluster } from '../support/laptop-cluster/laptop-cluster.ts';

const MESSAGES = 5000;
const INTAKE_MESSAGES = 300_000;
/** A pair keeps a core busy with its worker, another one with ClickHouse; senders and the main threads need the rest. */
const ENOUGH_CORES = 6;

export async function run(args: readonly string[]): Promise<void> {
  const [messages = MESSAGES, intakeMessages = INTAKE_MESSAGES] = args.map(Number);
  const cores = os.availableParallelism();
  const report = await demonstration(messages);
  const allCores = await compareIntake({ messages: intakeMessages });
  console.log(intakeLine(`all ${cores} cores of this machine`, allCores));
  if (cores < ENOUGH_CORES) console.log(`  with ${cores} cores two pairs share what one pair has for itself`);
  const coresEach = Math.min(1, cores / 3);
  const limited = await compareLimited(intakeMessages, coresEach);
  const passed = report.lost + report.storedTwice === 0;
  const intake = { coresEach, allCores, limited };
  console.log(JSON.stringify({ bench: 'cluster', passed, cores, ...report, intake }));
  if (!passed) process.exitCode = 1;
}

async function demonstration(messages: number) {
  const cluster = await startLaptopCluster(console.log);
  try {
    const report = await runDemo(cluster, { messages, say: console.log });
    console.log(reportLines(report).join('\n'));
    return report;
  } finally {
    await cluster.stop();
  }
}

async function compareLimited(messages: number, coresEach: number): Promise<IntakeComparison | undefined> {
  try {
    const limited = await compareIntake({ messages, coresEach });
    console.log(intakeLine(`${coresEach.toFixed(2)} of a core for each node with its shard`, limited));
    return limited;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOENT' && code !== 'EPERM') throw error;
    console.log('  not measured with limited processor time: that needs root and control groups');
    return undefined;
  }
}

function intakeLine(where: string, { one, two, ratio }: IntakeComparison): string {
  const figures = ({ messagesPerSecond, cpuMicroseconds }: IntakeComparison['one']) =>
    `${messagesPerSecond} messages/s (${cpuMicroseconds} µs of processor time each)`;
  return `Intake, ${where}: one node and shard ${figures(one)}, two ${figures(two)}: ${ratio.toFixed(2)} times`;
}
