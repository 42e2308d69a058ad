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

/** Until the engine has merged what it merges by itself, and the node what is left of new parts. */
export async function untilMerged(
  query: (sql: string) => Promise<readonly { readonly left: string }[]>,
  database: string,
): Promise<void> {
  await until(async () => {
    const [now] = await query(
      `SELECT countIf(level = 0) > 1 OR (SELECT count() FROM system.merges) > 0 AS left
       FROM system.parts WHERE active AND database = '${database}'`,
    );
    return Number(now?.left) === 0;
  });
}
