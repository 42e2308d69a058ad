import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { journaledFrames } from '../../packages/server/src/testing/worker-pool-fixture.ts';
import { type CrashLoad, startCrashLoad } from './crash-load.ts';

/** The benchmark sends for minutes between two kills. */
const PATIENCE = { timeoutMs: 600_000, intervalMs: 5 };
const INTAKE_CHILD = path.resolve(import.meta.dirname, 'intake-child.ts');

export interface CrashRoundsConfig {
  readonly journalDirectory: string;
  /** How often the process is killed with SIGKILL. */
  readonly kills: number;
  readonly workers: number;
  readonly httpSenders: number;
  readonly tcpConnections: number;
  /** Messages over TCP in all; the kills are spread over them. Over HTTP come as many as there is time for. */
  readonly tcpMessages: number;
  /** At least that many must be acknowledged between two kills. */
  readonly acknowledgedPerRound: number;
}

export interface CrashResult {
  readonly sentByTcp: number;
  readonly sentByHttp: number;
  readonly acknowledged: number;
  readonly journaled: number;
  /** Acknowledged, and not in the journal. */
  readonly lost: readonly string[];
  /** In the journal more than once. */
  readonly repeated: readonly string[];
  /** In the journal, and never sent. */
  readonly invented: readonly string[];
  readonly kills: number;
  readonly incidents: readonly string[];
}

/** Kills the intake again and again while messages come in, then looks what is in the journal. */
export async function crashRounds(config: CrashRoundsConfig): Promise<CrashResult> {
  const ports = { tcp: 0, http: 0 };
  const incidents: string[] = [];
  let child = await startIntake(config, ports, incidents);
  const load = startCrashLoad({
    ports,
    httpSenders: config.httpSenders,
    tcpConnections: config.tcpConnections,
  });
  const perRound = config.tcpMessages / (config.kills + 1);
  for (let round = 1; round <= config.kills; round += 1) {
    const before = load.acknowledged.size;
    load.allowTcp(Math.ceil(perRound * (round + 1)));
    await until(
      () =>
        load.sentByTcp() >= perRound * round &&
        load.acknowledged.size >= before + config.acknowledgedPerRound,
      PATIENCE,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    child = await startIntake(config, ports, incidents);
  }
  await until(() => load.sentByTcp() >= config.tcpMessages, PATIENCE);
  await load.stop();
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { ...(await compare(load, config.journalDirectory)), kills: config.kills + 1, incidents };
}

/** Starts the intake and puts into `ports` where it listens. */
async function startIntake(
  { journalDirectory, workers }: CrashRoundsConfig,
  ports: { tcp: number; http: number },
  incidents: string[],
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [INTAKE_CHILD, journalDirectory, String(workers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const ready = Promise.withResolvers<RegExpExecArray>();
  child.once('exit', () => ready.reject(new Error(`the intake ended before it was ready:\n${output}`)));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const listening = /^ready (\d+) (\d+)\n/m.exec(output);
    if (listening !== null) ready.resolve(listening);
  });
  child.stdout.on('end', () => {
    incidents.push(...output.split('\n').filter((line) => line.startsWith('incident')));
  });
  const [, tcp, http] = await ready.promise;
  Object.assign(ports, { tcp: Number(tcp), http: Number(http) });
  return child;
}

async function compare(load: CrashLoad, journalDirectory: string) {
  const counts = new Map<string, number>();
  for await (const { text } of journaledFrames(journalDirectory)) {
    const id = String(JSON.parse(text).short_message);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const sent = { t: load.sentByTcp(), h: load.sentByHttp() };
  const wasSent = (id: string): boolean =>
    /^[ht]\d+$/.test(id) && Number(id.slice(1)) < sent[id[0] === 't' ? 't' : 'h'];
  return {
    sentByTcp: sent.t,
    sentByHttp: sent.h,
    acknowledged: load.acknowledged.size,
    journaled: counts.size,
    lost: [...load.acknowledged].filter((id) => !counts.has(id)),
    repeated: [...counts].filter(([, count]) => count > 1).map(([id]) => id),
    invented: [...counts.keys()].filter((id) => !wasSent(id)),
  };
}
