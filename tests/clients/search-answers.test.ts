/**
 * What Graylog's own integration tests expect of searches and of what belongs to them, put to a node from outside. Each
 * test names the class and the test of Graylog that its request comes from (full-backend-tests of Graylog 6 and 7).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientNode, startClientNode } from '../support/client-node.ts';

let node: ClientNode;
let indexSet: string;
let streams: string[];
const DEFAULT_STREAM_ID = '000000000000000000000001';
const ALL_TIME = { type: 'relative', range: 0 };
const ask: ClientNode['ask'] = (...request) => node.ask(...request);

async function createStream(title: string, target: string): Promise<string> {
  const rules = [{ field: 'target_stream', type: 1, value: target, inverted: false, description: '' }];
  const body = { title, description: '', index_set_id: indexSet, rules };
  const { stream_id: id } = await ask(201, 'POST', '/streams', body);
  await ask(204, 'POST', `/streams/${id}/resume`);
  return id;
}

/** Of `SearchWithAggregationsSupportingMissingBucketsIT`. */
const PEOPLE = [
  { _firstName: 'Joe', _lastName: 'Smith', _age: 50 },
  { _firstName: 'Joe', _lastName: 'Biden', _age: 80 },
  { _firstName: 'Jane', _lastName: 'Smith', _age: 40 },
  { _lastName: 'Cooper', _age: 60 },
  { _firstName: 'Bob', _age: 60 },
];
/** Of `ScriptingApiResourceIT`. */
const IN_STREAMS = [
  { _facility: 'another-test', _stage: 1, _target_stream: 'stream1', _due: '2025-10-20T13:01:02.345Z' },
  { _facility: 'another-test', _stage: 2, _target_stream: 'stream2', _due: '2025-10-20T14:01:02.345Z' },
  { _facility: 'test', _stage: 3, _target_stream: 'stream2', _due: '2025-10-21T13:01:02.345Z' },
];
/** A query for them. */
let scripting: string;
/** Of `AggregationSortingIT`. */
const NUMBERS = [2, 4, 9, 1, 25, 2, 9, 4, 15];

/** A worker may learn of a stream a moment after the client was told: they are sent until all are where they belong. */
async function sendToStreams(): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const query = `attempt:scripting${attempt}`;
    await node.send(...IN_STREAMS.map((message) => ({ _attempt: `scripting${attempt}`, ...message })));
    const found = await node.found(query, IN_STREAMS.length);
    const wanted = ({ target_stream: target }: Record<string, unknown>) =>
      streams[target === 'stream1' ? 0 : 1] ?? '';
    if (found.every((each) => (each.streams as string[]).includes(wanted(each)))) return query;
  }
}

beforeAll(async () => {
  node = await startClientNode();
  const { index_sets: all } = await ask(200, 'GET', '/system/indices/index_sets');
  indexSet = all.find((each: { default: boolean }) => each.default).id;
  streams = [await createStream('Stream #1', 'stream1'), await createStream('Stream #2', 'stream2')];
  await node.send(
    ...PEOPLE.map((person) => ({ _of: 'people', ...person })),
    ...NUMBERS.map((number) => ({ _of: 'numbers', _same: 'Test', _number: number })),
    ...['Ha', 'He', 'Hi', 'Ho'].map((text, hour) => ({
      short_message: text,
      _of: 'export',
      timestamp: Date.UTC(2015, 0, 1, hour + 1) / 1000,
    })),
    { _of: 'fields', _f_one: 'x', _number_of: 25 },
  );
  await node.found('_exists_:of', PEOPLE.length + NUMBERS.length + 4 + 1);
  scripting = await sendToStreams();
});
afterAll(() => node.stop());

interface PivotRow {
  readonly key: string[];
  readonly values: { readonly key: string[]; readonly value: number; readonly rollup: boolean }[];
  readonly source: string;
}

async function execute(query: string, searchType: object, more: object = {}) {
  const body = {
    queries: [
      {
        id: 'q',
        query: { type: 'elasticsearch', query_string: query },
        timerange: ALL_TIME,
        search_types: [{ id: 's', ...searchType }],
        ...more,
      },
    ],
  };
  const { results } = await ask(200, 'POST', '/views/search/sync', body);
  expect(results.q.errors).toEqual([]);
  return results.q.search_types.s;
}

