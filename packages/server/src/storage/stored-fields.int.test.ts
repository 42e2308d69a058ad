import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobs, createSystemMessages } from '#system/service.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { until } from '#testing/eventually.ts';
import { createSearchFixture, type SearchFixture } from '#testing/search-fixture.ts';
import { createStorageService, type StorageService } from './service.ts';
import { createStoredFields } from './stored-fields.ts';

const server = useTestClickHouse();
const logger = pino({ level: 'silent' });
let fixture: SearchFixture;
let web: string;
let audit: string;
let set: string;

beforeEach(async () => {
  fixture = await createSearchFixture(server());
  web = fixture.streamId('web');
  audit = fixture.streamId('audit');
  set = fixture.indexSetId('web');
  const indexSets = ['web'];
  await fixture.store([
    { message: 'old', fields: { 'a.b': 'x', both: 1 }, streams: ['web'], indexSets },
    { message: 'old', fields: { both: true, big: 2n ** 60n }, streams: ['web', 'audit'], indexSets },
  ]);
  await fixture.storage.indexSets.cycle(fixture.caller, set);
  await fixture.store([{ message: 'newer', fields: { only_audit: 1.5 }, streams: ['audit'], indexSets }]);
  await forgetStreamFields();
});
afterEach(() => fixture.close());

/** Leaves the database as the migration of an older one does. */
async function forgetStreamFields(): Promise<void> {
  const { db } = fixture.metadata;
  await db.deleteFrom('stream_fields').execute();
  await db
    .insertInto('indices_without_stream_fields')
    .values([0, 1].map((number) => ({ index_set_id: set, number })))
    .execute();
}

const due = async () =>
  (await fixture.metadata.repositories.streamFields.dueIndices()).map(({ indexNumber }) => indexNumber);

const IN_WEB = [
  { name: 'a.b', types: ['string'] },
  { name: 'big', types: ['number'] },
  { name: 'both', types: ['boolean', 'number'] },
];
const IN_AUDIT = [
  { name: 'big', types: ['number'] },
  { name: 'both', types: ['boolean'] },
  { name: 'only_audit', types: ['number'] },
];

async function restarted(storedFieldsIntervalMs: number): Promise<StorageService> {
  const { metadata, clock } = fixture;
  const storage = createStorageService(
    {
      metadata,
      clickhouse: () => server().clickhouse,
      jobs: createJobs({ clock, logger }, { nodeId: 'node-1' }),
      systemMessages: createSystemMessages({ ...metadata.repositories, logger }, { nodeId: 'node-1' }),
      audit: { record: async () => {} },
      isLeader: () => true,
      clock,
      logger,
    },
    { database: server().database, storedFieldsIntervalMs },
  );
  await storage.start();
  await storage.whenReady();
  return storage;
}

test('the fields of messages from before are found by stream, and nothing is told until then', async () => {
  const idle = await restarted(3_600_000);
  try {
    expect(idle.fields([set]).map(({ name }) => name)).toEqual(['a.b', 'big', 'both', 'only_audit']);
    expect(idle.fields([set], [web, audit])).toEqual([]);
  } finally {
    await idle.stop();
  }
  const reading = await restarted(1);
  try {
    await until(async () => (await due()).length === 0);
    expect(reading.fields([set], [web])).toEqual(IN_WEB);
    expect(reading.fields([set], [audit])).toEqual(IN_AUDIT);
  } finally {
    await reading.stop();
  }
  const again = await restarted(3_600_000);
  try {
    expect(again.fields([set], [audit])).toEqual(IN_AUDIT);
  } finally {
    await again.stop();
  }
});

test('an index remains due until what was found is stored, and does not keep others from being read', async () => {
  const { repositories } = fixture.metadata;
  const indexSet = await repositories.indexSets.find(set);
  let isDown = true;
  const storedFields = createStoredFields({
    store: repositories,
    directory: { find: () => indexSet },
    database: { clickhouse: () => server().clickhouse, name: server().database },
    async save(fields) {
      if (isDown && fields.some(({ name }) => name === 'a.b')) throw new Error('the database is away');
      await fixture.storage.fieldsSeen(fields);
    },
  });
  await expect(storedFields.read()).rejects.toThrow('away');
  expect(await due()).toEqual([0]);
  isDown = false;
  await storedFields.read();
  expect(await due()).toEqual([]);
  expect(fixture.storage.fields([set], [web])).toEqual(IN_WEB);
});

test('a stop ends the reading; what was not read is due after the next start', async () => {
  const storedFields = createStoredFields({
    store: fixture.metadata.repositories,
    directory: { find: () => undefined },
    database: { clickhouse: () => server().clickhouse, name: server().database },
    save: async () => {},
  });
  storedFields.stop();
  await storedFields.read();
  expect(await due()).toEqual([1, 0]);
});
