import fs from 'node:fs';
import { systemClock } from '../../../packages/server/src/core/index.ts';
import {
  createClickHouse,
  createEmbeddedEngine,
  type EmbeddedEngine,
  engineDirectory,
} from '../../../packages/server/src/storage/index.ts';
import { createLogger } from '../../../packages/server/src/telemetry/index.ts';
import { SENDER } from '../../../tests/support/crash-load.ts';

/** A ClickHouse server with a part of the messages: an embedded engine that others may read from. */
export interface Shard {
  readonly name: string;
  /** For `clickhouse_uri`. */
  readonly uri: string;
  /** As searches name it. */
  readonly url: string;
  readonly isRunning: boolean;
  readonly pid: number;
  start(): Promise<void>;
  /** With SIGKILL. Stays away until `start`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** The texts of the sender's messages that are stored here. */
  stored(): Promise<string[]>;
  query<Row>(statement: string, parameters?: Readonly<Record<string, string>>): Promise<readonly Row[]>;
}

const MEMORY_BYTES = 2 ** 30;

export interface ShardSettings {
  readonly folder: string;
  readonly ports: ShardPorts;
  /** That of all shards: they read from each other. */
  readonly password: string;
}

export interface ShardPorts {
  readonly http: number;
  readonly native: number;
}

export async function startShard(name: string, { folder, ports, password }: ShardSettings): Promise<Shard> {
  const directory = engineDirectory(folder);
  fs.mkdirSync(directory.root, { recursive: true });
  fs.writeFileSync(directory.password, password, { mode: 0o600 });
  let engine = await startEngine(folder, ports);
  let isKilled = false;
  const { url, username } = engine.endpoint();

  async function query<Row>(statement: string, parameters: Readonly<Record<string, string>> = {}) {
    await engine.ready();
    const clickhouse = createClickHouse([engine.endpoint()]);
    try {
      return await clickhouse.query<Row>(statement, { parameters });
    } finally {
      await clickhouse.close();
    }
  }

  return {
    name,
    url,
    uri: `http://${username}:${password}@127.0.0.1:${ports.http}?native_port=${ports.native}`,
    get isRunning() {
      return !isKilled;
    },
    get pid() {
      return engine.pid ?? 0;
    },
    async start() {
      // One that died by itself is started again by itself.
      if (!isKilled) return engine.ready();
      engine = await startEngine(folder, ports);
      isKilled = false;
    },
    async kill() {
      // A copy of the tables' definitions, which the engine may have cut short when it is killed, as a node makes it.
      await engine.saveDefinitions();
      if (engine.pid !== undefined) process.kill(engine.pid, 'SIGKILL');
      isKilled = true;
      // At once, so that it is not started again.
      await engine.stop();
    },
    stop: () => engine.stop(),
    query,
    async stored() {
      const rows = await query<{ message: string }>(
        "SELECT message FROM merge('millrace', '^millrace') WHERE source = {sender:String}",
        { sender: SENDER },
      );
      return rows.map(({ message }) => message);
    },
  };
}

async function startEngine(dataDir: string, ports: ShardPorts): Promise<EmbeddedEngine> {
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: MEMORY_BYTES, isShard: true, ports },
  );
  try {
    await engine.start();
    const { url, nativePort } = engine.endpoint();
    if (new URL(url).port === String(ports.http) && nativePort === ports.native) return engine;
    throw new Error(
      `another program uses port ${ports.http} or ${ports.native}, which nodes know the shard by`,
    );
  } catch (error) {
    await engine.stop();
    throw error;
  }
}
