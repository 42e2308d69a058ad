import { afterEach, expect, test, vi } from 'vitest';
import {
  type AuditEntry,
  type Caller,
  DEFAULT_INDEX_SET_ID,
  EVENT_INDEX_SET_ID,
  FAILURE_INDEX_SET_ID,
  NotFoundError,
} from '#core/index.ts';
import { createJobs } from '#system/service.ts';
import { createLogger } from '#telemetry/index.ts';
import { useTestEngine } from '#testing/engine.ts';
import { eventually, until } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { testMessageId, testTarget } from '#testing/messages.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createTestWriter, pump, type TestWriter } from '#testing/writer-fixture.ts';
import { createStorageService, type StorageService } from './service.ts';

const engine = useTestEngine();
const audited: AuditEntry[] = [];
const caller: Caller = {
  principal: { userId: '1', username: 'admin', can: () => true },
  remoteAddress: '127.0.0.1',
};
const everybody = { can: () => true };
let databases = 0;

interface Fixture {
  readonly service: StorageService;
  readonly clock: ManualClock;
  readonly jobs: ReturnType<typeof createJobs>;
  readonly journal: TestJournal;
  readonly writer: TestWriter;
  readonly database: string;
  /** A second service over the same databases: what a restarted node sees. */
  restarted(): Promise<StorageService>;
  store(texts: readonly string[]): Promise<void>;
  query<Row>(sql: string): Promise<Row[]>;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Everything a node has for storage, over the shared engine and with a database of its own. */
async function start(): Promise<Fixture> {
  const database = `service_${++databases}`;
  const clock = new ManualClock(Date.UTC(2026, 2, 5, 17, 45));
  const metadata = await openTestMetadata(clock);
  const logger = createLogger({ level: 'silent' });
  const jobs = createJobs({ clock, logger }, { nodeId: 'node-1' });
  const create = async () => {
    const service = createStorageService(
      {
        metadata,
        clickhouse: () => engine().clickhouse,
        jobs,
        systemMessages: { publish: async () => {}, list: async () => ({ messages: [], total: 0 }) },
        audit: { record: async (entry) => void audited.push(entry) },
        isLeader: () => true,
        clock,
        logger,
      },
      {
        database,
        rotationIntervalMs: 3_600_000,
        retentionIntervalMs: 3_600_000,
        newPartsIntervalMs: 3_600_000,
      },
    );
    cleanups.push(() => service.stop());
    await service.start();
    await service.whenReady();
    return service;
  };
  cleanups.push(() => metadata.close());
  const service = await create();
  const journal = await openTestJournal();
  const writer = createTestWriter(journal.reader, () => engine().clickhouse, { database });
  cleanups.push(async () => {
    await writer.stop();
    await journal.close();
  });
  service.onSnapshot((snapshot) => writer.useIndexSets(snapshot));
  const other = () => service.snapshot()?.indexSets.find(({ table }) => table.startsWith('other_'))?.id;
  const pumping = pump(journal.reader, writer, (text) =>
    testTarget([
      ...(text.includes('a') ? [DEFAULT_INDEX_SET_ID] : []),
      ...(text.includes('b') ? [other() ?? ''] : []),
    ]),
  );
  pumping.catch(() => {});
  return {
    service,
    clock,
    jobs,
    journal,
    writer,
    database,
    restarted: create,
    async store(texts) {
      await appendSettled(journal, texts);
      await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0), { timeoutMs: 60_000 });
    },
    query: (sql) => engine().clickhouse.query(sql),
  };
}

const NEW_SET = {
  title: 'Other',
  index_prefix: 'other',
  shards: 1,
  replicas: 0,
  writable: true,
  index_analyzer: 'standard',
  index_optimization_max_num_segments: 1,
  index_optimization_disabled: false,
  field_type_refresh_interval: 5000,
};

