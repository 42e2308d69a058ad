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
  start(): Promise<void>;
  /** With SIGKILL. Stays away until `start`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** The texts of the sender's messages that are stored here. */
  stored(): Promise<string[]>;
}

const MEMORY_BYTES = 2 ** 30;

/** @param password that of all shards: they read from each other */
export async function startShard(name: string, folder: string, password: string): Promise<Shard> {
  const directory = engineDirectory(folder);
  fs.mkdirSync(directory.root, { recursive: true });
  fs.writeFileSync(directory.password, password, { mode: 0o600 });
  let engine = await startEngine(folder);
  const { url, username, nativePort } = engine.endpoint();
  const { port } = new URL(url);

  return {
    name,
    url,
    uri: `http://${username}:${password}@127.0.0.1:${port}?native_port=${nativePort}`,
    get isRunning() {
      return engine.state === 'running';
    },
    async start() {
      if (engine.state === 'running') return;
      engine = await startEngine(folder, { http: Number(port), native: nativePort });
      if (engine.endpoint().url === url && engine.endpoint().nativePort === nativePort) return;
      await engine.stop();
      throw new Error(`the ports of ${name}, ${port} and ${nativePort}, are used by another program now`);
    },
    async kill() {
      // A copy of the tables' definitions, which the engine may have cut short when it is killed, as a node makes it.
      await engine.saveDefinitions();
      if (engine.pid !== undefined) process.kill(engine.pid, 'SIGKILL');
      // At once, so that it is not started again.
      await engine.stop();
    },
    stop: () => engine.stop(),
    async stored() {
      const clickhouse = createClickHouse([engine.endpoint()]);
      try {
        const rows = await clickhouse.query<{ message: string }>(
          "SELECT message FROM merge('millrace', '^millrace') WHERE source = {sender:String}",
          { parameters: { sender: SENDER } },
        );
        return rows.map(({ message }) => message);
      } finally {
        await clickhouse.close();
      }
    },
  };
}

async function startEngine(
  dataDir: string,
  ports?: { readonly http: number; readonly native: number | undefined },
): Promise<EmbeddedEngine> {
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: MEMORY_BYTES, isShard: true, ...(ports && { ports }) },
  );
  try {
    await engine.start();
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return engine;
}
