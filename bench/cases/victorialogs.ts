/**
 * `npm run bench -- victorialogs <program> [mix,…] [messages] [searched messages]`: the same messages into a whole node and into
 * VictoriaLogs, one after the other in one run, and then the same questions to both. The program is not part of this one: give
 * the path of a `victoria-logs` that was built elsewhere.
 *
 * The node gets GELF over TCP, journals it and has ten streams; VictoriaLogs gets lines of JSON over HTTP, with `host` as the
 * field of its streams. Both count until every message can be found, CPU until merges have settled. Questions are asked about
 * messages of the web mix, in turn, so that a slow minute of the machine is one of both. The last line is JSON.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MIX_NAMES, openMix } from '../mixes.ts';
import { type BenchNode, startBenchNode } from '../support/bench-node.ts';
import { type PeerQuestion, peerQuestions } from '../support/peer-questions.ts';
import {
  ingestIntoVictoriaLogs,
  type PeerFigures,
  startVictoriaLogs,
  type VictoriaLogs,
} from '../support/victoria-logs.ts';
import { type IngestFigures, ingest } from '../support/whole-node.ts';

const MESSAGES = 300_000;
const SEARCHED = 1_000_000;
const WARM_UPS = 3;
const ROUNDS = 15;

interface Pair<T> {
  readonly ours: T;
  readonly theirs: T;
}

export async function run([program, mixes, messages, searched]: string[]): Promise<void> {
  if (program === undefined || !fs.existsSync(program)) {
    throw new Error('give the path of a victoria-logs program: npm run bench -- victorialogs <program>');
  }
  const intake: Record<string, Pair<PeerFigures>> = {};
  for (const mix of mixes === undefined || mixes === '-' ? MIX_NAMES : mixes.split(',').filter(Boolean)) {
    intake[mix] = await withBoth(program, (node, dataDir, peer) =>
      ingestBoth({ node, dataDir, peer }, mix, Number(messages ?? MESSAGES)),
    );
  }
  const count = Number(searched ?? SEARCHED);
  const searches = count === 0 ? {} : await withBoth(program, (...both) => searchBoth(count, ...both));
  console.log(JSON.stringify({ bench: 'victorialogs', load: os.loadavg()[0], intake, searches }));
}

async function withBoth<T>(
  program: string,
  work: (node: BenchNode, dataDir: string, peer: VictoriaLogs) => Promise<T>,
): Promise<T> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-peer-'));
  const dataDir = path.join(directory, 'node');
  try {
    const peer = await startVictoriaLogs(program, path.join(directory, 'peer'));
    try {
      const node = await startBenchNode({ dataDir });
      return await work(node, dataDir, peer).finally(() => node.stop());
    } finally {
      await peer.stop();
    }
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

interface Both {
  readonly node: BenchNode;
  readonly dataDir: string;
  readonly peer: VictoriaLogs;
}

async function ingestBoth({ node, dataDir, peer }: Both, mix: string, messages: number) {
  const theirs = await ingestIntoVictoriaLogs(peer, mix, messages);
  const ours = await ingest(node, dataDir, mix, messages);
  console.log(inWords(mix, { ours, theirs }));
  return { ours, theirs };
}

function inWords(
  mix: string,
  { ours, theirs }: Pair<PeerFigures> & { readonly ours: IngestFigures },
): string {
  const row = (what: string, pick: (figures: PeerFigures) => number, digits: number) =>
    `  ${what.padEnd(26)}${pick(ours).toFixed(digits).padStart(10)}${pick(theirs).toFixed(digits).padStart(10)}` +
    `${(pick(ours) / pick(theirs)).toFixed(2).padStart(8)}`;
  return [
    `${mix.padEnd(28)}      ours    theirs   ratio`,
    row('CPU µs a message', (each) => each.cpuMicroseconds, 1),
    row('messages a second', (each) => each.messagesPerSecond, 0),
    row('disk bytes per raw byte', (each) => each.diskBytesPerRawByte, 3),
    row('most memory, MB', (each) => each.maxResidentMegabytes, 0),
    `  ours, µs by threads: ${Object.entries(ours.cpuByThreads)
      .map(([group, each]) => `${group} ${each.toFixed(1)}`)
      .join(', ')}`,
    `  ours, MB: node ${ours.maxNodeMegabytes.toFixed(0)}, engine ${ours.maxEngineMegabytes.toFixed(0)}; ${ours.passes.toFixed(2)} passes, ${ours.partsStored.parts} parts when stored`,
  ].join('\n');
}

async function searchBoth(count: number, node: BenchNode, dataDir: string, peer: VictoriaLogs) {
  await ingestIntoVictoriaLogs(peer, 'web', count);
  const { partsSettled } = await ingest(node, dataDir, 'web', count);
  console.log(`${count} web messages, ours in ${partsSettled.parts} parts (${partsSettled.newParts} new)`);
  const times: Record<string, Pair<number>> = {};
  const questions = peerQuestions({
    first: JSON.parse(openMix('web').message(0)) as { timestamp: number },
    last: JSON.parse(openMix('web').message(count - 1)) as { timestamp: number },
    middle: JSON.parse(openMix('web').message(Math.floor(count / 2))) as { _request_id: string },
  });
  console.log(`${'ms, median'.padEnd(32)}    ours  theirs   ratio`);
  for (const question of questions) {
    const { ours, theirs } = await askBoth(question, node, peer);
    times[question.name] = { ours, theirs };
    console.log(
      `${question.name.padEnd(32)}${ours.toFixed(1).padStart(8)}${theirs.toFixed(1).padStart(8)}${(ours / theirs).toFixed(2).padStart(8)}`,
    );
  }
  return times;
}

async function askBoth(question: PeerQuestion, node: BenchNode, peer: VictoriaLogs): Promise<Pair<number>> {
  const { ours, theirs } = question;
  const taken = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const mine = await timed(() => node.text(ours.method, ours.path, ours.body));
    const other = await timed(() => peer.ask(theirs.endpoint, theirs.parameters));
    if (round === -WARM_UPS) compare(question, mine.answer, other.answer);
    if (round < 0) continue;
    taken.ours.push(mine.milliseconds);
    taken.theirs.push(other.milliseconds);
  }
  return { ours: median(taken.ours), theirs: median(taken.theirs) };
}

function compare({ name, ours, theirs, tolerance }: PeerQuestion, mine: string, other: string): void {
  const [figure, otherFigure] = [ours.figure(mine), theirs.figure(other)];
  if (Math.abs(figure - otherFigure) <= tolerance * Math.abs(otherFigure)) return;
  throw new Error(`${name}: ${figure} and ${otherFigure}; ${mine.slice(0, 300)}; ${other.slice(0, 300)}`);
}

async function timed(work: () => Promise<string>) {
  const startedAt = performance.now();
  const answer = await work();
  return { answer, milliseconds: performance.now() - startedAt };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
