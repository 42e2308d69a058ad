import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldRoutes, messageRoutes, scriptingSearchRoutes, universalSearchRoutes } from '#api/index.ts';
import { DEFAULT_STREAM_ID, type Principal } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
let web: string;
let reader: Principal;

const ALL_TIME = { type: 'relative', range: 0 } as const;
const SHARED_AT = SEARCH_NOW - 5000;

beforeAll(async () => {
  fixture = await createSearchFixture(server(), {
    routes: ({ search }) => [
      ...fieldRoutes(search),
      ...messageRoutes({
        ...search,
        parseMessage: () => {
          throw new Error('not here');
        },
      }),
      ...scriptingSearchRoutes(search),
      ...universalSearchRoutes(search),
    ],
  });
  await fixture.store([
    {
      message: 'shared',
      timestamp: SHARED_AT,
      fields: { visible_field: 1 },
      streams: [DEFAULT_STREAM_ID, 'web', 'audit'],
      indexSets: ['millrace', 'web'],
    },
    {
      message: 'of others',
      timestamp: SEARCH_NOW - 9000,
      fields: { secret_field: 1 },
      streams: ['audit'],
      indexSets: ['audit'],
    },
    { message: 'of others', timestamp: SEARCH_NOW - 8000 },
  ]);
  web = fixture.streamId('web');
  reader = fixture.user(`streams:read:${web}`, 'messages:read');
  await fixture.auth.addUser('reader', [`streams:read:${web}`, 'searches:relative'], []);
});
afterAll(() => fixture.close());

function view(principal: Principal, query = '*') {
  return fixture.search.messages.view(principal, { query, range: ALL_TIME, limit: 10 });
}

async function post(path: string, body: object, as = 'reader') {
  const answer = await fixture.call('POST', path, { as, body: { timerange: ALL_TIME, ...body } });
  expect(answer.status).toBe(200);
  return answer.body;
}

test('the indices of a search show no times of messages that the caller may not read', async () => {
  const time = new Date(SHARED_AT).toISOString();
  const { used_indices: used, messages } = await view(reader);
  expect(used).toEqual([expect.objectContaining({ index_name: messages[0]?.index, begin: time, end: time })]);
  expect((await view(reader, 'nothing')).used_indices).toEqual([]);
  expect((await view(fixture.admin)).used_indices).toHaveLength(3);
  const permitted = fixture.user(`streams:read:${web}`, 'indexranges:read');
  expect((await view(permitted)).used_indices).toHaveLength(3);
});

describe('a message of a readable stream does not name its other streams', () => {
  test('in messages, alone and in tables and exports', async () => {
    const found = await view(reader);
    expect(found.messages.map(({ message }) => message.streams)).toEqual([[web]]);
    const [hit] = found.messages;
    const single = await fixture.search.singleMessages.get(
      reader,
      hit?.index ?? '',
      String(hit?.message._id ?? ''),
    );
    expect(single.message).toMatchObject({ streams: [web], stream_ids: [web] });
    expect((await post('/search/messages', { fields: ['streams.id'] })).datarows).toEqual([[[web]]]);
    for (const format of ['csv', 'ndjson', 'text'] as const) {
      const file = await fixture.search.exports.open(reader, {
        query: '*',
        range: ALL_TIME,
        fields: ['streams'],
        format,
        sort: { field: 'streams', direction: 'asc' },
      });
      expect((await text(file)).match(/[0-9a-f]{24}/g)).toEqual([web]);
    }
  });

  test('in counts', async () => {
    const terms = await fixture.call(
      'GET',
      '/search/universal/relative/terms?field=streams&query=*&range=0',
      {
        as: 'reader',
      },
    );
    expect(terms.body).toMatchObject({ terms: { [web]: 1 }, total: 1, other: 0 });
    expect((await post('/search/facets', { fields: ['streams'] })).facets[0].values).toEqual([
      expect.objectContaining({ value: web, count: 1 }),
    ]);
    expect(await post('/search/fields/streams/statistics', {})).toMatchObject({ distinct: 1 });
    const table = { group_by: [{ field: 'streams.id' }], metrics: [{ function: 'card', field: 'streams' }] };
    expect((await post('/search/aggregate', table)).datarows).toEqual([[web, 1]]);
  });

  test('in queries', async () => {
    const found = async (query: string) => (await view(reader, query)).total_results;
    expect(await found(`streams:${web}`)).toBe(1);
    expect(await found(`streams:${DEFAULT_STREAM_ID}`)).toBe(0);
    expect(await found('streams:00000000*')).toBe(0);
    expect(await found(`NOT streams:${fixture.streamId('audit')}`)).toBe(1);
    expect(await found('_exists_:streams')).toBe(1);
    expect((await view(fixture.admin, `streams:${DEFAULT_STREAM_ID}`)).total_results).toBe(2);
  });
});

test('a field that only others have is unknown to the caller', async () => {
  const unknown = async (principal: Principal, field: string) =>
    JSON.stringify((await view(principal, `${field}:1`)).warnings ?? []);
  expect(await unknown(fixture.admin, 'secret_field')).toBe('[]');
  expect(await unknown(reader, 'visible_field')).toBe('[]');
  const secret = await unknown(reader, 'secret_field');
  expect(secret).toContain('No message has a field');
  expect(secret).toBe((await unknown(reader, 'absent_field')).replaceAll('absent', 'secret'));
  const types = async (as: string) =>
    (await post('/search/messages', { fields: ['visible_field', 'secret_field'] }, as)).schema.map(
      ({ type }: { type: string }) => type,
    );
  expect(await types('admin')).toEqual(['numeric', 'numeric']);
  expect(await types('reader')).toEqual(['numeric', 'unknown']);
});
