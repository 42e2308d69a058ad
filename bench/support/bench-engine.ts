/** An engine for benchmarks that bring their messages to it themselves. */
import fs from 'node:fs';
import { systemClock } from '../../packages/server/src/core/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  createEmbeddedEngine,
} from '../../packages/server/src/storage/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import { until } from './bench-node.ts';

/** Generous: only so that a benchmark does not wait without an end. */
const MERGES_MS = 30 * 60_000;

export interface BenchEngine {
  readonly endpoint: ClickHouseEndpoint;
  readonly emulated: boolean;
  /** Undefined for one that is not ours. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** The engine that ships with us, for this benchmark alone. */
export async function startBenchEngine(dataDir: string): Promise<BenchEngine> {
  fs.mkdirSync(dataDir, { recursive: true });
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: 4 * 2 ** 30 },
  );
  await engine.start();
  const { emulated, pid } = engine;
  return { endpoint: engine.endpoint(), emulated, pid, stop: () => engine.stop() };
}

/** For `clickhouse_uri`. */
export function engineUri({ url, username, password }: ClickHouseEndpoint): string {
  const uri = new URL(url);
  uri.username = encodeURIComponent(username);
  uri.password = encodeURIComponent(password.reveal());
  return uri.href.replace(/\/$/, '');
}

/** The table of the message that the node has stored. */
export async function tableWithMessages(clickhouse: ClickHouse, database: string): Promise<string> {
  const [found] = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = {database:String} AND total_rows > 0`,
    { parameters: { database } },
  );
  if (found === undefined) throw new Error('the node has no table with the message that was sent');
  return found.name;
}

/**
 * Until the engine has merged what it merges by itself, and the node what is left of new parts. One new part of an index
 * has nothing to be merged with, so it may stay (`storage/new-parts.ts`). Parts with larger ones between them, or merges
 * of others on a server that is not ours, would be waited for forever: it throws after a while.
 */
export async function untilMerged(
  query: (sql: string) => Promise<readonly { readonly left: string }[]>,
  database: string,
): Promise<void> {
  const deadline = performance.now() + MERGES_MS;
  await until(async () => {
    const [now] = await query(
      `SELECT max(parts) > 1 OR (SELECT count() FROM system.merges) > 0 AS left FROM (
         SELECT countIf(level = 0) AS parts FROM system.parts
         WHERE active AND database = '${database}' GROUP BY table, partition_id)`,
    );
    if (Number(now?.left) === 0) return true;
    if (performance.now() < deadline) return false;
    throw new Error(`after ${MERGES_MS / 60_000} minutes the engine still merges, or has new parts to merge`);
  });
}
