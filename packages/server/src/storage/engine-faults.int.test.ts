/** What a real engine does when its disk or its limits fail, and that no message is lost or blamed for it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { monotonicClock, RetryableError } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { startTestEngine, TEST_DATABASE } from '#testing/engine.ts';
import { eventually, until } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { mountQuotaDisk, quotaDiskProblem } from '#testing/quota-disk.ts';
import { type MountedDisk, mountSmallDisk, smallDiskProblem } from '#testing/small-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  routeByText,
  type TestWriter,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import { createMessageTable } from './schema/message-table.ts';
import { createAwayShards } from './writer/away-shards.ts';
import { BlockSender } from './writer/block-sender.ts';
import { createRetrying } from './writer/retrying.ts';

const MIB = 2 ** 20;
const TABLES = [DEFAULT_SET, OTHER_SET, FAILURE_SET].map((id) => `table_${id}`);
const DEFAULT_TABLE = `table_${DEFAULT_SET}`;
const FAILURE_TABLE = `table_${FAILURE_SET}`;
/** An engine that cannot be restarted while its disk fails is tried every five seconds. */
const PATIENCE = { timeoutMs: 120_000, intervalMs: 50 };

/** An engine on a disk of its own, and a writer that stores in it; both for all tests of a `describe`. */
function useEngineOn<Disk extends MountedDisk>(mount: () => Disk) {
  let disk: Disk;
  let engine: Awaited<ReturnType<typeof startTestEngine>>;
  let journal: TestJournal;
  let writer: TestWriter;
  let pumping: Promise<void>;
  let sent: string[];

  beforeAll(async () => {
    disk = mount();
    engine = await startTestEngine({ parent: disk.directory });
  });
  afterAll(async () => {
    await engine.stop();
    disk.unmount();
  }, 60_000);

  beforeEach(async () => {
    await eventually(async () => {
      for (const table of TABLES) {
        await engine.clickhouse.commandOnEach(`DROP TABLE IF EXISTS ${table} SYNC`);
        await engine.clickhouse.commandOnEach(createMessageTable(TEST_DATABASE, table));
      }
    }, PATIENCE);
    journal = await openTestJournal({
      budget: localByteBudget(512 * MIB),
      tuning: { chunkBytes: MIB, windowBytes: 64 * MIB, maxPendingBytes: 128 * MIB },
      config: { segmentBytes: 64 * MIB },
    });
    writer = createTestWriter(journal.reader, () => engine.clickhouse, { maxAgeMs: 50, maxRetryMs: 200 });
    writer.useIndexSets(testSnapshot(1));
    pumping = pump(journal.reader, writer, routeByText);
    sent = [];
  });
  afterEach(async () => {
    disk.repair();
    await writer.stop();
    await journal.close();
    await pumping;
  });

  /** Texts that do not compress, so that they need room on the disk. */
  async function send(count: number, bytes = 20): Promise<void> {
    const texts = Array.from(
      { length: count },
      (_, index) => `a-${sent.length + index}-${randomBytes(bytes / 2).toString('hex')}`,
    );
    expect(await appendSettled(journal, texts)).toBe(true);
    sent.push(...texts);
  }

  /** The engine may be on its way up again. */
  function answerOf<Row>(sql: string): Promise<Row[]> {
    return eventually(() => engine.clickhouse.query<Row>(sql), PATIENCE);
  }

  async function count(table: string): Promise<{ rows: number; ids: number }> {
    const [row] = await answerOf<{ rows: string; ids: string }>(
      `SELECT count() AS rows, uniqExact(id) AS ids FROM ${table}`,
    );
    return { rows: Number(row?.rows), ids: Number(row?.ids) };
  }

  async function everythingStoredOnce(): Promise<void> {
    await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0), PATIENCE);
    expect(await count(DEFAULT_TABLE)).toEqual({ rows: sent.length, ids: sent.length });
    expect(await count(FAILURE_TABLE)).toEqual({ rows: 0, ids: 0 });
  }

  /** Resolves when the engine writes the data of a part under such a name. */
  function writingPart(prefix: string): Promise<boolean> {
    const store = path.join(engine.dataDir, 'clickhouse', 'store');
    const isWritten = (file: string) =>
      path.basename(path.dirname(file)).startsWith(prefix) &&
      file.endsWith('.bin') &&
      fs.statSync(path.join(store, file)).size > 0;
    return until(
      () => {
        try {
          return fs.readdirSync(store, { recursive: true, encoding: 'utf8' }).some(isWritten);
        } catch {
          // Folders go while they are listed.
          return false;
        }
      },
      { ...PATIENCE, intervalMs: 1 },
    );
  }

  /** All texts are read: a part whose files are incomplete still counts its rows. */
  async function everyTextStored(): Promise<void> {
    const [stored] = await answerOf<{ texts: string; bytes: string }>(
      `SELECT uniqExact(message) AS texts, sum(length(message)) AS bytes FROM ${DEFAULT_TABLE}`,
    );
    const bytes = sent.reduce((sum, text) => sum + text.length, 0);
    expect({ texts: Number(stored?.texts), bytes: Number(stored?.bytes) }).toEqual({
      texts: sent.length,
      bytes,
    });
  }

  const inTrouble = () => eventually(() => expect(writer.trouble).toBeDefined(), PATIENCE);

  return {
    disk: () => disk,
    clickhouse: () => engine.clickhouse,
    engine: () => engine.engine,
    send,
    inTrouble,
    writingPart,
    everythingStoredOnce,
    everyTextStored,
    isInTroubleOrDone: () => writer.trouble !== undefined || journal.stats().uncommittedRecords === 0,
  };
}

