import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RetryableError, systemClock } from '#core/index.ts';
import { createClickHouse, createNativeBatch } from '#storage/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { until } from '#testing/eventually.ts';
import { UInt32Column } from '#testing/native-columns.ts';
import {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineSettings,
  type EngineState,
} from './engine.ts';
import { readEngineRecord, systemProcesses } from './previous-engine.ts';

/** Every start takes more than ten seconds of processor time under an emulator. */
const PATIENCE_MS = 600_000;
const PATIENCE = { timeoutMs: PATIENCE_MS, intervalMs: 5 };
const MEMORY_BYTES = 10 ** 9;

let dataDir: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-engine-'));
});
afterEach(() => {
  fs.rmSync(dataDir, { recursive: true, force: true });
});

function createEngine(changes: Partial<EmbeddedEngineSettings> = {}): EmbeddedEngine {
  return createEmbeddedEngine(
    { logger: createLogger({ level: 'silent' }), clock: systemClock },
    { dataDir, maxMemoryBytes: MEMORY_BYTES, healthyAfterMs: 0, cleanStopMs: PATIENCE_MS, ...changes },
  );
}

function stateReached(engine: EmbeddedEngine, wanted: EngineState): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = engine.onStateChange((state) => {
      if (state !== wanted) return;
      unsubscribe();
      resolve();
    });
  });
}

const ROWS_A_BATCH = 100;

/** Inserts batch after batch, repeating each until it is confirmed, and stored if an attempt had failed. */
async function startInserting(engine: EmbeddedEngine) {
  const clickhouse = createClickHouse(() => [engine.endpoint()], { requestTimeoutMs: 60_000 });
  await clickhouse.commandOnEach(`CREATE TABLE rows (n UInt32) ENGINE = MergeTree ORDER BY n
    SETTINGS non_replicated_deduplication_window = 1000`);
  const progress = { confirmed: 0, repeated: 0, failure: undefined as unknown };
  let stopping = false;

  async function insertBatch(number: number): Promise<void> {
    const batch = createNativeBatch({ n: new UInt32Column() });
    for (let row = 0; row < ROWS_A_BATCH; row++) {
      batch.columns.n.append(number * ROWS_A_BATCH + row);
      batch.endRow();
    }
    const block = batch.encode();
    let token = `batch ${number}`;
    for (let attempt = 1; ; attempt++) {
      try {
        await clickhouse.servers[0]!.insertNative({ table: 'rows', block, deduplicationToken: token });
        if (attempt === 1 || (await isStored(number))) return;
        // The engine was killed between keeping the token and showing the rows (ADR 14).
        token = `batch ${number}, attempt ${attempt}`;
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        progress.repeated++;
        await engine.ready();
      }
    }
  }

  async function isStored(number: number): Promise<boolean> {
    const first = number * ROWS_A_BATCH;
    const rows = await clickhouse.query(
      `SELECT n FROM rows WHERE n BETWEEN ${first} AND ${first + ROWS_A_BATCH - 1}`,
    );
    return rows.length > 0;
  }

  const done = (async () => {
    while (!stopping) {
      await insertBatch(progress.confirmed);
      progress.confirmed++;
    }
  })();
  done.catch((error: unknown) => {
    progress.failure = error;
  });
  return {
    clickhouse,
    progress,
    async finish() {
      stopping = true;
      await done;
    },
  };
}

test(
  'killed again and again under inserts it comes back, with every confirmed row once; then it stops cleanly',
  async () => {
    const engine = createEngine();
    await engine.start();
    const { url } = engine.endpoint();
    const inserting = await startInserting(engine);

    const logSize = () => fs.statSync(path.join(dataDir, 'clickhouse/clickhouse.log')).size;
    const logOfStart = logSize();

    // A start takes a quarter of a minute under an emulator.
    const kills = engine.emulated ? 4 : 20;
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 2 === 0) {
        // While it works: an insert is under way at any moment.
        await engine.ready();
        const enough = inserting.progress.confirmed + 15;
        await until(() => inserting.progress.confirmed >= enough, PATIENCE);
      } else {
        // While it starts, each time at another point of the start: its log tells how far it is.
        const before = logSize();
        await until(() => engine.pid, PATIENCE);
        const point = before + (kill / kills) * logOfStart;
        await until(() => logSize() >= point || engine.state === 'running', PATIENCE);
      }
      const { pid } = engine;
      if (pid === undefined) throw new Error(`there is no engine to kill for the ${kill + 1}th time`);
      const restarting = engine.state === 'running' ? stateReached(engine, 'restarting') : undefined;
      process.kill(pid, 'SIGKILL');
      await restarting;
      await until(() => engine.pid !== pid, PATIENCE);
    }
    await engine.ready();
    await inserting.finish();

    const { confirmed, repeated } = inserting.progress;
    expect(confirmed).toBeGreaterThanOrEqual((kills / 2) * 15);
    expect(repeated).toBeGreaterThan(0);
    expect(
      await inserting.clickhouse.query(
        'SELECT count() AS count, uniqExact(n) AS different, max(n) AS last FROM rows',
      ),
    ).toEqual([
      {
        count: String(confirmed * ROWS_A_BATCH),
        different: String(confirmed * ROWS_A_BATCH),
        last: confirmed * ROWS_A_BATCH - 1,
      },
    ]);
    expect(engine.endpoint().url).toBe(url);

    const pid = engine.pid!;
    const states: EngineState[] = [];
    engine.onStateChange((state) => states.push(state));
    await inserting.clickhouse.close();
    await engine.stop();
    expect(states).toEqual(['stopping', 'stopped']);
    expect(systemProcesses.find(pid)).toBeUndefined();
    expect(fs.existsSync(path.join(dataDir, 'clickhouse/engine.pid'))).toBe(false);
    // It ended because it was asked to, not because it was killed.
    const log = fs.readFileSync(path.join(dataDir, 'clickhouse/engine.log'), 'utf8');
    expect(log.trimEnd().endsWith('the engine ended')).toBe(true);
    await expect(engine.ready()).rejects.toThrow('stopped');
  },
  PATIENCE_MS,
);

