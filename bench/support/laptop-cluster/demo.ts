/** Kills a node, the leader and a shard under load, starts them again, and says what came of it. */
import { until } from '../../../packages/server/src/testing/eventually.ts';
import { type LaptopCluster, PATIENCE, type Verdict } from './laptop-cluster.ts';
import type { Member } from './member.ts';
import { type SearchAnswers, type SearchWatch, search, watchSearches } from './search-watch.ts';

export interface DemoReport extends Verdict {
  /** From the kill of the leader until another node was seen to lead, for each kill. */
  readonly takeOverMs: readonly number[];
  /** By what was away meanwhile. */
  readonly searches: Readonly<Record<string, SearchAnswers>>;
}

export interface DemoOptions {
  /** To be acknowledged in each step before the next one. */
  readonly messages: number;
  readonly say: (line: string) => void;
}

interface Stage extends DemoOptions {
  readonly cluster: LaptopCluster;
  readonly watch: SearchWatch;
  readonly searches: Record<string, SearchAnswers>;
}

export async function runDemo(cluster: LaptopCluster, options: DemoOptions): Promise<DemoReport> {
  const watch = watchSearches(cluster);
  const stage: Stage = { ...options, cluster, watch, searches: {} };
  try {
    await step(stage, 'nothing away', () => sendMore(stage));
    const takeOverMs = [await killLeader(stage), await killLeader(stage)];
    await killShard(stage);
    await watch.stop();
    options.say('the sender stops; every message that was acknowledged is looked for …');
    return { ...(await cluster.verdict()), takeOverMs, searches: stage.searches };
  } finally {
    await watch.stop();
  }
}

/** Enough to see how each node answers both kinds of searches. */
const SEARCHES = 6;

/** Does something, and records how searches were answered meanwhile. */
async function step<T>({ watch, searches }: Stage, name: string, work: () => Promise<T>): Promise<T> {
  watch.take();
  const result = await work();
  await until(() => watch.count() >= SEARCHES, PATIENCE);
  const answers = watch.take();
  const before = searches[name];
  searches[name] = before === undefined ? answers : sumOf(before, answers);
  return result;
}

function sumOf(a: SearchAnswers, b: SearchAnswers): SearchAnswers {
  return {
    complete: a.complete + b.complete,
    partial: a.partial + b.partial,
    refused: a.refused + b.refused,
    failed: a.failed + b.failed,
  };
}

async function sendMore({ cluster: { load }, messages, say }: Stage): Promise<void> {
  const enough = load.acknowledged.size + messages;
  await until(() => load.acknowledged.size >= enough, PATIENCE);
  say(`  ${load.acknowledged.size} messages acknowledged so far`);
}

async function killLeader(stage: Stage): Promise<number> {
  const { cluster, say } = stage;
  const leader = await until(() => cluster.leader(), PATIENCE);
  const takeOverMs = await step(stage, 'the leader away', async () => {
    const { next, ms } = await takeOver(cluster, leader);
    say(`${leader.name}, the leader, was killed`);
    say(`  ${next.name} leads after ${(ms / 1000).toFixed(1)} s`);
    await sendMore(stage);
    return ms;
  });
  await leader.start();
  // It takes part before it has seen all tables.
  await searchesAre(cluster, false, 'complete');
  say(`  ${leader.name} is back`);
  return takeOverMs;
}

/** Kills the leader and waits until another node is seen to lead. */
export async function takeOver(
  cluster: LaptopCluster,
  leader: Member,
): Promise<{ readonly next: Member; readonly ms: number }> {
  const killedAt = performance.now();
  await leader.kill();
  const next = await until(async () => {
    const found = await cluster.leader();
    return found === leader ? undefined : found;
  }, PATIENCE);
  return { next, ms: Math.round(performance.now() - killedAt) };
}

async function killShard(stage: Stage): Promise<void> {
  const { cluster, say } = stage;
  const shard = cluster.shards.at(-1);
  if (shard === undefined) throw new Error('there is no shard');
  await step(stage, `${shard.name} away`, async () => {
    await shard.kill();
    say(`${shard.name} was killed`);
    await searchesAre(cluster, true, 'partial');
    say('  searches that allow it are answered without its messages, and say so');
    await searchesAre(cluster, false, 'refused');
    say('  other searches are refused, and say why');
    await sendMore(stage);
  });
  await shard.start();
  await searchesAre(cluster, false, 'complete');
  say(`  ${shard.name} is back, searches are complete again`);
}

/** Resolves when all nodes answer like this. */
async function searchesAre(
  { members }: LaptopCluster,
  allowPartial: boolean,
  expected: keyof SearchAnswers,
): Promise<void> {
  for (const { address } of members) {
    await until(async () => (await search(address, allowPartial)) === expected, PATIENCE);
  }
}

export function reportLines({ takeOverMs, searches, ...verdict }: DemoReport): string[] {
  const shares = verdict.perShard.map((count, index) => `shard ${index + 1}: ${count}`).join(', ');
  return [
    ...verdictLines(verdict),
    `  on                  ${shares}`,
    `Take-over             ${takeOverMs.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`,
    ...searchLines(searches),
  ];
}

/** How searches were answered, by when that was. */
export function searchLines(searches: Readonly<Record<string, SearchAnswers>>): string[] {
  return [
    'Searches                complete  partial  refused  failed',
    ...Object.entries(searches).map(
      ([name, { complete, partial, refused, failed }]) =>
        `  ${name.padEnd(20)}${cell(complete, 10)}${cell(partial, 9)}${cell(refused, 9)}${cell(failed, 8)}`,
    ),
  ];
}

export function verdictLines({
  acknowledged,
  stored,
  lost,
  storedTwice,
}: Omit<Verdict, 'perShard'>): string[] {
  return [
    `Messages acknowledged ${acknowledged}`,
    `         stored       ${stored}${unanswered(stored + lost - acknowledged)}`,
    `         lost         ${lost}`,
    `         stored twice ${storedTwice}`,
  ];
}

/** A node that is killed may have stored what it could not acknowledge any more. */
function unanswered(count: number): string {
  return count > 0 ? ` (${count} of them never acknowledged)` : '';
}

function cell(value: number, width: number): string {
  return String(value).padStart(width);
}