test('a new installation has its index sets, with tables', async () => {
  const { service, database, query } = await start();
  const list = await service.indexSets.list(everybody, {
    skip: 0,
    limit: 0,
    stats: true,
    query: '',
    order: 'asc',
  });
  expect(
    list.index_sets.map(({ id, title, index_prefix, default: isDefault }) => [
      id,
      title,
      index_prefix,
      isDefault,
    ]),
  ).toEqual([
    [DEFAULT_INDEX_SET_ID, 'Default index set', 'millrace', true],
    [EVENT_INDEX_SET_ID, 'Events', 'gl_events', false],
    [FAILURE_INDEX_SET_ID, 'Processing failures', 'failures', false],
  ]);
  expect(list.stats[DEFAULT_INDEX_SET_ID]).toEqual({ indices: 1, documents: 0, size: 0 });
  const tables = await query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = '${database}'`,
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([
    `failures_${FAILURE_INDEX_SET_ID}`,
    `gl_events_${EVENT_INDEX_SET_ID}`,
    `millrace_${DEFAULT_INDEX_SET_ID}`,
  ]);
  expect(service.indices.deflector(DEFAULT_INDEX_SET_ID)).toEqual({
    is_up: true,
    current_target: 'millrace_0',
  });
});

test('messages are written, counted, found by id; rotation, closing and retention follow', async () => {
  const { service, store, writer, restarted, query, database } = await start();
  await store(['a-0', 'a-1']);
  expect(await service.indices.messageCount()).toBe(2);
  await service.fieldsSeen(writer.newFields);
  expect(service.fields()).toEqual([{ name: 'text', types: ['string'] }]);
  expect((await restarted()).fields([DEFAULT_INDEX_SET_ID])).toEqual([{ name: 'text', types: ['string'] }]);
  expect(service.fields([FAILURE_INDEX_SET_ID])).toEqual([]);

  expect(await service.indexSets.cycle(caller, DEFAULT_INDEX_SET_ID)).toBe('millrace_1');
  await store(['a-2']);
  const message = await service.messages.find('millrace_1', testMessageId(2, 1000));
  expect(message).toMatchObject({ message: 'a-2', index: 'millrace_1', source: 'host-1' });
  await expect(service.messages.find('millrace_0', message.id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(service.messages.find('millrace_1', 'x')).rejects.toBeInstanceOf(NotFoundError);
  await expect(service.messages.find('nothing_1', message.id)).rejects.toBeInstanceOf(NotFoundError);

  const ranges = await service.indices.ranges(everybody);
  expect(ranges.map(({ index_name, begin }) => [index_name, begin])).toEqual([
    ['millrace_0', '1970-01-01T00:00:01.000Z'],
    ['millrace_1', '1970-01-01T00:00:01.000Z'],
    ['gl_events_0', '1970-01-01T00:00:00.000Z'],
    ['failures_0', '1970-01-01T00:00:00.000Z'],
  ]);
  const overview = await service.indices.overview(DEFAULT_INDEX_SET_ID);
  expect(overview.counts.events).toBe(3);
  expect(overview.indexer_cluster.health.status).toBe('green');

  await expect(service.indices.close(caller, 'millrace_1')).rejects.toThrow('being written to');
  await service.indices.close(caller, 'millrace_0');
  expect(service.indices.inState(everybody, 'closed')).toEqual({ indices: ['millrace_0'], total: 1 });
  expect(await service.indices.messageCount()).toBe(1);
  expect(service.searchTargets()[0]).toMatchObject({
    table: `millrace_${DEFAULT_INDEX_SET_ID}`,
    closedIndices: [0],
  });
  await service.indices.reopen(caller, 'millrace_0');
  expect(await service.indices.messageCount()).toBe(3);
  expect(service.indices.inState(everybody, 'reopened').indices).toEqual(['millrace_0']);
  await service.indices.remove(caller, 'millrace_0');
  expect(await service.indices.messageCount()).toBe(1);
  expect(
    await query(`SELECT DISTINCT index_number FROM ${database}.millrace_${DEFAULT_INDEX_SET_ID}`),
  ).toEqual([{ index_number: 1 }]);
});

test('an index set is created, used beside the default one, and deleted with its data in the background', async () => {
  const { service, store, jobs, database, query, restarted } = await start();
  const created = await service.indexSets.create(caller, NEW_SET);
  expect(created).toMatchObject({ index_prefix: 'other', default: false, can_be_default: true });
  await expect(service.indexSets.create(caller, { ...NEW_SET, index_prefix: 'oth' })).rejects.toThrow(
    '"other"',
  );
  await store(['ab-0', 'b-1', 'a-2']);
  expect(await service.indices.messageCount(created.id)).toBe(2);
  expect(await service.indices.messageCount(DEFAULT_INDEX_SET_ID)).toBe(2);
  const table = `${database}.other_${created.id}`;
  const copies = await query<{ id: string; index_sets: string[] }>(
    `SELECT id, index_sets FROM ${table} ORDER BY id_offset`,
  );
  expect(copies.map(({ index_sets }) => index_sets)).toEqual([[DEFAULT_INDEX_SET_ID, created.id].sort(), []]);

  await service.indexSets.remove(caller, created.id, true);
  expect(() => service.indexSets.get(created.id)).toThrow(NotFoundError);
  const again = await service.indexSets.create(caller, NEW_SET);
  expect(again.id).not.toBe(created.id);
  expect(await service.indices.messageCount(again.id)).toBe(0);
  await service.indexSets.remove(caller, again.id, true);
  await eventually(() => expect(jobs.list()).toEqual([]));
  expect(
    await query(`SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE 'other%'`),
  ).toEqual([]);
  const third = await (await restarted()).indexSets.create(caller, NEW_SET);
  expect(third.id).not.toBe(again.id);
  await expect(service.indexSets.remove(caller, DEFAULT_INDEX_SET_ID, true)).rejects.toThrow('default');
  await expect(service.indexSets.remove(caller, FAILURE_INDEX_SET_ID, true)).rejects.toThrow('failures');
});

test('what ClickHouse refuses goes to the failure store, and nothing else is lost', async () => {
  const { service, store, database, writer } = await start();
  const table = `${database}.millrace_${DEFAULT_INDEX_SET_ID}`;
  await engine().clickhouse.commandOnEach(
    `ALTER TABLE ${table} ADD CONSTRAINT no_poison CHECK NOT startsWith(text, 'a_poison')`,
  );
  await store(['a-0', 'a_poison-1', 'a-2', 'a-3', 'a_poison-4', 'a-5']);
  expect(await service.indices.messageCount(DEFAULT_INDEX_SET_ID)).toBe(4);
  const { failures, total } = await service.messages.failures({ limit: 1, offset: 1 });
  expect(total).toBe(2);
  expect(failures).toMatchObject([{ index: 'failures_0', id: testMessageId(1, 1000) }]);
  expect(failures[0]?.message).toContain('no_poison');
  expect(await service.messages.failureCount(0)).toBe(2);
  expect(await service.messages.failureCount(2000)).toBe(0);
  expect(writer.trouble).toBeUndefined();
});

test('replayed after a rotation, by a new process, a batch is there once', async () => {
  const { service, journal, writer, store, database, query } = await start();
  await store(['a-0']);
  const held = vi.spyOn(journal.reader, 'commitBatch').mockImplementation(() => {});
  await appendSettled(journal, ['a-1', 'a-2']);
  await eventually(async () => expect(await service.indices.messageCount()).toBe(3));
  await writer.stop();
  held.mockRestore();
  await journal.close();
  await service.indexSets.cycle(caller, DEFAULT_INDEX_SET_ID);

  const reopened = await openTestJournal({ disk: journal.disk });
  const second = createTestWriter(reopened.reader, () => engine().clickhouse, { database });
  service.onSnapshot((snapshot) => second.useIndexSets(snapshot));
  const pumping = pump(reopened.reader, second, () => testTarget([DEFAULT_INDEX_SET_ID]));
  await eventually(() => expect(reopened.stats().uncommittedRecords).toBe(0));
  await second.stop();
  await reopened.close();
  await pumping;
  const rows = await query<{ index_number: number; n: string }>(
    `SELECT index_number, count() AS n FROM ${database}.millrace_${DEFAULT_INDEX_SET_ID} GROUP BY index_number`,
  );
  expect(rows).toEqual([{ index_number: 0, n: '3' }]);
});

test('an engine that is killed during inserts loses nothing and duplicates nothing', async () => {
  const { service, journal, writer, database, query } = await start();
  const { engine: process_ } = engine();
  let sent = 0;
  const sending = (async () => {
    for (let batch = 0; batch < 40; batch++) {
      const texts = Array.from({ length: 20 }, () => `a-${sent++}`);
      await appendSettled(journal, texts);
    }
  })();
  await until(() => sent >= 400);
  const { pid } = process_;
  if (pid === undefined) throw new Error('there is no engine to kill');
  process.kill(pid, 'SIGKILL');
  await sending;
  await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0), { timeoutMs: 240_000 });
  expect(writer.trouble).toBeUndefined();
  const [row] = await query<{ n: string; different: string }>(
    `SELECT count() AS n, uniqExact(id) AS different FROM ${database}.millrace_${DEFAULT_INDEX_SET_ID}`,
  );
  expect(row).toEqual({ n: String(sent), different: String(sent) });
  expect(await service.indices.messageCount()).toBe(sent);
});
