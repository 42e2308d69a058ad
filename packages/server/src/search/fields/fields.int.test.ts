import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldRoutes, searchPatternRoutes } from '#api/index.ts';
import { DEFAULT_STREAM_ID, type FieldValue } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import {
  createSearchFixture,
  type FixtureMessage,
  SEARCH_NOW,
  type SearchFixture,
} from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

const MINUTE = 60_000;
const START = SEARCH_NOW - 10 * MINUTE;
/** With a start, so that `auto` needs no extra statement. */
const WHOLE_DAY = {
  timerange: { type: 'absolute', from: '2026-06-10T00:00:00Z', to: '2026-06-10T23:00:00Z' },
};

const message = (at: number, fields: Record<string, FieldValue>, more: Partial<FixtureMessage> = {}) => ({
  timestamp: START + at,
  message: `job ${at} of tenant-${at % 3} took ${at * 7} ms`,
  source: 'worker',
  level: at % 2 === 0 ? 6 : 3,
  fields,
  ...more,
});

const messages: FixtureMessage[] = [
  ...Array.from({ length: 20 }, (_, i) =>
    message(i, { took: i + 1, user: i % 4 === 0 ? 'anna' : 'bob', mixed: i % 2 ? i : `text ${i % 3}` }),
  ),
  message(5 * MINUTE, { took: '17', mixed: true, 'a.b': 'dotted' }),
  message(5 * MINUTE + 1, { __proto__: 'x', "it's": 'quoted' }),
  message(6 * MINUTE, { user: 'carla', secret: 1 }, { streams: ['audit'], indexSets: ['audit'] }),
  message(
    6 * MINUTE,
    { user: 'anna' },
    { streams: [DEFAULT_STREAM_ID, 'web'], indexSets: ['millrace', 'web'] },
  ),
];

beforeAll(async () => {
  fixture = await createSearchFixture(server(), {
    routes: ({ search }) => [...fieldRoutes(search), ...searchPatternRoutes(search)],
  });
  await fixture.store(messages);
  await fixture.auth.addUser('web', ['fieldnames:read', `streams:read:${fixture.streamId('web')}`], []);
  await fixture.auth.addUser('nobody', ['fieldnames:read'], []);
});
afterAll(() => fixture.close());

async function ask(path: string, body: Record<string, unknown>, as = 'admin') {
  const answer = await fixture.call('POST', path, { as, body: { ...WHOLE_DAY, ...body } });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}
const statistics = (field: string, body: Record<string, unknown> = {}, as?: string) =>
  ask(`/search/fields/${encodeURIComponent(field)}/statistics`, body, as);

describe('the list of fields', () => {
  test('has every field with its types', async () => {
    const { body } = await fixture.call('GET', '/system/fields');
    expect(body.fields).toEqual([...body.fields].sort());
    expect(body.fields).toEqual(
      expect.arrayContaining([
        'message',
        'source',
        'timestamp',
        'a.b',
        "it's",
        'mixed',
        'secret',
        'took',
        'user',
      ]),
    );
    expect(body.types).toMatchObject({
      mixed: ['boolean', 'number', 'string'],
      took: ['number', 'string'],
      timestamp: ['date'],
      level: ['number'],
    });
    expect((await fixture.call('GET', '/system/fields?limit=2')).body.fields).toEqual(
      body.fields.slice(0, 2),
    );
  });

  test("in Graylog's shape", async () => {
    const { body } = await fixture.call('GET', '/views/fields');
    const type = (name: string) => body.find((one: { name: string }) => one.name === name)?.type;
    expect(type('user')).toEqual({
      type: 'string',
      properties: ['enumerable'],
      index_names: ['audit_0', 'millrace_0', 'web_0'],
    });
    expect(type('took')).toEqual({
      type: 'compound(double,string)',
      properties: ['compound', 'enumerable'],
      index_names: ['millrace_0'],
    });
    expect(type('message')).toMatchObject({ type: 'string', properties: ['full-text-search'] });
    expect(type('level')).toMatchObject({ type: 'long', properties: ['numeric', 'enumerable'] });
    expect(type('timestamp')).toMatchObject({ type: 'date' });
  });

  test('has only fields of streams that the user may read', async () => {
    const seen = async (as: string) =>
      (await fixture.call('GET', '/views/fields', { as })).body.map(({ name }: { name: string }) => name);
    expect(await seen('web')).toContain('user');
    expect(await seen('web')).not.toContain('secret');
    expect(await seen('web')).not.toContain('took');
    expect(await seen('nobody')).not.toContain('user');
    const audit = await fixture.call('POST', '/views/fields', {
      body: { streams: [fixture.streamId('audit')] },
    });
    const names = audit.body.map(({ name }: { name: string }) => name);
    expect([names.includes('secret'), names.includes('took')]).toEqual([true, false]);
    const refused = await fixture.call('POST', '/views/fields', {
      as: 'web',
      body: { streams: [fixture.streamId('audit')] },
    });
    expect(refused.status).toBe(403);
  });
});

