import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';
import type { Searches } from '../execution/index.ts';
import { createMessageSearch, type MessageSearchRequest, type UsedIndices } from './index.ts';
import type { FoundPart } from './message-search.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

/** Not exact as a JavaScript number. */
const HUGE = 9_007_199_254_740_993n;

beforeAll(async () => {
  fixture = await createSearchFixture(server());
  const everywhere = { streams: [DEFAULT_STREAM_ID, 'web'], indexSets: ['millrace', 'web'] };
  const web = { streams: ['web'], indexSets: ['web'] };
  await fixture.store([
    { message: 'm0', source: 'a', timestamp: SEARCH_NOW - 7000, fields: { code: 5, user: 'Zoe' } },
    { message: 'm1', source: 'b', timestamp: SEARCH_NOW - 6000, fields: { code: 'none' }, ...everywhere },
    { message: 'm2', source: 'a', timestamp: SEARCH_NOW - 5000, fields: { code: HUGE }, ...web },
    { message: 'm3', source: 'a', timestamp: SEARCH_NOW - 5000, fields: { code: 40.5 }, ...everywhere },
    { message: 'm4', source: 'b', timestamp: SEARCH_NOW - 4000, level: 3, ...web },
    {
      message: 'the User logged in',
      fullMessage: 'line one\nline "two"',
      source: 'a',
      timestamp: SEARCH_NOW - 3000,
      fields: { code: true, 'user.name': '=cmd()', note: 'USER unknown' },
    },
  ]);
});

afterAll(() => fixture.close());

const ALL_TIME = { type: 'relative', range: 0 } as const;

function find(request: Partial<MessageSearchRequest> = {}) {
  return fixture.search.messages.find(fixture.admin, { query: '*', range: ALL_TIME, limit: 100, ...request });
}

async function texts(request: Partial<MessageSearchRequest> = {}) {
  return (await find(request)).messages.map(({ fields }) => fields.get('message'));
}

const NEWEST = ['the User logged in', 'm4', 'm3', 'm2', 'm1', 'm0'];

test('a page in Graylog’s shape, newest first, with exact integers', async () => {
  const page = await fixture.search.messages.view(fixture.admin, {
    query: 'user',
    range: { type: 'relative', range: 3600 },
    limit: 150,
  });
  expect(page).toMatchObject({
    query: 'user',
    total_results: 1,
    from: '2026-06-10T11:00:00.000Z',
    to: '2026-06-10T12:00:00.000Z',
  });
  expect(page.messages[0]).toMatchObject({
    index: expect.stringMatching(/_0$/),
    message: {
      _id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      timestamp: '2026-06-10T11:59:57.000Z',
      full_message: 'line one\nline "two"',
      streams: [DEFAULT_STREAM_ID],
      code: true,
      'user.name': '=cmd()',
    },
    highlight_ranges: { message: [{ start: 4, length: 4 }], note: [{ start: 0, length: 4 }] },
  });
  expect(page.used_indices.map(({ index_name }) => index_name)).toHaveLength(2);
  expect(page.fields).toContain('user.name');
  expect(page.cursor).toBeUndefined();

  const all = await find();
  expect(all.messages.map(({ fields }) => fields.get('message'))).toEqual(NEWEST);
  expect(all.totalResults).toBe(6);
  const json = JSON.stringify(
    await fixture.search.messages.view(fixture.admin, {
      query: 'm2',
      range: ALL_TIME,
      limit: 1,
      fields: ['code'],
    }),
  );
  expect(json).toContain('"code":9007199254740993');
});

