import type { AggregateRequest, TableCell } from '@millrace/contract';
import { aggregateRequestSchema } from '@millrace/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { scriptingSearchRoutes, universalSearchRoutes, viewSearchRoutes } from '#api/index.ts';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { useStoredSamples } from '#testing/aggregation-fixture.ts';
import {
  compare,
  counts,
  fieldOf,
  messages,
  numbersOf,
  type Sample,
  sum,
  text,
} from '#testing/aggregation-samples.ts';
import { SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';
import type { SearchCaller } from '../search-caller.ts';
import { createTables, type Tables } from './index.ts';

let fixture: SearchFixture;
let tables: Tables;
let caller: SearchCaller;

const samples = useStoredSamples(({ search }) => [
  ...universalSearchRoutes(search),
  ...scriptingSearchRoutes(search),
  ...viewSearchRoutes({ ...search, nodeId: 'node-1' }),
]);

beforeAll(() => {
  fixture = samples();
  tables = createTables({
    searches: fixture.search.searches,
    messages: fixture.search.messages,
    titles: {
      streams: async (reader) =>
        new Map(
          ['web', 'audit']
            .filter((title) => reader.can('streams:read', fixture.streamId(title)))
            .map((title) => [fixture.streamId(title), `the ${title}`]),
        ),
      inputs: async () => new Map(),
      nodes: async () => new Map([['node-1', 'node / host']]),
    },
  });
  caller = { principal: fixture.admin };
});

const aggregate = (request: object, as = caller) =>
  tables.aggregate(as, requestOf({ timerange: { type: 'relative', range: 0 }, ...request }));

function requestOf(request: object): AggregateRequest {
  return aggregateRequestSchema.parse(request);
}

/** Nearest rank. */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function variance(numbers: readonly number[]): number {
  const mean = sum(numbers) / numbers.length;
  return sum(numbers.map((each) => (each - mean) ** 2)) / numbers.length;
}

function expectRow(actual: readonly TableCell[] | undefined, expected: readonly TableCell[]): void {
  expect(actual?.length).toBe(expected.length);
  for (const [at, cell] of expected.entries()) {
    if (typeof cell === 'number' && !Number.isInteger(cell)) expect(actual?.[at]).toBeCloseTo(cell, 6);
    else expect(actual?.[at]).toEqual(cell);
  }
}

test('every function without groups is one row', async () => {
  const numbers = numbersOf('took_ms');
  const statuses = messages.flatMap((message) => text(message.fields.status) ?? []);
  const newest = messages
    .map((message, at) => ({ message, at }))
    .filter(({ message }) => message.fields.mixed !== undefined)
    .sort((a, b) => b.message.timestamp - a.message.timestamp || b.at - a.at)[0];
  const { schema, datarows, metadata } = await aggregate({
    metrics: [
      { function: 'count' },
      { function: 'COUNT', field: 'status' },
      { function: 'card', field: 'status' },
      { function: 'avg', field: 'took_ms' },
      { function: 'sum', field: 'took_ms' },
      { function: 'sumofsquares', field: 'took_ms' },
      { function: 'min', field: 'took_ms' },
      { function: 'max', field: 'took_ms' },
      { function: 'stddev', field: 'took_ms' },
      { function: 'variance', field: 'took_ms' },
      { function: 'percentile', field: 'took_ms', configuration: { percentile: 95 } },
      { function: 'latest', field: 'mixed' },
      { function: 'percentage', field: 'status' },
      { function: 'avg', field: 'text' },
      { function: 'latest', field: 'nowhere' },
      { function: 'max', field: 'timestamp' },
    ],
  });
  expect(datarows.length).toBe(1);
  expectRow(datarows[0], [
    messages.length,
    statuses.length,
    new Set(statuses).size,
    sum(numbers) / numbers.length,
    sum(numbers),
    sum(numbers.map((each) => each * each)),
    Math.min(...numbers),
    Math.max(...numbers),
    Math.sqrt(variance(numbers)),
    variance(numbers),
    percentile(numbers, 0.95),
    latest(newest?.message),
    1,
    '-',
    '-',
    Math.max(...messages.map(({ timestamp }) => timestamp)),
  ]);
  expect(schema.slice(0, 2)).toEqual([
    { column_type: 'metric', type: 'numeric', function: 'count', name: 'metric: count()' },
    {
      column_type: 'metric',
      type: 'numeric',
      function: 'count',
      field: 'status',
      name: 'metric: count(status)',
    },
  ]);
  expect(metadata.effective_timerange).toEqual({
    type: 'absolute',
    from: '1970-01-01T00:00:00.000Z',
    to: new Date(SEARCH_NOW).toISOString(),
  });
});

function latest(message: Sample | undefined): TableCell {
  const value = message?.fields.mixed;
  return typeof value === 'bigint' ? String(value) : (value ?? '-');
}

function emptyLast(left: unknown, right: unknown): number {
  return Number(left === '(Empty Value)') - Number(right === '(Empty Value)');
}

test('nested groups: the largest of each level, by the first metric', async () => {
  const { schema, datarows } = await aggregate({
    group_by: [
      { field: 'status', limit: 3 },
      { field: 'source', limit: 2 },
    ],
    metrics: [{ function: 'avg', field: 'took_ms' }, { function: 'count' }],
  });
  const average = (of: readonly Sample[]) => sum(numbersOf('took_ms', of)) / numbersOf('took_ms', of).length;
  const largest = (of: readonly Sample[], field: string, limit: number) => {
    const groups = Map.groupBy(of, (message) => text(fieldOf(message, field)) ?? '(Empty Value)');
    const empty = groups.get('(Empty Value)') ?? [];
    groups.delete('(Empty Value)');
    const sorted = [...groups].sort(([a, x], [b, y]) => average(y) - average(x) || compare(a, b));
    return [...sorted.slice(0, limit), ...(empty.length === 0 ? [] : [['(Empty Value)', empty] as const])];
  };
  const expected = largest(messages, 'status', 3)
    .flatMap(([status, of]) =>
      largest(of, 'source', 2).map(([source, inner]): [string, string, number, number] => [
        status,
        source,
        average(inner),
        inner.length,
      ]),
    )
    .sort(([a, , x], [b, , y]) => emptyLast(a, b) || y - x);
  expect(datarows.length).toBe(8);
  for (const [at, row] of expected.entries()) expectRow(datarows[at], row);
  expect(schema.map(({ name }) => name)).toEqual([
    'grouping: status',
    'grouping: source',
    'metric: avg(took_ms)',
    'metric: count()',
  ]);
});

test('messages without the field form a group; the order can be chosen', async () => {
  const groups = [...counts(messages.map(({ fields }) => text(fields['user.id']) ?? '(Empty Value)'))];
  const { datarows } = await aggregate({
    group_by: [{ field: 'user.id' }],
    metrics: [
      { function: 'count', sort: 'Ascending' },
      { function: 'sum', field: 'nowhere' },
      { function: 'percentage' },
    ],
  });
  expect(datarows).toEqual(
    groups
      .sort(([a, x], [b, y]) => emptyLast(a, b) || x - y || compare(a, b))
      .map(([value, count]) => [value, count, 0, count / messages.length]),
  );
});

test('the group of messages without the field does not count towards the limit, and can be left out', async () => {
  const grouping = { field: 'user.id', limit: 1 };
  const [largest] = [...counts(messages.flatMap(({ fields }) => text(fields['user.id']) ?? []))].sort(
    ([, x], [, y]) => y - x,
  );
  const missing = messages.filter(({ fields }) => fields['user.id'] === undefined).length;
  const both = await aggregate({ group_by: [grouping], metrics: [{ function: 'count' }] });
  expect(both.datarows).toEqual([largest, ['(Empty Value)', missing]]);
  const present = await aggregate({
    group_by: [{ ...grouping, skip_empty_values: true }],
    metrics: [{ function: 'count' }],
  });
  expect(present.datarows).toEqual([largest]);
});

test('sorted by the inner key the rows of a group stay together, and numbers are sorted as numbers', async () => {
  const { datarows } = await aggregate({
    group_by: [
      { field: 'source', limit: 3 },
      { field: 'took_ms', limit: 100, sort: 'desc', skip_empty_values: true },
    ],
    metrics: [{ function: 'count' }],
  });
  const highest = (of: readonly Sample[]) => Math.max(...numbersOf('took_ms', of));
  const bySource = [...Map.groupBy(messages, ({ source }) => source ?? '')];
  bySource.sort(([a, x], [b, y]) => highest(y) - highest(x) || compare(a, b));
  const sources = bySource.slice(0, 3).map(([source]) => source);
  expect([...new Set(datarows.map(([source]) => source))]).toEqual(sources);
  for (const source of sources) {
    const rows = datarows.filter(([name]) => name === source);
    const first = datarows.findIndex(([name]) => name === source);
    expect(datarows.slice(first, first + rows.length)).toEqual(rows);
    const times = rows.map(([, took]) => Number(took)).filter((took) => !Number.isNaN(took));
    expect(times).toEqual(times.toSorted((x, y) => y - x));
    expect(times.length).toBeGreaterThan(1);
  }
});

test('titles instead of ids, of the streams that the caller may read', async () => {
  const request = {
    query: '*',
    streams: [fixture.streamId('audit')],
    group_by: [{ field: 'streams#title', sort: 'asc' }, { field: 'gl2_source_node.title' }],
    metrics: [{ function: 'count' }],
  };
  const ofAudit = messages.filter(({ streams }) => streams?.includes('audit')).length;
  const { datarows } = await aggregate(request);
  expect(datarows.toSorted()).toEqual([
    ['the audit', 'node / host', ofAudit],
    ['the web', 'node / host', ofAudit],
  ]);
  const reader = { principal: fixture.user(`streams:read:${fixture.streamId('audit')}`) };
  const limited = await aggregate({ ...request, group_by: [{ field: 'streams.title' }] }, reader);
  expect(limited.datarows).toEqual([['the audit', ofAudit]]);
});

test('groups by time, in order', async () => {
  const { datarows, schema } = await aggregate({
    group_by: [
      { field: 'timestamp', timeunit: '1M' },
      { field: 'level', limit: 2 },
    ],
    metrics: [{ function: 'count' }],
  });
  const months = Map.groupBy(
    messages,
    ({ timestamp }) => `${new Date(timestamp).toISOString().slice(0, 7)}-01`,
  );
  const expected = [...months]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([month, of]) =>
      [...counts(of.map(({ level }) => String(level)))]
        .sort(([a, x], [b, y]) => y - x || compare(a, b))
        .slice(0, 2)
        .map(([level, count]) => [`${month}T00:00:00.000Z`, level, count]),
    );
  expect(datarows).toEqual(expected);
  expect(schema[0]).toEqual({
    column_type: 'grouping',
    type: 'date',
    field: 'timestamp',
    name: 'grouping: timestamp',
  });
});

