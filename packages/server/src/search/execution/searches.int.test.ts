import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnswerMemory, DEFAULT_STREAM_ID, FAILURE_STREAM_ID, type Principal } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { eventually } from '#testing/eventually.ts';
import { INDEX_SET_REQUEST } from '#testing/index-set-request.ts';
import {
  createSearchFixture,
  FIXTURE_LIMITS,
  SEARCH_NOW,
  type SearchFixture,
} from '#testing/search-fixture.ts';
import { VISIBLE_STREAMS } from '../own-fields.ts';
import { INDEX_PREFIX } from '../query/index.ts';
import { createSearches, createSearchSlots } from './index.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

const HOUR = 3_600_000;

beforeAll(async () => {
  fixture = await createSearchFixture(server());
  await fixture.store([
    { message: 'only in the default set', timestamp: SEARCH_NOW - 10_000 },
    { message: 'web alone', timestamp: SEARCH_NOW - 9000, streams: ['web'], indexSets: ['web'] },
    {
      message: 'web and default',
      timestamp: SEARCH_NOW - 8000,
      streams: [DEFAULT_STREAM_ID, 'web'],
      indexSets: ['millrace', 'web'],
    },
    {
      message: 'everywhere',
      timestamp: SEARCH_NOW - 7000,
      streams: [DEFAULT_STREAM_ID, 'web', 'audit'],
      indexSets: ['millrace', 'web', 'audit'],
    },
    {
      message: 'broken',
      timestamp: SEARCH_NOW - 6000,
      fields: { failure_type: 'decoding' },
      streams: [FAILURE_STREAM_ID],
      indexSets: ['failures'],
    },
  ]);
});

afterAll(() => fixture.close());

async function found(query: string, principal: Principal = fixture.admin, streams: string[] = []) {
  const search = await fixture.search.searches.prepare(principal, {
    query,
    range: { type: 'relative', range: 0 },
    streams,
  });
  const rows = await fixture.search.searches.rows<{ message: string }>(
    search,
    `SELECT message FROM ${search.source(['message', 'timestamp'])} ORDER BY timestamp`,
    { principal },
  );
  return rows.map(({ message }) => message);
}

const ALL = ['only in the default set', 'web alone', 'web and default', 'everywhere'];

test('a search finds every message once, over all index sets, without failures', async () => {
  expect(await found('*')).toEqual(ALL);
});

test('a search finds messages of the given streams that the caller may read', async () => {
  const web = fixture.streamId('web');
  const reader = fixture.user(`streams:read:${web}`);
  expect(await found('*', fixture.admin, [web])).toEqual(ALL.slice(1));
  expect(await found('*', reader)).toEqual(ALL.slice(1));
  expect(await found('*', fixture.user())).toEqual([]);
  await expect(found('*', reader, [fixture.streamId('audit')])).rejects.toThrow(
    `Not authorized to access stream ${fixture.streamId('audit')}`,
  );
  expect(await found('*', fixture.admin, [FAILURE_STREAM_ID])).toEqual(['broken']);
  expect(await found(`streams:${FAILURE_STREAM_ID}`)).toEqual(['broken']);
  expect(await found(`streams:${FAILURE_STREAM_ID}`, reader)).toEqual([]);
  expect(await found('failure_type:decoding')).toEqual(['broken']);
  expect(await found('_exists_:failure_type')).toEqual(['broken']);
  expect(await found('failure_type:decoding', reader)).toEqual([]);
  expect(await found('failure_*:decoding')).toEqual(['broken']);
  expect(await found('_exists_:failure_*')).toEqual(['broken']);
  expect(await found('failure_*:decoding', reader)).toEqual([]);
  expect(await found('*_type:decoding')).toEqual([]);
});

test('an index is searched by its name, also where another copy of a message comes first', async () => {
  expect(await found('_index:millrace_0')).toEqual(ALL.filter((each) => each !== 'web alone'));
  expect(await found('_index:web_0')).toEqual(ALL.slice(1));
  expect(await found('_index:audit_0')).toEqual(['everywhere']);
  expect(await found('_index:(audit_0 OR millrace_0) AND "web"')).toEqual(['web and default']);
  expect(await found('_index:mill*')).toEqual(ALL.filter((each) => each !== 'web alone'));
  expect(await found('_index:*_0')).toEqual(ALL);
  expect(await found('NOT _index:millrace_0')).toEqual(ALL.slice(1));
  expect(await found('_index:web_1')).toEqual([]);
  expect(await found('_index:web_00 OR _index:web')).toEqual([]);
  expect(await found('_exists_:_index')).toEqual(ALL);
  const web = fixture.user(`streams:read:${fixture.streamId('web')}`);
  expect(await found('_index:millrace_0', web)).toEqual(['web and default', 'everywhere']);
});