describe('field statistics', () => {
  test('numbers, texts and missing values', async () => {
    const found = await statistics('took', { size: 2, interval: 'minute' });
    expect(found).toMatchObject({
      field: 'took',
      total: 24,
      present: 21,
      missing: 3,
      distinct: 21,
      types: [
        { type: 'number', count: 20 },
        { type: 'string', count: 1 },
      ],
      numbers: { count: 20, min: 1, max: 20, mean: 10.5 },
      interval: 'minute',
      other: 19,
    });
    expect(found.numbers.percentiles['50']).toBeCloseTo(10.5, 0);
    expect(found.numbers.percentiles['99']).toBeLessThanOrEqual(20);
    expect(found.values).toHaveLength(2);
    expect(found.histogram).toEqual([
      { from: new Date(START).toISOString(), present: 20, mean: 10.5 },
      ...[1, 2, 3, 4].map((minute) => ({
        from: new Date(START + minute * MINUTE).toISOString(),
        present: 0,
        mean: null,
      })),
      { from: new Date(START + 5 * MINUTE).toISOString(), present: 1, mean: null },
      { from: new Date(START + 6 * MINUTE).toISOString(), present: 0, mean: null },
    ]);
  });

  test('a list field counts each value, and the message once', async () => {
    const found = await statistics('streams');
    expect(found).toMatchObject({ total: 24, present: 24, missing: 0, distinct: 3 });
    expect(found.values.map(({ count }: { count: number }) => count)).toEqual([23, 1, 1]);
  });

  test('a search without messages', async () => {
    const none = {
      timerange: { type: 'absolute', from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' },
    };
    expect(await statistics('took', none)).toMatchObject({
      total: 0,
      present: 0,
      missing: 0,
      numbers: null,
      types: [],
      values: [],
      histogram: [],
    });
  });

  test('only of messages the user may read', async () => {
    expect(await statistics('user', {}, 'web')).toMatchObject({
      total: 1,
      values: [{ value: 'anna', count: 1 }],
    });
    const refused = await fixture.call('POST', '/search/fields/user/statistics', {
      as: 'web',
      body: { streams: [fixture.streamId('audit')] },
    });
    expect(refused.status).toBe(403);
  });
});

describe('facets', () => {
  test('of several fields at once, with any names', async () => {
    const strange = ['a.b', "x' OR 1=1 --", '`) FROM system.one --', 'mixed'];
    const fields = ['user', 'streams', 'nothing', 'user', ...strange];
    const found = await ask('/search/facets', { fields, size: 2 });
    expect(found.total).toBe(24);
    expect(found.facets.slice(0, 3)).toEqual([
      {
        field: 'user',
        present: 22,
        missing: 2,
        distinct: 3,
        values: [
          { value: 'bob', count: 15, share: 15 / 22 },
          { value: 'anna', count: 6, share: 6 / 22 },
        ],
        other: 1,
      },
      expect.objectContaining({ field: 'streams', present: 24, missing: 0, distinct: 3, other: 1 }),
      { field: 'nothing', present: 0, missing: 24, distinct: 0, values: [], other: 0 },
    ]);
    const present = found.facets.slice(3).map(({ present }: { present: number }) => present);
    expect(present).toEqual([1, 0, 0, 21]);
  });
});

describe('patterns', () => {
  test('of all messages, with values, levels and an example', async () => {
    const found = await ask('/search/patterns', { values: 2 });
    expect(found).toMatchObject({
      total: 24,
      sample_size: 24,
      sampled: false,
      total_patterns: 1,
      unmatched: 0,
    });
    const [pattern] = found.patterns;
    expect(pattern).toMatchObject({
      pattern: 'job <number> of tenant-<number> took <number>',
      count: 24,
      sample_count: 24,
      share: 1,
      first_seen: new Date(START).toISOString(),
      last_seen: new Date(START + 6 * MINUTE).toISOString(),
      levels: [
        { level: 3, count: 11 },
        { level: 6, count: 13 },
      ],
      query: 'message:"job" AND message:"of tenant" AND message:"took"',
    });
    expect(pattern.example).toMatchObject({ source: 'worker', timestamp: pattern.last_seen });
    // Shortly before noon, of a range from midnight to 23:00 in 24 parts.
    expect(pattern.trend).toEqual(Array.from({ length: 24 }, (_, part) => (part === 12 ? 24 : 0)));
    expect(pattern.example.id).toMatch(/^[0-9A-Z]{26}$/);
    expect(['millrace_0', 'audit_0']).toContain(pattern.example.index);
    expect(pattern.template[0]).toEqual({ text: 'job ' });
    expect(pattern.template[1]).toMatchObject({ variable: 'number', distinct: 23 });
    expect(pattern.template[3].values[0]).toEqual({ value: '0', count: 10 });
  });

  test('of a sample, with estimated counts', async () => {
    const found = await ask('/search/patterns', { sample: 8 });
    expect(found).toMatchObject({ total: 24, sampled: true });
    expect(found.sample_size).toBeGreaterThan(0);
    expect(found.sample_size).toBeLessThanOrEqual(8);
    expect(found.patterns[0]).toMatchObject({ sample_count: found.sample_size, count: 24, share: 1 });
  });

  test('of another field, in messages that have it', async () => {
    const found = await ask('/search/patterns', { field: 'user' });
    expect([found.total, found.patterns[0].pattern, found.patterns[0].query]).toEqual([
      22,
      'bob',
      'user:"bob"',
    ]);
  });

  test('only of messages the user may read', async () => {
    expect(await ask('/search/patterns', {}, 'web')).toMatchObject({ total: 1 });
    expect(await ask('/search/patterns', {}, 'nobody')).toMatchObject({ total: 0, patterns: [] });
  });
});