test(
  'an engine that hangs is killed and restarted; a slow one is not',
  async () => {
    const engine = createEngine({ probes: { intervalMs: 50, timeoutMs: 3000, maxFailures: 3 } });
    await engine.start();
    const pid = engine.pid!;
    const clickhouse = createClickHouse(() => [engine.endpoint()]);
    // Several probes pass while it works; one of them during a statement that fails for want of memory.
    await expect(
      clickhouse.query('SELECT groupArray(number) FROM numbers(1e9) SETTINGS max_memory_usage = 1000000'),
    ).rejects.toThrow('241');
    expect(await clickhouse.query('SELECT sleep(1) AS slept')).toEqual([{ slept: 0 }]);
    expect(engine.pid).toBe(pid);

    const restarting = stateReached(engine, 'restarting');
    process.kill(pid, 'SIGSTOP');
    await restarting;
    await engine.ready();
    expect(engine.pid).not.toBe(pid);
    expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await clickhouse.close();
    await engine.stop();
  },
  PATIENCE_MS,
);

test(
  'the user of the start statement cannot be used over the network',
  async () => {
    const engine = createEngine();
    await engine.start();
    const { url } = engine.endpoint();
    for (const sql of ['SELECT 1', 'SYSTEM STOP LISTEN HTTP', 'SYSTEM STOP LISTEN QUERIES ALL']) {
      const response = await fetch(url, {
        method: 'POST',
        body: sql,
        headers: { 'x-clickhouse-user': 'default' },
      });
      expect(response.status).toBe(404);
    }
    const clickhouse = createClickHouse([engine.endpoint()]);
    expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await clickhouse.close();
    await engine.stop();
  },
  PATIENCE_MS,
);

/** A process of its own that runs the engine and can be killed as a node can. */
function startHost(): ChildProcess {
  const module = (name: string) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, name)).href);
  const program = `
    const { createEmbeddedEngine } = await import(${module('engine.ts')});
    const { createLogger } = await import(${module('../../telemetry/index.ts')});
    const { systemClock } = await import(${module('../../core/index.ts')});
    const engine = createEmbeddedEngine({ logger: createLogger({ level: 'silent' }), clock: systemClock },
      { dataDir: ${JSON.stringify(dataDir)}, maxMemoryBytes: ${MEMORY_BYTES} });
    await engine.start();
    console.log('ready');`;
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function killHost(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

test(
  'when the node is killed its engine ends by itself, and an immediate restart works on the same data',
  async () => {
    const pidFile = path.join(dataDir, 'clickhouse/engine.pid');

    const first = startHost();
    await once(createInterface({ input: first.stdout! }), 'line');
    const orphan = readEngineRecord(pidFile)!;
    expect(systemProcesses.find(orphan.pid)?.commandLine).toContain(orphan.instance);
    await killHost(first);
    await until(() => !isRunning(orphan.pid, orphan.instance));

    // The second node is killed while its engine starts, and the third does not wait at all.
    const second = startHost();
    const starting = await until(() => {
      const record = fs.existsSync(pidFile) ? readEngineRecord(pidFile) : undefined;
      return record?.instance === orphan.instance ? undefined : record;
    }, PATIENCE);
    await killHost(second);

    const engine = createEngine();
    await engine.start();
    expect(isRunning(starting.pid, starting.instance)).toBe(false);
    expect(engine.state).toBe('running');
    const clickhouse = createClickHouse([engine.endpoint()]);
    expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);

    // A third engine on the same folder, while this one lives, is refused and does no harm.
    const intruder = createEngine();
    await expect(intruder.start()).rejects.toThrow(`still running (process ${engine.pid}`);
    await intruder.stop();
    expect(await clickhouse.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readEngineRecord(pidFile)?.pid).toBe(engine.pid);
    await clickhouse.close();
    await engine.stop();
  },
  PATIENCE_MS,
);

function isRunning(pid: number, instance: string): boolean {
  return systemProcesses.find(pid)?.commandLine.includes(instance) === true;
}
