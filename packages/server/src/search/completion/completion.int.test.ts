import type { CompleteResponse, SuggestResponse } from '@millrace/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchQueryRoutes } from '#api/index.ts';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

beforeAll(async () => {
  fixture = await createSearchFixture(server(), { routes: ({ search }) => searchQueryRoutes(search) });
  const at = (seconds: number) => SEARCH_NOW - seconds * 1000;
  await fixture.store([
    {
      message: 'Timeout while reading',
      source: 'web-01',
      timestamp: at(10),
      fields: { user: 'ann', took_ms: 5 },
    },
    { message: 'timed out', source: 'web-01', timestamp: at(11), fields: { user: 'Ann Lee', took_ms: 50 } },
    { message: 'ok', source: 'web-02', timestamp: at(12), fields: { user: 'joann', took_ms: 5 } },
    {
      message: 'login',
      source: 'vault',
      timestamp: at(13),
      streams: [DEFAULT_STREAM_ID, 'audit'],
      indexSets: ['audit'],
      fields: { user: 'annika', secret_name: 'x' },
    },
    { message: 'long ago', source: 'web-99', timestamp: at(1000), fields: { user: 'anna' } },
  ]);
});

afterAll(() => fixture.close());

async function suggest(body: object): Promise<SuggestResponse> {
  const answer = await fixture.call('POST', '/search/suggest', { body });
  expect(answer.status).toBe(200);
  return answer.body as SuggestResponse;
}

async function complete(query: string, more: object = {}): Promise<CompleteResponse['items']> {
  const cursor = query.indexOf('|');
  const answer = await fixture.call('POST', '/search/complete', {
    body: { query: query.replace('|', ''), cursor, ...more },
  });
  expect(answer.status).toBe(200);
  return (answer.body as CompleteResponse).items;
}

test('values that start with the input come first, then values that contain it, of the last 5 minutes', async () => {
  expect(await suggest({ field: 'user', input: 'AN' })).toEqual({
    field: 'user',
    input: 'AN',
    suggestions: [
      { value: 'Ann Lee', occurrence: 1 },
      { value: 'ann', occurrence: 1 },
      { value: 'annika', occurrence: 1 },
      { value: 'joann', occurrence: 1 },
    ],
    sum_other_docs_count: 0,
  });
});

test.each(['anna', 'nan', 'ankika'])('a misspelt start is corrected: %s', async (input) => {
  const { suggestions } = await suggest({ field: 'user', input });
  expect(suggestions.map(({ value }) => value)).toContain(input === 'ankika' ? 'annika' : 'ann');
});

test('a short or far too different start is not corrected', async () => {
  for (const input of ['xn', 'zebra'])
    expect((await suggest({ field: 'user', input })).suggestions).toEqual([]);
});

test('numbers, the sum of the other values, a time range and a filter', async () => {
  expect(await suggest({ field: 'took_ms', input: '5', size: 1 })).toMatchObject({
    suggestions: [{ value: '5', occurrence: 2 }],
    sum_other_docs_count: 1,
  });
  const filtered = await suggest({
    field: 'source',
    input: 'w',
    timerange: { type: 'relative', range: 3600 },
    filtering_query: 'NOT web\\-02',
  });
  expect(filtered.suggestions.map(({ value }) => value)).toEqual(['web-01', 'web-99']);
});

test('words of messages, and streams by their titles', async () => {
  const words = await suggest({ field: 'message', input: 'tim' });
  expect(words.suggestions.map(({ value }) => value)).toEqual(['timed', 'timeout']);
  const streams = await suggest({ field: 'streams', input: 'aud' });
  expect(streams.suggestions).toEqual([{ value: fixture.streamId('audit'), occurrence: 1, title: 'audit' }]);
});

test('values that the caller may not read are not suggested', async () => {
  const { completion } = fixture.search;
  const reader = { principal: fixture.user(`streams:read:${fixture.streamId('audit')}`) };
  const request = { input: '', size: 10 };
  const users = await completion.suggest(reader, { ...request, field: 'user' });
  expect(users.suggestions).toEqual([{ value: 'annika', occurrence: 1 }]);
  const streams = await completion.suggest(reader, { ...request, field: 'streams' });
  expect(streams.suggestions.map(({ title }) => title)).toEqual(['audit']);
  const forbidden = completion.suggest(reader, {
    ...request,
    field: 'user',
    streams: [fixture.streamId('web')],
  });
  await expect(forbidden).rejects.toMatchObject({ code: 'forbidden' });
  const { items } = await completion.complete(reader, { query: 'secret', size: 10 });
  expect(items.map(({ label }) => label)).toEqual(['secret_name']);
  const stranger = { principal: fixture.user() };
  expect((await completion.complete(stranger, { query: 'secret', size: 10 })).items).toEqual([]);
});

test('the input cannot inject SQL', async () => {
  expect(await suggest({ field: "user') OR 1=1 --", input: "' OR 1=1 --" })).toMatchObject({
    suggestions: [],
  });
});

test('fields and operators at the start of a clause', async () => {
  expect(await complete('took|')).toEqual([
    { kind: 'field', text: 'took_ms:', label: 'took_ms', detail: 'number', from: 0, to: 4 },
  ]);
  expect((await complete('a |')).slice(0, 3).map(({ text }) => text)).toEqual(['AND ', 'OR ', 'NOT ']);
  expect((await complete('a AND us|er:x')).map(({ text, from, to }) => [text, from, to])).toEqual([
    ['user', 6, 10],
  ]);
  expect((await complete('_exists_:us|')).map(({ text }) => text)).toEqual(['user']);
});

test('values after a field, in quotes if necessary', async () => {
  expect((await complete('user:ann|')).map(({ text, from, to }) => [text, from, to])).toEqual([
    ['"Ann Lee"', 5, 8],
    ['ann', 5, 8],
    ['annika', 5, 8],
    ['joann', 5, 8],
  ]);
  expect(await complete('"in a phra|se"')).toEqual([]);
});

test('validation through the API, with both spellings of the query', async () => {
  const graylog = {
    query: { type: 'elasticsearch', query_string: 'usr:ann' },
    timerange: null,
    parameters: [],
  };
  for (const body of [graylog, { query: 'usr:ann' }]) {
    const answer = await fixture.call('POST', '/search/validate', { body });
    expect(answer.body).toMatchObject({
      status: 'WARNING',
      explanations: [{ error_type: 'UNKNOWN_FIELD', replacement: 'user:ann' }],
    });
  }
  expect((await fixture.call('POST', '/search/validate', { body: {} })).body).toMatchObject({ status: 'OK' });
});
