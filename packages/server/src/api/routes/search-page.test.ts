/** The routes that the search page of the web interface asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { fieldLinkRoutes } from './field-links.ts';
import { searchHistogramRoutes } from './search-histogram.ts';
import { searchMatchRoutes } from './search-match.ts';

let routes: Route[];
let fixture: AuthFixture;
beforeAll(async () => {
  const idle = await createIdleSearch();
  routes = [
    ...fieldLinkRoutes(idle.search),
    ...searchHistogramRoutes(idle.search),
    ...searchMatchRoutes(idle.search),
  ];
  fixture = await createAuthFixture({ ...idle, moreRoutes: async () => routes });
  await fixture.addUser('reader', [], []);
});
afterAll(() => fixture.close());

checkRoutes(() => ({ routes, ...servedBy(fixture) }));

describe('links of fields', () => {
  const trace = { field: 'trace_id', title: 'Open trace', url: 'https://traces.example.org/t/{value}?x=1' };
  const put = (links: unknown, as = 'admin') =>
    fixture.call('PUT', '/system/field_links', { as, body: links });

  test('are replaced by administrators and read by everybody', async () => {
    expect((await put([trace])).status).toBe(200);
    expect((await put([], 'reader')).status).toBe(403);
    expect((await fixture.call('GET', '/system/field_links', { as: 'reader' })).body).toEqual([trace]);
  });

  test.each([
    'javascript:alert({value})',
    'data:text/html,{value}',
    'https://{value}/x',
    'https://x{value}.example.org/',
    '//example.org/{value}',
    'nonsense',
  ])('%s is no web address', async (url) => {
    const answer = await put([{ ...trace, url }]);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('http://');
  });
});

describe('matching', () => {
  const match = (queries: string[], messages: object[]) =>
    fixture.call('POST', '/search/match', { as: 'reader', body: { queries, messages } });
  const message = {
    _id: '01M7EW3HNHRF14FYTH00000005',
    timestamp: '2026-11-15T10:00:00.000Z',
    source: 'web-1',
    message: 'Upstream timed out after 30 s',
    level: 3,
    streams: ['000000000000000000000001'],
    took_ms: 1840,
    'a.b': 'dotted',
    gl2_source_node: '5f0a-77',
    nothing: null,
  };

  test('says which queries would find each message', async () => {
    const queries = [
      'level:<=3',
      'timed AND source:web-*',
      'took_ms:>2000',
      'streams:000000000000000000000001',
    ];
    queries.push(
      'a.b:dotted',
      'timestamp:>=2026-11-15',
      'gl2_source_node:5f0a\\-77',
      'gl2_source_node:other',
    );
    const { body } = await match(queries, [message, {}]);
    expect(body).toEqual({ matches: [[0, 1, 3, 4, 5, 6], [0]] });
  });

  test('names what is wrong with a query', async () => {
    const answer = await match(['"abc'], [message]);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/quote/);
  });
});