test('messages can be sorted by any field and paged by offset and by cursor', async () => {
  const byCode = ['m0', 'm3', 'm2', 'm1', 'the User logged in', 'm4'];
  expect(await texts({ sort: { field: 'code', direction: 'asc' } })).toEqual(byCode);
  expect(await texts({ sort: { field: 'code', direction: 'desc' } })).toEqual([
    'm2',
    'm3',
    'm0',
    'the User logged in',
    'm1',
    'm4',
  ]);
  expect(await texts({ limit: 2, offset: 1 })).toEqual(NEWEST.slice(1, 3));

  for (const [sort, expected] of [
    [undefined, NEWEST],
    [{ field: 'code', direction: 'asc' }, byCode],
  ] as const) {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await find({ sort, limit: 3, cursor });
      expect(page.totalResults).toBe(6);
      seen.push(...page.messages.map(({ fields }) => fields.get('message')));
      cursor = page.cursor;
      // New messages and passing time do not move the pages.
      fixture.clock.advance(1);
    } while (cursor !== undefined);
    expect(seen).toEqual(expected);
  }
});

test('invalid pages are refused', async () => {
  await expect(find({ limit: 10_001 })).rejects.toThrow(
    'limit must be a whole number from 0 to 10000; got 10001',
  );
  await expect(find({ offset: 100_001 })).rejects.toThrow('Use the cursor');
  await expect(find({ cursor: 'nonsense' })).rejects.toThrow('The cursor is invalid');
  await expect(find({ query: 'a AND (b' })).rejects.toMatchObject({ details: { type: 'QueryParseError' } });
});

test('a message and the messages around it', async () => {
  const [found] = (await find({ query: 'm3' })).messages;
  const { index, id } = found ?? { index: '', id: '' };
  const { singleMessages } = fixture.search;
  expect(await singleMessages.get(fixture.admin, index, id)).toMatchObject({
    message: {
      id,
      message: 'm3',
      source: 'a',
      fields: { code: 40.5 },
      timestamp: '2026-06-10T11:59:55.000Z',
    },
    index,
  });
  await expect(singleMessages.get(fixture.admin, index, `${id.slice(0, -1)}Z`)).rejects.toThrow(
    'There is no message',
  );
  const stranger = fixture.user('messages:read', `streams:read:${fixture.streamId('audit')}`);
  await expect(singleMessages.get(stranger, index, id)).rejects.toThrow(
    `Not authorized to access message ${id}`,
  );

  const around = async (query: object) => {
    const asked = { before: 10, after: 10, fields: ['source'], ...query };
    const answer = await singleMessages.surrounding(fixture.admin, index, id, asked);
    return { texts: answer.messages.map(({ message }) => message.message), position: answer.position };
  };
  expect(await around({})).toEqual({ texts: ['m0', 'm2', 'm3', 'the User logged in'], position: 2 });
  expect(await around({ fields: [], before: 1, after: 1 })).toEqual({
    texts: ['m2', 'm3', 'm4'],
    position: 1,
  });
  expect(await around({ fields: [], seconds: 1 })).toEqual({ texts: ['m1', 'm2', 'm3', 'm4'], position: 2 });
  expect(await around({ fields: ['code'] })).toEqual({ texts: ['m3'], position: 0 });
});

test('an export as CSV, NDJSON and text, sorted', async () => {
  const open = async (request: object) =>
    text(
      await fixture.search.exports.open(fixture.admin, {
        query: '*',
        range: ALL_TIME,
        format: 'csv',
        fields: ['timestamp', 'message', 'code'],
        ...request,
      }),
    );
  expect(await open({})).toBe(
    [
      '"timestamp","message","code"',
      '"2026-06-10T11:59:57.000Z","the User logged in","true"',
      '"2026-06-10T11:59:56.000Z","m4",""',
      '"2026-06-10T11:59:55.000Z","m3","40.5"',
      '"2026-06-10T11:59:55.000Z","m2","9007199254740993"',
      '"2026-06-10T11:59:54.000Z","m1","none"',
      '"2026-06-10T11:59:53.000Z","m0","5"',
      '',
    ].join('\n'),
  );
  const odd = { query: 'logged', fields: ['full_message', 'user.name', 'missing'] };
  expect(await open({ ...odd, escapeFormulas: true })).toContain('"line one\\nline ""two""","\'=cmd()",""');
  expect(await open({ ...odd, format: 'ndjson' })).toBe(
    '{"full_message":"line one\\nline \\"two\\"","user.name":"=cmd()"}\n',
  );
  expect(await open({ ...odd, format: 'text' })).toBe('line one\\nline "two"\t=cmd()\t\n');
  expect(await open({ query: 'nothing' })).toBe('"timestamp","message","code"\n');
  const oldest = {
    sort: { field: 'timestamp', direction: 'asc' },
    limit: 1,
    fields: ['message'],
    format: 'text',
  };
  expect(await open(oldest)).toBe('m0\n');
});