const pivot = async (
  query: string,
  of: object,
): Promise<{ rows: PivotRow[]; total: number; column_names: string[] }> =>
  execute(query, {
    type: 'pivot',
    rollup: false,
    series: [],
    row_groups: [],
    column_groups: [],
    sort: [],
    ...of,
  });
const values = (field: string, more: object = {}) => ({ type: 'values', fields: [field], limit: 8, ...more });
const count = { type: 'count', id: 'count()' };
const keys = ({ rows }: { rows: PivotRow[] }) => rows.map(({ key }) => key);

const aggregate = (query: string, body: object) =>
  ask(200, 'POST', '/search/aggregate', {
    query,
    timerange: ALL_TIME,
    metrics: [{ function: 'count' }],
    ...body,
  });

test('1. the streams of a query (SearchSyncIT, testRequestWithStreamsv2)', async () => {
  const messages = { type: 'messages', limit: 10, offset: 0 };
  const found = async (more: object) =>
    (await execute(scripting, messages, more)).messages.map(
      ({ message }: { message: { stage: number } }) => message.stage,
    );
  expect((await found({ streams: [streams[1]] })).sort()).toEqual([2, 3]);
  expect(await found({ streams: [streams[0]] })).toEqual([1]);
  expect(await found({ streams: [DEFAULT_STREAM_ID] })).toHaveLength(3);
  expect(await found({})).toHaveLength(3);
});

describe('2. messages without the field (SearchWithAggregationsSupportingMissingBucketsIT)', () => {
  test('come last, before the total', async () => {
    const of = { rollup: true, row_groups: [values('firstName')], series: [count] };
    const { rows, total } = await pivot('of:people', of);
    expect(total).toBe(5);
    expect(rows[0]?.key).toEqual(['Joe']);
    expect(keys({ rows: rows.slice(-2) })).toEqual([['(Empty Value)'], []]);
    expect(rows).toHaveLength(5);
  });

  test('are beside the limit', async () => {
    const of = { row_groups: [values('firstName', { limit: 1 })], series: [count] };
    expect(keys(await pivot('of:people', of))).toEqual([['Joe'], ['(Empty Value)']]);
  });

  test('are left out on request', async () => {
    const group = values('firstName', { skip_empty_values: true });
    const { rows } = await pivot('of:people', { rollup: true, row_groups: [group], series: [count] });
    expect(keys({ rows })).toHaveLength(4);
    expect(keys({ rows }).flat()).not.toContain('(Empty Value)');
    const { datarows } = await aggregate('of:people', {
      group_by: [{ field: 'firstName', skip_empty_values: true }],
    });
    expect(datarows.map(([name]: [string]) => name)).not.toContain('(Empty Value)');
  });
});

