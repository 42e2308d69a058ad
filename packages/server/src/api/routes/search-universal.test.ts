import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiFixture } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { checkRoutes, type ServedRoutes, servedTo } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { scriptingSearchRoutes } from './search-scripting.ts';
import { universalSearchRoutes } from './search-universal.ts';
import { viewSearchRoutes } from './search-views.ts';

let idle: IdleSearch;
let served: ServedRoutes & { readonly routes: readonly Route[] };
const users: Record<string, readonly string[]> = { admin: ['*'] };

const STREAM = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const OTHER_STREAM = 'bbbbbbbbbbbbbbbbbbbbbbbb';

beforeAll(async () => {
  idle = await createIdleSearch();
  const { search } = idle;
  const routes = [
    ...universalSearchRoutes(search),
    ...scriptingSearchRoutes(search),
    ...viewSearchRoutes({ ...search, nodeId: 'node-1' }),
  ];
  served = { routes, ...servedTo(users, await createApiFixture(routes, { users })) };
});
afterAll(() => idle.metadata.close());
beforeEach(() => {
  idle.statements.length = 0;
});

// A filter requires permissions; the tests below check it.
checkRoutes(() => served, {
  runsPerOperation: 40,
  decidesItself: ({ path }) => path.startsWith('/search/universal'),
});

async function get(path: string, permissions: readonly string[], headers: Record<string, string> = {}) {
  const answer = await served.send({
    method: 'GET',
    url: `/api${path}`,
    headers: { ...(await served.userWith(permissions)), ...headers },
  });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

const ENDPOINTS = [
  '?x=1',
  '?fields=source&accept=csv',
  '/export?fields=source',
  '/terms?field=source',
  '/terms-histogram?field=source',
  '/termsstats?key_field=source&value_field=took_ms',
  '/stats?field=took_ms',
  '/histogram?interval=minute',
  '/fieldhistogram?field=took_ms&interval=hour',
];
const TIMES = {
  relative: '&range=300',
  absolute: '&from=2026-01-01T00:00:00.000Z&to=2026-01-02%2000:00:00',
  keyword: '&keyword=last+5+minutes',
};

describe.each(Object.entries(TIMES))('%s search', (kind, time) => {
  const statusOf = async (endpoint: string, permissions: readonly string[], filter = '') => {
    const accept: Record<string, string> = endpoint.includes('accept=csv') ? { accept: 'text/csv' } : {};
    return (await get(`/search/universal/${kind}${endpoint}${time}${filter}`, permissions, accept)).status;
  };

  test.each(ENDPOINTS)(
    '%s is for every user; a filter needs permission to read all its streams',
    async (endpoint) => {
      expect(await statusOf(endpoint, [])).toBe(200);
      expect(await statusOf(endpoint, [], '&filter=*')).toBe(200);
      const reader = [`streams:read:${STREAM}`];
      expect(await statusOf(endpoint, reader, `&filter=streams:${STREAM}`)).toBe(200);
      expect(await statusOf(endpoint, reader, `&filter=streams:${STREAM},${OTHER_STREAM}`)).toBe(403);
      expect(await statusOf(endpoint, ['*'], '&filter=source:x')).toBe(403);
      expect(await statusOf(endpoint, ['*'], '&filter=streams:')).toBe(403);
      expect(await statusOf(endpoint, ['*'], `&filter=streams:${STREAM}+OR+source:x`)).toBe(403);
      const anonymous = await served.send({
        method: 'GET',
        url: `/api/search/universal/${kind}${endpoint}${time}`,
        headers: {},
      });
      expect(anonymous.statusCode).toBe(401);
    },
  );
});

describe('parameters', () => {
  const search = (parameters: string) => get(`/search/universal/relative${parameters}`, ['*']);

  test('a range with decimals is not shortened (bonfire, graylog_api.py computes it from two times)', async () => {
    const { status, text } = await search('?query=*&range=300.25');
    const { from, to } = JSON.parse(text);
    expect([status, Date.parse(to) - Date.parse(from)]).toEqual([200, 301_000]);
  });

  test.each([
    ['', 'LIMIT 150'],
    ['?query=&range=0&limit=0&offset=', 'LIMIT 150'],
    ['?query=*&range=300&limit=-5', 'LIMIT 150'],
    ['?query=*&range=300&limit=7&offset=3&decorate=false', 'LIMIT 7 OFFSET 3'],
    ['?limit=1&sort=timestamp:asc&fields=_id,message,%20source,*', 'timestamp ASC'],
    ['?limit=1&sort=what:ever&fields=*', 'timestamp DESC'],
    ['?limit=1&sort=bogus&fields=*', 'timestamp DESC'],
    ['/terms?field=source&size=0', 'LIMIT 50'],
    ['/terms?field=source&order=source:asc&limit=3', 'messages ASC'],
    ['/termsstats?key_field=a&value_field=b&order=MEAN', 'mean ASC'],
    ['/histogram?interval=HOUR', '3600000'],
    ['/histogram?interval=5m&timezone=%2B05:30', '300000'],
  ])('%s', async (parameters, expected) => {
    expect((await search(parameters)).status).toBe(200);
    expect(idle.statements.some((sql) => sql.includes(expected))).toBe(true);
  });

  test.each([
    ['?limit=10001', 'limit'],
    ['?range=-1', 'range'],
    ['?range=abc', 'range'],
    // Rounded towards 0 it would mean all time.
    ['?range=-0.5', 'range'],
    ['/terms', 'field'],
    ['/terms?field=x&size=10001', 'size'],
    ['/terms-histogram?field=x&size=0', 'size'],
    ['/histogram?interval=fortnight', 'Invalid interval type'],
    ['/histogram?interval=2+months', 'month'],
    ['/histogram?interval=day&timezone=Mars/Olympus', 'time zone'],
    ['/histogram?interval=day&timezone=%2B05:30', '"+05:30" is an offset. The interval day needs'],
    ['/termsstats?key_field=x&value_field=y&order=SIDEWAYS', 'SIDEWAYS'],
    ['/export?query=*', 'fields'],
    ['/terms?field=x&stacked_fields=a,b,c,d,e,f', 'stacked_fields'],
  ])('%s is refused with a reason', async (parameters, expected) => {
    const { status, text } = await search(parameters);
    expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(expected)]);
  });

  test('an absolute range needs both ends, and a keyword must be understandable', async () => {
    const absolute = await get('/search/universal/absolute?query=*&from=2026-01-01', ['*']);
    expect([absolute.status, absolute.text]).toEqual([400, expect.stringContaining('to')]);
    const keyword = await get('/search/universal/keyword?keyword=gibberish+of+sorts', ['*']);
    expect([keyword.status, keyword.text]).toEqual([400, expect.stringContaining('gibberish')]);
  });
});