test('several integers beyond 2^53 in one OR are found, and explained', async () => {
  const query = `code:${HUGE} OR code:${HUGE + 2n} OR code:5`;
  expect(await texts({ query })).toEqual(['m2', 'm0']);
  expect(await texts({ query: `code:${HUGE - 2n} OR code:${HUGE + 2n}` })).toEqual([]);
  const explanation = await fixture.search.messages.explain(fixture.admin, {
    query,
    range: ALL_TIME,
    limit: 10,
  });
  expect(JSON.stringify(explanation)).toContain(String(HUGE));
});

describe('page and total are of one moment while messages arrive or are deleted', () => {
  beforeAll(() =>
    fixture.store(
      Array.from({ length: 3 }, (_, index) => ({
        message: `crowd c0ffee42 ${index}`,
        source: 'a',
        timestamp: SEARCH_NOW - 8000 - index,
      })),
    ),
  );
  const MANY = Array.from({ length: 7 }, (_, at) => ({ message: `crowd ${at}` }));

  /** Runs the statements of a search one after the other, and stores messages in between. */
  function busySearch(order: 'page first' | 'count first') {
    const { searches } = fixture.search;
    const first = Promise.withResolvers<void>();
    const rows: Searches['rows'] = async <Row>(...statement: Parameters<Searches['rows']>) => {
      const isFirst = statement[1].includes('sum(total)') === (order === 'count first');
      if (!isFirst) await first.promise;
      const found = await searches.rows<Row>(...statement);
      if (isFirst) {
        await fixture.store(MANY);
        first.resolve();
      }
      return found;
    };
    return createMessageSearch({
      searches: { ...searches, rows },
      usedIndices: { refresh: async () => {}, of: async () => [] },
      clock: fixture.clock,
    });
  }

  test.each([
    ['page first', { limit: 1000 }],
    ['count first', { limit: 1000 }],
    ['page first', { limit: 1000, offset: 2 }],
    ['count first', { limit: 1000, offset: 2 }],
  ] as const)('%s, %j: the total is what the page shows', async (order, page) => {
    await fixture.store(MANY);
    const request = { query: 'crowd', range: ALL_TIME, ...page };
    const found = await busySearch(order).find(fixture.admin, request);
    expect(found.messages.length).toBeGreaterThan(0);
    expect(found.totalResults).toBe(('offset' in page ? page.offset : 0) + found.messages.length);
  });

  test('a page behind the last message does not claim that there are messages on it', async () => {
    const { totalResults: before } = await find({ query: 'crowd', limit: 0 });
    const request = { query: 'crowd', range: ALL_TIME, limit: 10, offset: before };
    const found = await busySearch('page first').find(fixture.admin, request);
    expect(found.messages).toEqual([]);
    expect(found.totalResults).toBe(before);
  });

  test('the total is never smaller than a full page', async () => {
    const { totalResults: before } = await find({ query: 'crowd', limit: 0 });
    const request = { query: 'crowd', range: ALL_TIME, limit: before + 3 };
    const found = await busySearch('count first').find(fixture.admin, request);
    expect(found.messages).toHaveLength(before + 3);
    expect(found.totalResults).toBeGreaterThanOrEqual(before + 3);
  });

  test('the count is stopped when the page tells the total', async () => {
    const { searches } = fixture.search;
    const stopped = Promise.withResolvers<void>();
    const rows: Searches['rows'] = <Row>(...statement: Parameters<Searches['rows']>) => {
      const [, sql, { signal }] = statement;
      if (!sql.includes('sum(total)')) return searches.rows<Row>(...statement);
      return new Promise<Row[]>((_, reject) => {
        signal?.addEventListener('abort', () => {
          stopped.resolve();
          reject(signal.reason);
        });
      });
    };
    const search = createMessageSearch({
      searches: { ...searches, rows },
      usedIndices: { refresh: async () => {}, of: async () => [] },
      clock: fixture.clock,
    });
    const found = await search.find(fixture.admin, { query: 'crowd', range: ALL_TIME, limit: 1000 });
    expect(found.totalResults).toBe(found.messages.length);
    await stopped.promise;
  });

  test.each([
    ['a page that is probably the last is read without a count', 'c0ffee42', 100, 3, ['page']],
    ['a full one is counted after it', 'c0ffee42', 2, 3, ['page', 'count']],
    ['nothing found is nothing', 'c0ffee43', 100, 0, ['page']],
    ['a common word is counted meanwhile', 'crowd', 1000, undefined, ['count', 'page']],
  ] as const)('%s', async (_, query, limit, expected, statements) => {
    const ran: string[] = [];
    const rows: Searches['rows'] = (...statement) => {
      ran.push(statement[1].includes('sum(total)') ? 'count' : 'page');
      return fixture.search.searches.rows(...statement);
    };
    const search = createMessageSearch(
      {
        searches: { ...fixture.search.searches, rows },
        usedIndices: { refresh: async () => {}, of: async () => [] },
        clock: fixture.clock,
      },
      { patienceMs: 60_000 },
    );
    const found = await search.find(fixture.admin, { query, range: ALL_TIME, limit });
    expect([found.totalResults, found.messages.length, ran]).toEqual([
      expected ?? found.messages.length,
      Math.min(limit, found.totalResults),
      statements,
    ]);
  });
});

