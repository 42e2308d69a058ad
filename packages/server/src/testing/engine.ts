import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '#core/index.ts';
import {
  type ClickHouse,
  createClickHouse,
  createEmbeddedEngine,
  type EmbeddedEngine,
  engineDirectory,
} from '#storage/index.ts';
import { createLogger } from '#telemetry/index.ts';

/** A running embedded ClickHouse with a data directory of its own. */
export interface TestEngine {
  readonly engine: EmbeddedEngine;
  readonly dataDir: string;
  /** Works as the engine's own user, in the database `test` (there from the start). */
  readonly clickhouse: ClickHouse;
}

export interface TestEngineOptions {
  readonly maxMemoryBytes?: number;
  /** Where its data directory is made; the system's folder for temporary files unless given. */
  readonly parent?: string;
  /** Where it may write and read backups. */
  readonly backupDir?: string;
  /** Where old messages go. */
  readonly coldDir?: string;
  /** For one of several engines that read from each other: the password of all of them. */
  readonly shardPassword?: string;
}

export const TEST_DATABASE = 'test';
const DEFAULT_MEMORY_BYTES = 2 * 2 ** 30;
/** Under an emulator, on a busy machine, a start can take this long. */
const START_TIMEOUT_MS = 180_000;

export interface StartedTestEngine extends TestEngine {
  stop(): Promise<void>;
  /** After `engine.stop()`: another engine on the same data. */
  startAgain(): Promise<StartedTestEngine>;
}

/** Starts an engine. Use `useTestEngine` in tests; this is for those that need several, or in a child. */
export async function startTestEngine(options: TestEngineOptions = {}): Promise<StartedTestEngine> {
  const dataDir = fs.mkdtempSync(path.join(options.parent ?? os.tmpdir(), 'millrace-engine-'));
  if (options.shardPassword !== undefined) {
    const directory = engineDirectory(dataDir);
    fs.mkdirSync(directory.root, { recursive: true });
    fs.writeFileSync(directory.password, options.shardPassword, { mode: 0o600 });
  }
  const started = await startOn(dataDir, options);
  const setup = createClickHouse([started.engine.endpoint()]);
  await setup.commandOnEach(`CREATE DATABASE ${TEST_DATABASE}`);
  await setup.close();
  return started;
}

/** Engines that read from each other. */
export function startTestShards(count: number): Promise<StartedTestEngine[]> {
  const shardPassword = randomBytes(16).toString('base64url');
  return Promise.all(Array.from({ length: count }, () => startTestEngine({ shardPassword })));
}

async function startOn(dataDir: string, options: TestEngineOptions): Promise<StartedTestEngine> {
  const engine = createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    {
      dataDir,
      maxMemoryBytes: options.maxMemoryBytes ?? DEFAULT_MEMORY_BYTES,
      isShard: options.shardPassword !== undefined,
      backupDir: options.backupDir,
      coldDir: options.coldDir,
    },
  );
  const discard = () => fs.rmSync(dataDir, { recursive: true, force: true });
  try {
    await engine.start();
  } catch (error) {
    await engine.stop();
    discard();
    throw error;
  }
  const clickhouse = createClickHouse(() => [engine.endpoint()], {
    database: TEST_DATABASE,
    afterCommand: () => engine.saveDefinitions(),
  });
  return {
    engine,
    dataDir,
    clickhouse,
    async stop() {
      await clickhouse.close();
      await engine.stop();
      discard();
    },
    async startAgain() {
      await clickhouse.close();
      return startOn(dataDir, options);
    },
  };
}

/**
 * One engine for all tests of a file: started before them, stopped after them. A start takes long under an
 * emulator, so give every test tables of its own instead of an engine of its own.
 */
export function useTestEngine(options: TestEngineOptions = {}): () => TestEngine {
  let running: StartedTestEngine | undefined;
  beforeAll(async () => {
    running = await startTestEngine(options);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await running?.stop();
  }, START_TIMEOUT_MS);
  return () => {
    if (running === undefined) throw new Error('the engine is there only while tests run');
    return running;
  };
}