test('of an earlier copy, only messages that the later index set has too are looked up', async () => {
  const search = await fixture.search.searches.prepare(fixture.admin, {
    query: 'NOT _index:web_*',
    range: { type: 'relative', range: 0 },
  });
  const source = search.source(['message']);
  const lookups = source.match(/ IN \(SELECT .*? WHERE [^ ]+/g) ?? [];
  expect(lookups.length).toBeGreaterThan(0);
  expect(lookups.filter((each) => !each.endsWith(' WHERE has(index_sets,'))).toEqual([]);
});

test('a field may have the name of anything that statements contain', async () => {
  for (const name of ['<index prefix>', '<visible streams>', INDEX_PREFIX, VISIBLE_STREAMS]) {
    const quoted = JSON.stringify(name)
      .slice(1, -1)
      .replaceAll(/[^a-z]/g, '\\$&');
    expect(await found(`${quoted}:odd OR _index:audit_0`)).toEqual(['everywhere']);
  }
});

test('an answer that is too large is refused with a suggestion, however it is read', async () => {
  const { searches } = fixture.search;
  const principal = fixture.admin;
  const search = await searches.prepare(principal, { query: '*', range: { type: 'relative', range: 0 } });
  // A short statement with a very large answer.
  const sql = `SELECT repeat(toString(number), 1000000) AS text FROM numbers(100) SETTINGS max_block_size = 10`;
  const refused = { code: 'search_failed', message: expect.stringContaining('64 MiB') };
  await expect(searches.rows(search, sql, { principal })).rejects.toMatchObject(refused);
  const progress = () => {};
  await expect(searches.rows(search, sql, { principal, progress })).rejects.toMatchObject(refused);
});

test('the answers of all searches together are limited', async () => {
  const principal = fixture.admin;
  const searches = createSearches(
    {
      storage: fixture.storage,
      streams: async () => [],
      slots: createSearchSlots({ maxParallel: 8 }),
      answerMemory: createAnswerMemory({ maxBytes: 150_000 }),
      clock: fixture.clock,
    },
    FIXTURE_LIMITS,
  );
  const search = await searches.prepare(principal, { query: '*', range: { type: 'relative', range: 0 } });
  const sql = "SELECT repeat('x', 1000) AS text FROM numbers(100)";
  const slot = await searches.enter({ principal });
  expect(await searches.rows(search, sql, { principal, slot })).toHaveLength(100);
  const refused = { code: 'unavailable', message: expect.stringContaining('All answers together') };
  await expect(searches.rows(search, sql, { principal })).rejects.toMatchObject(refused);
  const progress = () => {};
  await expect(searches.rows(search, sql, { principal, progress })).rejects.toMatchObject(refused);
  slot.release();
  for (const options of [{ principal }, { principal, progress }]) {
    expect(await searches.rows(search, sql, options)).toHaveLength(100);
  }
});

test('a message is found in another index set when the index of its first copy is closed or deleted', async () => {
  await fixture.merge();
  expect(await found('*')).toEqual(ALL);
  fixture.clock.advance(HOUR);
  await fixture.storage.indexSets.cycle(fixture.caller, fixture.indexSetId('millrace'));
  await fixture.store([
    {
      message: 'after the rotation',
      receivedAt: fixture.clock.now(),
      timestamp: SEARCH_NOW,
      indexSets: ['millrace', 'web'],
    },
  ]);
  expect(await found('*')).toEqual([...ALL, 'after the rotation']);
  const closed = fixture.storage.searchTargets()[0]?.prefix ?? '';
  await fixture.storage.indices.close(fixture.caller, `${closed}_0`);
  expect(await found('*')).toEqual([...ALL.slice(1), 'after the rotation']);
  await fixture.storage.indices.reopen(fixture.caller, `${closed}_0`);
  expect(await found('*')).toEqual([...ALL, 'after the rotation']);
  await fixture.storage.indices.remove(fixture.caller, `${closed}_0`);
  expect(await found('*')).toEqual([...ALL.slice(1), 'after the rotation']);
});

test('a merge in the middle of a search neither hides a message nor shows it twice', async () => {
  const own = await createSearchFixture(server());
  try {
    const request = { query: 'refused', range: { type: 'relative', range: 0 } as const, limit: 500 };
    let stored = 0;
    for (let round = 0; round < 8; round++) {
      for (let part = 0; part < 3; part++) {
        await own.store([{ message: `refused ${stored}`, timestamp: SEARCH_NOW - 1000 - stored }]);
        stored += 1;
      }
      let isMerging = true;
      const merging = own.merge().finally(() => {
        isMerging = false;
      });
      const totals = new Set<number>();
      const texts = new Set<number>();
      do {
        const found = await own.search.messages.find(own.admin, request);
        totals.add(found.totalResults);
        texts.add(new Set(found.messages.map(({ id }) => id)).size);
      } while (isMerging);
      await merging;
      expect([...totals, ...texts]).toEqual([stored, stored]);
    }
  } finally {
    await own.close();
  }
});

test('a search that knows of an index set that is deleted still runs, or says why not', async () => {
  const { storage, admin, caller } = fixture;
  const doomed = await storage.indexSets.create(caller, { ...INDEX_SET_REQUEST, index_prefix: 'doomed' });
  const range = { type: 'relative', range: 0 } as const;
  const search = await fixture.search.searches.prepare(admin, { query: '*', range });
  const sql = `SELECT message FROM ${search.source(['message'])}`;
  const all = await found('*');
  const run = () => fixture.search.searches.rows(search, sql, { principal: admin });
  await storage.indexSets.remove(caller, doomed.id, true);
  expect(await run()).toHaveLength(all.length);
  await eventually(async () => {
    const refused = { code: 'unavailable', message: expect.stringContaining('was deleted') };
    await expect(run()).rejects.toMatchObject(refused);
  });
  expect(await found('*')).toEqual(all);
});