describe('a page that takes long', () => {
  const impatient = () =>
    createMessageSearch(
      {
        searches: fixture.search.searches,
        usedIndices: { refresh: async () => {}, of: async () => [] } as unknown as UsedIndices,
        clock: fixture.clock,
      },
      { patienceMs: 0 },
    );
  async function inParts(request: Partial<MessageSearchRequest> = {}) {
    const parts: FoundPart[] = [];
    const found = await impatient().find(
      fixture.admin,
      { query: 'm0 m1 m2 m3 m4 user', range: { type: 'relative', range: 10 }, limit: 100, ...request },
      { partial: (part) => parts.push(part) },
    );
    return { parts, found, texts: found.messages.map(({ fields }) => fields.get('message')) };
  }

  test('is found part by part, newest first, and is the same in the end', async () => {
    const { parts, texts: all, found } = await inParts();
    expect(all).toEqual(NEWEST);
    expect([found.totalResults, found.cursor]).toEqual([6, undefined]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ messages }) => messages.map(({ message }) => message.message))).toEqual(NEWEST);
    const starts = parts.map(({ searchedFrom }) => searchedFrom);
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
    expect(starts.at(-1)).toBe(found.search.span.from);
  });

  test('ends with the part that fills it, and goes on with its cursor', async () => {
    const first = await inParts({ limit: 2 });
    expect(first.texts).toEqual(NEWEST.slice(0, 2));
    expect(first.parts.at(-1)?.searchedFrom).toBeGreaterThan(first.found.search.span.from);
    expect(first.found.totalResults).toBe(6);
    const second = await inParts({ limit: 100, cursor: first.found.cursor });
    expect(second.texts).toEqual(NEWEST.slice(2));
  });

  test.each([
    [{ sort: { field: 'source', direction: 'asc' } as const }],
    [{ sort: { field: 'timestamp', direction: 'asc' } as const }],
    [{ offset: 1 }],
  ])('has no parts with %j', async (request) => {
    expect((await inParts(request)).parts).toEqual([]);
  });
});