test('3. an export in a time zone (MessagesResourceIT, testTimeZone)', async () => {
  const answer = await fetch(`${node.address}/api/views/search/messages`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('admin:river').toString('base64')}`,
      'x-requested-by': 'peterchen',
      'content-type': 'application/json',
      accept: 'text/csv',
    },
    body: JSON.stringify({
      timerange: { type: 'absolute', from: '2015-01-01T00:00:00', to: '2015-01-01T23:59:59' },
      time_zone: 'Antarctica/Casey',
    }),
  });
  const [header, ...lines] = (await answer.text()).trim().split(/\r?\n/);
  expect([answer.status, header]).toEqual([200, '"timestamp","source","message"']);
  expect(lines.sort()).toEqual([
    '"2015-01-01T09:00:00.000+08:00","client","Ha"',
    '"2015-01-01T10:00:00.000+08:00","client","He"',
    '"2015-01-01T11:00:00.000+08:00","client","Hi"',
    '"2015-01-01T12:00:00.000+08:00","client","Ho"',
  ]);
});

describe('4. ids and titles (ScriptingApiResourceIT, testAggregationByStream, testAggregationByStreamTitle)', () => {
  test.each([
    ['streams#id', () => [DEFAULT_STREAM_ID, ...streams]],
    ['streams#title', () => ['All messages', 'Stream #1', 'Stream #2']],
  ])('%s', async (field, expected) => {
    const { datarows } = await aggregate(scripting, { group_by: [{ field }] });
    const counts = new Map(datarows);
    expect(expected().map((name) => counts.get(name))).toEqual([3, 1, 2]);
    expect(datarows).toHaveLength(3);
  });

  test('gl2_source_node#id', async () => {
    const { node_id: id } = await ask(200, 'GET', '/system');
    const { datarows } = await aggregate(scripting, { group_by: [{ field: 'gl2_source_node#id' }] });
    expect(datarows).toEqual([[id, 3]]);
  });
});

describe('5. to 8. sorting and totals', () => {
  const both = { type: 'values', fields: ['same', 'number'], limit: 10 };
  const byNumber = (direction: string) => ({ type: 'pivot', field: 'number', direction });
  const byCount = (direction: string) => ({ type: 'series', field: 'count()', direction });
  const numbers = async (sort: object[]) =>
    keys(await pivot('of:numbers', { row_groups: [both], series: [count], sort })).map(
      ([, number]) => number,
    );

  test('5. numbers sort as numbers (AggregationSortingIT)', async () => {
    expect(await numbers([byNumber('Ascending')])).toEqual(['1', '2', '4', '9', '15', '25']);
    expect(await numbers([byNumber('Descending')])).toEqual(['25', '15', '9', '4', '2', '1']);
    const { datarows } = await aggregate('of:numbers', { group_by: [{ field: 'number', sort: 'asc' }] });
    expect(datarows.map(([number]: [unknown]) => Number(number))).toEqual([1, 2, 4, 9, 15, 25]);
  });

  test('6. several sorts in their own order (AggregationSortingIT, sortingOnBothNumericFieldAndMetric)', async () => {
    expect(await numbers([byNumber('Ascending'), byCount('Descending')])).toEqual([
      '1',
      '2',
      '4',
      '9',
      '15',
      '25',
    ]);
    expect(await numbers([byCount('Descending'), byNumber('Ascending')])).toEqual([
      '2',
      '4',
      '9',
      '1',
      '15',
      '25',
    ]);
  });

  test('7. nested groups by the inner key (SearchAggregationsIT, testTwoNestedRowPivotsWithSorting)', async () => {
    const found = await pivot('of:people', {
      row_groups: [
        values('firstName', { skip_empty_values: true }),
        values('lastName', { skip_empty_values: true }),
      ],
      sort: [{ type: 'pivot', field: 'lastName', direction: 'Ascending' }],
      series: [count],
    });
    // Within each of the outer groups, not flat: Biden, Smith, Smith.
    expect(keys(found)).toEqual([
      ['Jane', 'Smith'],
      ['Joe', 'Biden'],
      ['Joe', 'Smith'],
    ]);
  });

  test('8. no total of columns without a roll-up (SearchAggregationsIT, testDoesNotReturnRollupWhenDisabled)', async () => {
    const of = { column_groups: [values('facility')], series: [count] };
    const { rows, column_names: names } = await pivot(scripting, of);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.values.map(({ key }) => key)).toEqual([
      ['another-test', 'count()'],
      ['test', 'count()'],
    ]);
    expect(names).toEqual(['another-test, count()', 'test, count()']);
    const rolled = await pivot(scripting, { ...of, rollup: true });
    expect(rolled.rows[0]?.values.at(-1)).toMatchObject({ key: ['count()'], value: 3 });
  });
});

describe('9. keywords', () => {
  const tested = async (keyword: string) => {
    const query = new URLSearchParams({ string: keyword, timezone: 'UTC' });
    return ask(200, 'GET', `/tools/natural_date_tester?${query}`);
  };
  const at = (text: string) => new Date(text.replace(' ', 'T').replace(/Z?$/, 'Z'));

  test.each([
    ['last week', 7],
    ['last month', 28],
    ['last year', 365],
  ])('"%s" is a calendar unit (NaturalDateParserTest)', async (keyword, leastDays) => {
    const { from, to } = await tested(keyword);
    const [first, last] = [at(from), at(to)];
    expect(first.toISOString().slice(11)).toBe('00:00:00.000Z');
    expect(last.toISOString().slice(11, 19)).toBe('23:59:59');
    const days = (last.getTime() - first.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(leastDays - 1);
    expect(days).toBeLessThan(leastDays + 4);
    if (keyword === 'last week') expect([first.getUTCDay(), last.getUTCDay()]).toEqual([1, 0]);
    else expect(first.getUTCDate()).toBe(1);
  });

  test('"last 99 days" are whole days through today (NaturalDateParserTest)', async () => {
    const { from, to } = await tested('last 99 days');
    const whole = Math.round((at(to).getTime() - at(from).getTime()) / 86_400_000);
    expect([whole, at(from).toISOString().slice(11, 19)]).toEqual([100, '00:00:00']);
  });
});

test('10. groups without metrics are counted (ScriptingApiResourceIT, testGetRequestJson)', async () => {
  const query = new URLSearchParams({ query: scripting, groups: 'facility', timerange: '1d' });
  const { datarows, schema } = await ask(200, 'GET', `/search/aggregate?${query}`);
  expect(schema.at(-1)).toMatchObject({ column_type: 'metric', function: 'count' });
  expect(datarows).toEqual([
    ['another-test', 2],
    ['test', 1],
  ]);
});

test('11. a misspelt start is corrected (SuggestionResourceIT, testTypoCorrection)', async () => {
  const { suggestions } = await ask(200, 'POST', '/search/suggest', { field: 'facility', input: 'tets' });
  expect(suggestions[0]).toMatchObject({ value: 'test' });
});

test.each([
  ['_index:millrace_0 AND of:fields', 1],
  ['_index:nothing_0 AND of:fields', 0],
  ['_exists_:f_* AND of:fields', 1],
  ['_exists_:g_* AND of:fields', 0],
  ['num*:25 AND of:fields', 1],
  ['num*:26 AND of:fields', 0],
])('12. %s: %i (query strings of Elasticsearch, which Graylog passes on)', async (query, expected) => {
  const path = `/search/universal/relative?${new URLSearchParams({ query, range: '0' })}`;
  expect((await ask(200, 'GET', path)).total_results).toBe(expected);
});

describe('13. groups of times and of ranges', () => {
  test('timeunit on another date field (ScriptingApiResourceIT, testTimestampGroupingBy1Day)', async () => {
    const { datarows } = await aggregate(scripting, { group_by: [{ field: 'due', timeunit: '1d' }] });
    expect(datarows).toEqual([
      ['2025-10-20T00:00:00.000Z', 2],
      ['2025-10-21T00:00:00.000Z', 1],
    ]);
  });

  test('scaling (ScriptingApiResourceIT, testTimestampGroupingByScaling)', async () => {
    const { datarows } = await aggregate(scripting, { group_by: [{ field: 'due', scaling: 3.0 }] });
    const sum = datarows.reduce((all: number, [, each]: [string, number]) => all + each, 0);
    expect(sum).toBe(3);
    expect(datarows[0][0]).toMatch(/^2025-10-20T\d\d:00:00\.000Z$/);
  });

  test('ranges (ScriptingApiResourceIT, testRangeAggregation)', async () => {
    const ranges = [{ to: 2.0 }, { from: 2.0, to: 3.0 }, { from: 3.0 }];
    const { datarows } = await aggregate(scripting, { group_by: [{ field: 'stage', ranges }] });
    expect(new Map(datarows)).toEqual(
      new Map([
        ['*-2.0', 1],
        ['2.0-3.0', 1],
        ['3.0-*', 1],
      ]),
    );
  });
});

describe('14. and 15. the rest', () => {
  const createIndexSet = async (prefix: string) => {
    const { id: _, ...original } = await ask(200, 'GET', `/system/indices/index_sets/${indexSet}`);
    const body = { ...original, title: `A ${prefix}`, index_prefix: prefix, default: false };
    return (await ask(200, 'POST', '/system/indices/index_sets', body)).id;
  };

  test('14. streams by the titles of their index sets (StreamsIT, sortByIndexSetTitle)', async () => {
    const other = await createIndexSet('other');
    await ask(200, 'PUT', `/streams/indexSet/${other}`, [streams[1]]);
    const sorted = async (order: string) => {
      const query = new URLSearchParams({ query: '#', sort: 'index_set_title', order });
      const { elements } = await ask(200, 'GET', `/streams/paginated?${query}`);
      return elements.map(({ title }: { title: string }) => title);
    };
    expect(await sorted('asc')).toEqual(['Stream #2', 'Stream #1']);
    expect(await sorted('desc')).toEqual(['Stream #1', 'Stream #2']);
    await ask(200, 'PUT', `/streams/indexSet/${indexSet}`, [streams[1]]);
  });

  test('15. streams of an index set that does not exist, or with one that does not (AssignStreamsToIndexSetIT)', async () => {
    await ask(404, 'PUT', '/streams/indexSet/doesnotexist', streams);
    const other = await createIndexSet('another');
    await ask(404, 'PUT', `/streams/indexSet/${other}`, [...streams, '6389c6a9205a90634f992bce']);
    for (const id of streams) {
      expect(await ask(200, 'GET', `/streams/${id}`)).toMatchObject({ index_set_id: indexSet });
    }
  });

  test('15. metrics of chunks for the node (GelfChunkAggregator)', async () => {
    const { metrics } = await ask(
      200,
      'GET',
      '/system/metrics/namespace/org.graylog2.inputs.codecs.GelfChunkAggregator',
    );
    const names = metrics.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(
      expect.arrayContaining([
        'complete-messages',
        'expired-chunks',
        'expired-messages',
        'total-chunks',
        'waiting-messages',
      ]),
    );
  });

  test('15. a percentage without a name (SearchAggregationsIT, testSimplestPercentageMetricWithCount)', async () => {
    const { rows, column_names: names } = await pivot(scripting, {
      row_groups: [values('facility')],
      series: [{ type: 'percentage' }],
    });
    expect(names).toEqual(['facility', 'percentage(,COUNT)']);
    expect(rows[0]).toMatchObject({ key: ['another-test'], values: [{ key: ['percentage(,COUNT)'] }] });
    expect(rows[0]?.values[0]?.value).toBeCloseTo(2 / 3, 5);
  });

  test('15. /views/search/metadata (SearchMetadataIT, testMinimalRequestWithoutParameter)', async () => {
    const body = {
      queries: [
        {
          id: 'f1446410-a082-4871-b3bf-d69aa42d0c96',
          query: { type: 'elasticsearch', query_string: '' },
          timerange: { type: 'relative', from: 300 },
          search_types: [{ type: 'messages' }],
        },
      ],
    };
    expect(await ask(200, 'POST', '/views/search/metadata', body)).toMatchObject({
      query_metadata: { 'f1446410-a082-4871-b3bf-d69aa42d0c96': { used_parameters_names: [] } },
      declared_parameters: {},
    });
    const stored = await ask(201, 'POST', '/views/search', body);
    const found = await ask(200, 'GET', `/views/search/metadata/${stored.id}`);
    expect(found.declared_parameters).toEqual({});
  });

  test('15. /system/deflector/bulk_cycle (DeflectorResourceIT)', async () => {
    const sets = [await createIndexSet('cycled1'), await createIndexSet('cycled2')];
    const current = () =>
      Promise.all(sets.map(async (id) => (await ask(200, 'GET', `/system/deflector/${id}`)).current_target));
    const before = await current();
    const entity_ids = [...sets, 'wrong ID!'];
    expect(await ask(200, 'POST', '/system/deflector/bulk_cycle', { entity_ids })).toMatchObject({
      successfully_performed: 2,
      failures: [{ entity_id: 'wrong ID!' }],
    });
    const after = await current();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('15. a setting that is accepted is used or refused (GELF HTTP of Graylog 6.1: HttpTransport)', async () => {
    const settings = { bind_address: '127.0.0.1', port: 0, idle_writer_timeout: 60 };
    const input = (configuration: object) => ({
      title: 'header',
      type: 'org.graylog2.inputs.gelf.http.GELFHttpInput',
      global: true,
      configuration: { ...settings, ...configuration },
    });
    const refused = await ask(
      400,
      'POST',
      '/system/inputs',
      input({ authorization_header_value_secondary: 'alone' }),
    );
    expect(refused.message).toContain('authorization_header');
    await ask(400, 'POST', '/system/inputs', input({ charset_name: 'no-such-charset' }));
    const both = {
      authorization_header_name: 'x-key',
      authorization_header_value: 'new',
      authorization_header_value_secondary: 'old',
    };
    const { id } = await ask(201, 'POST', '/system/inputs', input(both));
    const port = await node.listeningPort(id);
    const send = async (key: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/gelf`, {
          method: 'POST',
          headers: { 'x-key': key },
          body: '{"short_message":"x","host":"h"}',
        })
      ).status;
    expect([await send('new'), await send('old'), await send('wrong')]).toEqual([202, 202, 401]);
  });
});