describe('other content types', () => {
  test('CSV by Accept, and as a file', async () => {
    const csv = await get('/search/universal/relative?fields=source,took_ms', ['*'], { accept: 'text/csv' });
    expect([csv.status, csv.text]).toEqual([200, '"timestamp","source","took_ms"\n']);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const marked = await get('/search/universal/relative/export?fields=%3Dx&escape_formulas=true', ['*']);
    expect(marked.text).toBe('"timestamp","\'=x"\n');
    const file = await get('/search/universal/keyword/export?keyword=last+5+minutes&fields=source', ['*']);
    expect(file.headers['content-disposition']).toBe(
      'attachment; filename=graylog-search-result-keyword-last_5_minutes.csv',
    );
  });

  test('errors are a table of two columns if CSV is requested', async () => {
    const { status, text, headers } = await get('/search/universal/relative?limit=1', ['*'], {
      accept: 'text/csv',
    });
    expect([status, headers['content-type']]).toEqual([400, 'text/csv']);
    expect(text).toBe(
      '"type","message"\n"ApiError","Missing required parameter `fields`: name the columns, for example source,message."\n',
    );
    const unauthenticated = await served.send({
      method: 'GET',
      url: '/api/search/universal/relative',
      headers: { accept: 'text/csv' },
    });
    expect([unauthenticated.statusCode, unauthenticated.body]).toEqual([401, '']);
  });

  test('tables are available as CSV and as text tables', async () => {
    const path = '/search/aggregate?groups=source,level:3&metrics=count,avg:took_ms,percentile:took_ms:95';
    const csv = await get(path, [], { accept: 'text/csv' });
    expect(csv.text).toBe(
      '"grouping: source","grouping: level","metric: count()","metric: avg(took_ms)","metric: percentile(took_ms)"\n',
    );
    const odd = '/search/messages?fields=%3Dx&escape_formulas=true';
    expect((await get(odd, [], { accept: 'text/csv' })).text).toBe('"field: =x"\n');
    const boxes = await get('/search/messages?fields=source', [], { accept: 'text/plain' });
    expect(boxes.text).toBe('┌─────────────┐\n│field: source│\n├─────────────┤\n└─────────────┘\n');
  });
});