test('no messages, and invalid requests', async () => {
  const request = {
    timerange: { type: 'absolute', from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
    metrics: [{ function: 'count' }, { function: 'max', field: 'took_ms' }],
  };
  expect((await aggregate(request)).datarows).toEqual([[0, '-']]);
  expect((await aggregate({ ...request, group_by: [{ field: 'source' }] })).datarows).toEqual([]);
  const refused = (changes: object) => expect(aggregate({ ...request, ...changes })).rejects;
  await refused({ metrics: [{ function: 'median', field: 'x' }] }).toThrow('Unrecognized metric : "median"');
  await refused({ metrics: [{ function: 'avg' }] }).toThrow('avg metric requires field name');
  await refused({ metrics: [{ function: 'percentile', field: 'x' }] }).toThrow(
    'percentile needs a percentage',
  );
  await refused({ group_by: [{ field: 'timestamp', timeunit: '1 fortnight' }] }).toThrow('Invalid interval');
  await refused({ group_by: [{ field: 'source' }, { field: 'source' }] }).toThrow('twice');
});

test('names of fields cannot inject SQL', async () => {
  const injected = "x') AS g, (SELECT password FROM system.users) -- `'\\";
  const { datarows } = await aggregate({
    group_by: [{ field: injected }],
    metrics: [
      { function: 'count' },
      { function: 'latest', field: injected },
      { function: 'max', field: injected },
    ],
  });
  expect(datarows).toEqual([['(Empty Value)', messages.length, '-', '-']]);
});

describe('through the API', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fixture.call('GET', path, { headers });
  const took = messages.filter(({ fields }) => fields.took_ms !== undefined);

  test('messages in the shape of the universal search', async () => {
    const { status, body } = await get(
      '/search/universal/relative?query=_exists_:took_ms&range=0&limit=2&fields=took_ms&sort=took_ms:desc',
    );
    expect([status, body.total_results]).toEqual([200, took.length]);
    const largest = numbersOf('took_ms').toSorted((a, b) => b - a);
    expect(body.messages.map((each: { message: object }) => each.message)).toEqual(
      [0, 1].map((at) => ({
        _id: expect.any(String),
        timestamp: expect.stringMatching(/Z$/),
        took_ms: largest[at],
      })),
    );
    expect(body).toMatchObject({
      query: '_exists_:took_ms',
      from: '1970-01-01T00:00:00.000Z',
      to: new Date(SEARCH_NOW).toISOString(),
    });
  });

  test('the same as CSV, and figures of a stream', async () => {
    const web = fixture.streamId('web');
    const csv = await get(`/search/universal/relative?range=0&fields=source&filter=streams:${web}`, {
      accept: 'text/csv',
    });
    const ofWeb = messages.filter(({ streams }) => streams?.includes('web'));
    const lines = csv.text.trimEnd().split('\n');
    expect([lines[0], lines.length]).toEqual(['"timestamp","source"', ofWeb.length + 1]);
    const { body } = await get(
      `/search/universal/relative/stats?field=took_ms&range=0&filter=streams:${web}`,
    );
    expect(body).toMatchObject({
      count: numbersOf('took_ms', ofWeb).length,
      sum: sum(numbersOf('took_ms', ofWeb)),
    });
  });

  test('a user sees only what they may read', async () => {
    const audit = fixture.streamId('audit');
    await fixture.auth.addUser('auditor', [`streams:read:${audit}`], []);
    const as = (path: string) => fixture.call('GET', path, { as: 'auditor' });
    const ofAudit = messages.filter(({ streams }) => streams?.includes('audit'));
    expect((await as('/search/universal/relative?range=0')).body.total_results).toBe(ofAudit.length);
    const terms = await as(`/search/universal/relative/terms?range=0&field=source&filter=streams:${audit}`);
    expect(terms.body.total).toBe(ofAudit.length);
    const table = await as('/search/aggregate?metrics=count&timerange=1y');
    expect(table.body.datarows).toEqual([[ofAudit.length]]);
    expect((await as(`/search/aggregate?metrics=count&streams=${fixture.streamId('web')}`)).status).toBe(403);
  });

  test('rows, columns and totals of a view', async () => {
    const { status, body } = await fixture.call('POST', '/views/search/sync', {
      body: {
        queries: [
          {
            id: 'q',
            query: { type: 'elasticsearch', query_string: '*' },
            timerange: { type: 'relative', range: 0 },
            search_types: [
              {
                id: 'p',
                type: 'pivot',
                row_groups: [
                  { type: 'time', field: 'timestamp', interval: { type: 'timeunit', timeunit: '1M' } },
                ],
                column_groups: [{ type: 'values', fields: ['level'], limit: 2 }],
                series: [{ type: 'count' }, { type: 'max', field: 'took_ms', id: 'slowest' }],
                rollup: true,
              },
            ],
          },
        ],
      },
    });
    expect([status, body.results.q.state]).toEqual([200, 'COMPLETED']);
    const { rows, total, column_names: names } = body.results.q.search_types.p;
    expect(total).toBe(messages.length);
    for (const { key } of rows[0].values.slice(0, 2)) expect(names).toContain(key.join(', '));
    const months = [
      ...Map.groupBy(messages, ({ timestamp }) => new Date(timestamp).toISOString().slice(0, 7)),
    ];
    expect(rows.length).toBe(months.length + 1);
    const figures = (of: readonly Sample[]) => [of.length, Math.max(...numbersOf('took_ms', of))];
    for (const [at, [month, of]] of months.toSorted(([a], [b]) => compare(a, b)).entries()) {
      const levels = [...Map.groupBy(of, ({ level }) => String(level))]
        .sort(([a, x], [b, y]) => y.length - x.length || compare(a, b))
        .slice(0, 2)
        .flatMap(([level, inner]) =>
          figures(inner).map((value, series) => ({
            key: [level, series === 0 ? 'count()' : 'slowest'],
            value,
            rollup: false,
            source: 'col-leaf',
          })),
        );
      expect(rows[at]).toEqual({
        key: [`${month}-01T00:00:00.000Z`],
        values: [...levels, ...totals(figures(of), 'row-leaf')],
        source: 'leaf',
      });
    }
    expect(rows.at(-1)).toEqual({
      key: [],
      values: totals(figures(messages), 'row-inner'),
      source: 'non-leaf',
    });
  });

  test('a pivot sorted by several keys, without totals of its rows', async () => {
    const { body } = await fixture.call('POST', '/views/search/sync', {
      body: {
        queries: [
          {
            id: 'q',
            timerange: { type: 'relative', range: 0 },
            search_types: [
              {
                id: 'p',
                type: 'pivot',
                row_groups: [{ type: 'values', field: 'level', limit: 20 }],
                column_groups: [{ type: 'values', fields: ['user.id'], limit: 1, skip_empty_values: true }],
                series: [{ type: 'min', field: 'nowhere' }, { type: 'percentage' }],
                sort: [
                  { type: 'series', field: 'min(nowhere)', direction: 'Descending' },
                  { type: 'pivot', field: 'level', direction: 'Descending' },
                ],
                rollup: false,
              },
            ],
          },
        ],
      },
    });
    const { rows } = body.results.q.search_types.p;
    const levels = [...new Set(messages.map(({ level }) => level ?? 1))].toSorted((x, y) => y - x);
    expect(rows.map(({ key }: { key: string[] }) => Number(key[0]))).toEqual(levels);
    const cells = rows.flatMap(({ values }: { values: { key: string[]; source: string }[] }) => values);
    expect(new Set(cells.map(({ source }: { source: string }) => source))).toEqual(new Set(['col-leaf']));
    expect(cells[1].key.at(-1)).toBe('percentage(,COUNT)');
  });

  const totals = (figures: readonly number[], source: string) =>
    figures.map((value, at) => ({ key: [at === 0 ? 'count()' : 'slowest'], value, rollup: true, source }));

  test('messages as a table', async () => {
    const { status, body } = await fixture.call('POST', '/search/messages', {
      body: {
        query: '*',
        timerange: { type: 'relative', range: 0 },
        fields: ['timestamp', 'source', 'mixed', 'streams', 'streams.id'],
        sort: 'timestamp',
        sort_order: 'Ascending',
        size: 3,
      },
    });
    expect(status).toBe(200);
    const titles = (streams: readonly string[] = []) =>
      streams.map((stream) => (stream === DEFAULT_STREAM_ID ? 'All messages' : stream));
    const first = messages.toSorted((a, b) => a.timestamp - b.timestamp).slice(0, 3);
    expect(
      body.datarows.map((row: unknown[]) => [...row.slice(0, 3), (row[3] as string[]).toSorted()]),
    ).toEqual(
      first.map((message) => [
        new Date(message.timestamp).toISOString(),
        message.source,
        latest(message),
        titles(message.streams).toSorted(),
      ]),
    );
    expect(body.datarows[0][4].map((id: string) => id.length)).toEqual(first[0]?.streams?.map(() => 24));
    expect(body.schema[0]).toEqual({
      column_type: 'field',
      type: 'date',
      field: 'timestamp',
      name: 'field: timestamp',
    });
    const byDefault = await get('/search/messages?timerange=1y', { accept: 'text/csv' });
    expect(byDefault.text.split('\n').slice(0, 1)).toEqual(['"field: source","field: timestamp"']);
    expect(byDefault.text.trimEnd().split('\n').length).toBe(11);
  });
});