describe.skipIf(smallDiskProblem() !== undefined)('an engine whose disk or limits fail', () => {
  const {
    disk,
    clickhouse,
    engine,
    send,
    inTrouble,
    writingPart,
    everythingStoredOnce,
    everyTextStored,
    isInTroubleOrDone,
  } = useEngineOn(() => mountSmallDisk(256));

  test('a disk that is full before the insert', async () => {
    disk().fill(0);
    await send(200);
    await inTrouble();
    await send(200);
    disk().repair();
    await everythingStoredOnce();
  });

  test('a disk that fills up in the middle of an insert', async () => {
    disk().fill(200_000);
    await send(60, 8000);
    await inTrouble();
    disk().repair();
    await everythingStoredOnce();
  });

  test('a disk that fills up while a part is written', async () => {
    const written = writingPart('tmp_insert');
    await send(4000, 8000);
    await written;
    disk().fill(0);
    await until(isInTroubleOrDone, PATIENCE);
    disk().repair();
    await everythingStoredOnce();
    await everyTextStored();
  });

  test('a disk that fills up while parts are merged', async () => {
    for (let part = 0; part < 8; part++) {
      await send(1000, 8000);
      await everythingStoredOnce();
    }
    const { pid } = engine();
    const merged = writingPart('tmp_merge');
    const optimizing = clickhouse().commandOnEach(`OPTIMIZE TABLE ${DEFAULT_TABLE} FINAL`);
    await merged;
    disk().fill(0);
    await optimizing.catch(() => {});
    disk().repair();
    // What the merge wrote is incomplete, so the engine is restarted, which goes back to the parts it was made of.
    await eventually(() => expect(engine().pid).not.toBe(pid), PATIENCE);
    await engine().ready();
    await everythingStoredOnce();
    await everyTextStored();
  });

  test('a disk that fills up while the definition of a table is rewritten', async () => {
    await send(100);
    await everythingStoredOnce();
    // The engine removes old parts meanwhile. That makes room for a definition, and the disk is filled once more.
    await eventually(async () => {
      disk().fill(0);
      const altering = clickhouse().commandOnEach(
        `ALTER TABLE ${DEFAULT_TABLE} MODIFY SETTING min_parts_to_merge_at_once = 2`,
      );
      // Either the counter of failed writes says so, or the engine was killed for it before it could answer.
      await expect(altering).rejects.toBeInstanceOf(RetryableError);
    }, PATIENCE);
    await send(100);
    await inTrouble();
    disk().repair();
    await everythingStoredOnce();
    await everyTextStored();
  });

  test('an engine without file descriptors', async () => {
    const { pid } = engine();
    const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:`]);
    limit('20');
    await send(100);
    await inTrouble();
    // It may have been restarted meanwhile, with the usual limits.
    if (engine().pid === pid) limit('4096');
    await everythingStoredOnce();
  });
});

describe.skipIf(quotaDiskProblem() !== undefined)('an engine that may not write', () => {
  const { disk, clickhouse, send, inTrouble, everythingStoredOnce, everyTextStored } = useEngineOn(() =>
    mountQuotaDisk(512),
  );

  test('a quota that is used up before the insert', async () => {
    disk().useUpQuota();
    await send(200);
    await inTrouble();
    await send(200);
    disk().repair();
    await everythingStoredOnce();
    await everyTextStored();
  });

  test('a quota that is used up in the middle of inserts and merges', async () => {
    await send(1000, 2000);
    await everythingStoredOnce();
    disk().leaveQuota(1_000_000);
    // Whether it succeeds does not matter here.
    const optimizing = clickhouse()
      .commandOnEach(`OPTIMIZE TABLE ${DEFAULT_TABLE} FINAL`)
      .catch(() => {});
    await send(1000, 8000);
    await inTrouble();
    await optimizing;
    disk().repair();
    await everythingStoredOnce();
    await everyTextStored();
  });

  test('a disk that becomes read-only', async () => {
    await send(200);
    await everythingStoredOnce();
    disk().makeReadOnly();
    await send(200);
    await inTrouble();
    await send(200);
    disk().repair();
    await everythingStoredOnce();
    await everyTextStored();
  });
});

test('rows whose token the engine knows and whose part is gone are stored after all', async () => {
  let engine = await startTestEngine();
  await engine.clickhouse.commandOnEach(createMessageTable(TEST_DATABASE, DEFAULT_TABLE));
  const signal = new AbortController().signal;
  const logger = createLogger({ level: 'silent' });
  const untilItWorks = createRetrying(
    { clickhouse: () => engine.clickhouse, logger, trouble: () => {} },
    { firstRetryMs: 10, maxRetryMs: 100 },
  );
  const sender = () =>
    new BlockSender(
      {
        untilItWorks,
        awayShards: createAwayShards(
          { monotonic: monotonicClock, logger, changed() {} },
          { slowAfterMs: 3000 },
        ),
        isGone: () => false,
      },
      { nodeId: 'node-1', database: TEST_DATABASE },
      signal,
    );
  const [indexSet] = testSnapshot(1).indexSets;
  if (indexSet === undefined) throw new Error('no index set');
  const messages = Array.from({ length: 10 }, (_, index) => ({
    message: testMessage({ id: testMessageId(index, 1000), receivedAt: 1000 }),
    target: testTarget([DEFAULT_SET]),
  }));
  const block = sender().encode(indexSet, 0, messages);
  const key = randomBytes(16).toString('base64url');
  const rows = async () =>
    Number(
      (await engine.clickhouse.query<{ rows: string }>(`SELECT count() AS rows FROM ${DEFAULT_TABLE}`))[0]
        ?.rows,
    );
  expect(await sender().store(key, block)).toBeUndefined();
  expect(await rows()).toBe(10);

  // As after a kill between the record of the token and the rename of the part.
  const [part] = await engine.clickhouse.query<{ path: string }>(
    "SELECT path FROM system.parts WHERE active AND rows = 10 AND database = 'test'",
  );
  await engine.engine.stop();
  fs.rmSync(part?.path ?? '', { recursive: true });
  engine = await engine.startAgain();
  expect(fs.readdirSync(path.join(part?.path ?? '', '..'))).toContain('deduplication_logs');
  expect(await rows()).toBe(0);

  // The engine confirms the token alone, although it has no row.
  await engine.clickhouse.servers[0]?.insertNative({
    database: TEST_DATABASE,
    table: DEFAULT_TABLE,
    block: block.block,
    deduplicationToken: `${key}/${indexSet.id}/${block.fingerprint}`,
  });
  expect(await rows()).toBe(0);

  expect(await sender().store(key, block, { mayBeStored: true })).toBeUndefined();
  expect(await rows()).toBe(10);
  expect(await sender().store(key, block, { mayBeStored: true })).toBeUndefined();
  expect(await rows()).toBe(10);
  await engine.stop();
});