test.each([
  ['metrics=median:x', 'median'],
  ['metrics=avg', 'requires field name'],
  ['metrics=percentile:x:101', '101'],
  ['metrics=count&groups=a,b,c,d,e,f', 'At most'],
  ['metrics=count&groups=source:abc', '"abc" is not a limit'],
  ['metrics=count&timerange=sometime', 'sometime'],
  [`metrics=count&streams=${STREAM}`, STREAM],
])('an aggregation by %s is refused with a reason', async (parameters, expected) => {
  const { status, text } = await get(`/search/aggregate?${parameters}`, []);
  expect([status, JSON.parse(text).message]).toEqual([
    parameters.includes('streams') ? 403 : 400,
    expect.stringContaining(expected),
  ]);
});

describe('several searches in one request', () => {
  async function ask(queries: unknown, permissions: readonly string[] = []) {
    const answer = await served.send({
      method: 'POST',
      url: '/api/views/search/sync?timeout=60000',
      headers: {
        ...(await served.userWith(permissions)),
        'x-requested-by': 'test',
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ id: '5', queries }),
    });
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  }
  const query = {
    id: 'q',
    query: { type: 'elasticsearch', query_string: 'a' },
    timerange: { type: 'relative', range: 300 },
  };

  test('unknown parts are listed in the errors of their query', async () => {
    const { status, body } = await ask([
      {
        ...query,
        search_types: [
          { id: 'good', type: 'messages', limit: 5, sort: [{ field: 'timestamp', order: 'ASC' }] },
          { id: 'bad', type: 'pivot', series: [{ type: 'median', field: 'x' }] },
          { id: 'worse', type: 'messages', query: '"open' },
        ],
      },
    ]);
    expect(status).toBe(200);
    const { search_types, errors, state } = body.results.q;
    expect(Object.keys(search_types)).toEqual(['good']);
    expect(errors.map((error: { search_type_id: string }) => error.search_type_id)).toEqual(['bad', 'worse']);
    expect([state, body.execution.completed_exceptionally]).toEqual(['FAILED', true]);
    expect([body.search_id, body.executing_node]).toEqual(['5', 'node-1']);
  });

  test('ids are chosen by the caller', async () => {
    const id = '__proto__';
    const { status, body } = await ask([{ ...query, id, search_types: [{ id, type: 'messages' }] }]);
    expect([status, Object.keys(body.results)]).toEqual([200, [id]]);
  });

  test('streams come from the filter, and the caller must be allowed to read them', async () => {
    const filter = { type: 'or', filters: [{ type: 'stream', id: STREAM }] };
    const search_types = [{ id: 'm', type: 'messages' }];
    expect((await ask([{ ...query, filter, search_types }])).status).toBe(403);
    expect((await ask([{ ...query, filter, search_types }], [`streams:read:${STREAM}`])).status).toBe(200);
    expect((await ask([{ ...query, search_types: [{ id: 'x', type: 'events' }] }])).status).toBe(400);
  });
});

describe('a negative number of rows is refused', () => {
  const post = async (path: string, body: object) => {
    const answer = await served.send({
      method: 'POST',
      url: `/api${path}`,
      headers: {
        ...(await served.userWith(['streams:read'])),
        'content-type': 'application/json',
        'x-requested-by': 'test',
      },
      payload: JSON.stringify(body),
    });
    return answer.statusCode;
  };

  test('in the body of a request', async () => {
    expect(await post('/search/messages', { size: -1 })).toBe(400);
    expect(await post('/search/messages', { from: -1 })).toBe(400);
    expect(await post('/search/messages', { size: 0 })).toBe(200);
    const groupedBy = (limit: number) => ({
      metrics: [{ function: 'count' }],
      group_by: [{ field: 'source', limit }],
    });
    expect(await post('/search/aggregate', groupedBy(-1))).toBe(400);
    expect(await post('/search/aggregate', groupedBy(0))).toBe(200);
  });

  test('in the address', async () => {
    expect((await get('/search/messages?size=-1', ['streams:read'])).status).toBe(400);
    expect((await get('/search/messages?size=0', ['streams:read'])).status).toBe(200);
  });
});
