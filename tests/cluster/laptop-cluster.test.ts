/** `npm run cluster` as a newcomer runs it, without the installation before it. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';

/** Six processes start, and some of them twice. */
const TIMEOUT_MS = 900_000;

const PROGRAM = path.resolve(import.meta.dirname, '../../bench/cluster.ts');

/** Starts it, with input to type into. */
function runCluster(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  // By itself it removes what it has started.
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return {
    exited,
    output: () => output,
    type: (line: string) => void child.stdin.write(`${line}\n`),
    printed: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!pattern.test(output)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
        void exited.then(() => reject(new Error(`it ended before it printed ${pattern}:\n${output}`)));
      }),
  };
}

describe.skipIf(whyNoPostgres() !== undefined)('a cluster on one machine', { timeout: TIMEOUT_MS }, () => {
  test('its demonstration kills nodes and a shard, and loses nothing', async () => {
    const cluster = runCluster('--demo', '50');
    expect(await cluster.exited, cluster.output()).toBe(0);
    expect(cluster.output()).toMatch(/node \d, the leader, was killed\n +node \d leads after [\d.]+ s/);
    expect(cluster.output()).toContain('searches that allow it are answered without its messages');
    expect(cluster.output()).toMatch(/lost +0\n +stored twice +0\n/);
  });

  test('it is told what to kill and to start by typing', async () => {
    const cluster = runCluster();
    await cluster.printed(/commands: /);
    cluster.type('kill shard 3');
    await cluster.printed(/there is no shard 3, only 1 to 2/);
    cluster.type('Kill  node 2');
    await cluster.printed(/node 2 was killed/);
    cluster.type('kill shard 1');
    await cluster.printed(/shard 1 was killed/);
    cluster.type('status');
    await cluster.printed(
      /node 2 {3}http:\S+ {2}killed[\s\S]*shard 1 {2}http:\S+ {2}killed[\s\S]*acknowledged[\s\S]*complete +partial/,
    );
    const [, leader] = /(node \d) .* leads,/.exec(cluster.output().split('\n').toReversed().join('\n')) ?? [];
    cluster.type(`kill ${leader}`);
    await cluster.printed(/It was the leader: node \d leads after [\d.]+ s/);
    cluster.type('start shard 1');
    await cluster.printed(/shard 1 is back/);
    cluster.type('dance');
    await cluster.printed(/"dance" is not a command/);
    cluster.type('quit');
    expect(await cluster.exited, cluster.output()).toBe(0);
    expect(cluster.output()).toMatch(/lost +0\n +stored twice +0\n/);
  });
});
