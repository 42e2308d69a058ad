import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { useStoredSamples } from '#testing/aggregation-fixture.ts';
import {
  close,
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
import type { SearchInput } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { type Aggregations, createAggregations } from './index.ts';

const samples = useStoredSamples();
let fixture: SearchFixture;
let aggregations: Aggregations;
let caller: SearchCaller;

const ALL_TIME: SearchInput = { query: '*', range: { type: 'relative', range: 0 } };
const DAY = 86_400_000;

beforeAll(() => {
  fixture = samples();
  aggregations = createAggregations({ searches: fixture.search.searches, clock: fixture.clock });
  caller = { principal: fixture.admin };
});

describe('terms', () => {
  function expectedTerms(fields: readonly string[], size: number, ascending = false) {
    const keys = messages.map((message) => fields.map((field) => text(fieldOf(message, field))));
    const complete = keys.filter((key) => key.every((value) => value !== undefined));
    const groups = [...counts(complete.map((key) => JSON.stringify(key)))]
      .map(([key, count]) => ({ values: JSON.parse(key) as string[], count }))
      .sort(
        (a, b) =>
          (ascending ? a.count - b.count : b.count - a.count) ||
          compare(a.values[0] ?? '', b.values[0] ?? '') ||
          compare(a.values[1] ?? '', b.values[1] ?? ''),
      );
    const shown = groups.slice(0, size);
    return {
      terms: Object.fromEntries(shown.map(({ values, count }) => [values.join(' - '), count])),
      missing: keys.filter(([value]) => value === undefined).length,
      other: sum(groups.slice(size).map(({ count }) => count)),
      total: messages.length,
    };
  }

  test.each([
    ['mixed', [], 4],
    ['level', ['status'], 5],
  ] as const)('of %s with %j, %i of them', async (field, stackedFields, size) => {
    const result = await aggregations.terms(caller, ALL_TIME, {
      field,
      stackedFields,
      size,
      ascending: false,
    });
    expect(result).toMatchObject(expectedTerms([field, ...stackedFields], size));
    expect(result.built_query).toBe('*');
    expect(result.time).toBeGreaterThanOrEqual(0);
  });

  test('in ascending order, with the fields of each term', async () => {
    const options = { field: 'source', stackedFields: ['text'], size: 3, ascending: true };
    const result = await aggregations.terms(caller, ALL_TIME, options);
    expect(result).toMatchObject(expectedTerms(['source', 'text'], 3, true));
    for (const [term, mapping] of Object.entries(result.terms_mapping)) {
      expect(mapping.map(({ field }) => field)).toEqual(['source', 'text']);
      expect(mapping.map(({ value }) => value).join(' - ')).toBe(term);
    }
    expect(Object.keys(result.terms_mapping)).toEqual(Object.keys(result.terms));
  });

  test('a list field counts each value, and the message once in the total', async () => {
    const options = { field: 'streams', stackedFields: [], size: 1, ascending: false };
    const result = await aggregations.terms(caller, ALL_TIME, options);
    const each = counts(messages.flatMap(({ streams }) => streams ?? []));
    const [top] = [...each].sort(([, a], [, b]) => b - a);
    expect(result).toMatchObject({
      terms: { [fixture.streamId(top?.[0] === DEFAULT_STREAM_ID ? 'All messages' : 'web')]: top?.[1] },
      total: messages.length,
      missing: 0,
      other: sum([...each.values()]) - (top?.[1] ?? 0),
    });
  });

  test('only messages that the caller may read', async () => {
    const audit = fixture.streamId('audit');
    const options = { field: 'source', stackedFields: [], size: 50, ascending: false };
    const ofAudit = messages.filter(({ streams }) => streams?.includes('audit'));
    const reader = { principal: fixture.user(`streams:read:${audit}`) };
    expect((await aggregations.terms(reader, ALL_TIME, options)).terms).toEqual(
      Object.fromEntries(counts(ofAudit.map(({ source }) => source))),
    );
  });
});

describe('statistics', () => {
  test.each(['ratio', 'mixed'])('statistics of %s', async (field) => {
    const result = await aggregations.stats(caller, ALL_TIME, { field });
    const values = messages.flatMap((message) => text(fieldOf(message, field)) ?? []);
    const numbers = numbersOf(field);
    const mean = sum(numbers) / numbers.length;
    const variance = sum(numbers.map((each) => (each - mean) ** 2)) / numbers.length;
    expect([result.count, result.cardinality]).toEqual([values.length, new Set(values).size]);
    close(result.sum, sum(numbers));
    close(result.sum_of_squares, sum(numbers.map((each) => each * each)));
    close(result.mean, mean);
    expect([result.min, result.max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
    close(result.variance, variance);
    close(result.std_deviation, Math.sqrt(variance));
  });

  test('a field without numbers and an unknown field have no statistics', async () => {
    const none = {
      sum: 'NaN',
      sum_of_squares: 'NaN',
      mean: 'NaN',
      min: 'NaN',
      max: 'NaN',
      variance: 'NaN',
      std_deviation: 'NaN',
    };
    const injected = "x` FROM system.users) --'\\";
    const ofNothing = await aggregations.stats(caller, ALL_TIME, { field: injected });
    expect(ofNothing).toMatchObject({ ...none, count: 0, cardinality: 0 });
    const ofStreams = await aggregations.stats(caller, ALL_TIME, { field: 'streams' });
    expect(ofStreams).toMatchObject({ ...none, count: messages.length, cardinality: 3 });
  });

  test('by the values of another field, in any order', async () => {
    const groups = [...Map.groupBy(messages, ({ fields }) => text(fields.status))].flatMap(([key, of]) =>
      key === undefined ? [] : [groupOf(key, of)],
    );
    const expected = groups.sort((a, b) => b.mean - a.mean || compare(a.key, b.key)).slice(0, 3);
    const options = { keyField: 'status', valueField: 'took_ms', order: 'reverse_mean', size: 3 };
    const { terms } = await aggregations.termsStats(caller, ALL_TIME, options);
    expect(
      terms.map(({ key_field, count, min, max, total, total_count }) => ({
        key: key_field,
        count,
        min,
        max,
        total,
        numbers: total_count,
      })),
    ).toEqual(expected.map(({ mean: _, ...group }) => group));
    for (const [at, { mean }] of terms.entries()) close(mean, expected[at]?.mean ?? Number.NaN);
  });

  interface Group {
    readonly key: string;
    readonly count: number;
    readonly numbers: number;
    readonly min: number;
    readonly max: number;
    readonly total: number;
    readonly mean: number;
  }

  function groupOf(key: string, of: readonly Sample[]): Group {
    const numbers = numbersOf('took_ms', of);
    return {
      key,
      count: of.length,
      numbers: numbers.length,
      min: Math.min(...numbers),
      max: Math.max(...numbers),
      total: sum(numbers),
      mean: sum(numbers) / numbers.length,
    };
  }

  test('groups without numbers come last; an unknown order is refused', async () => {
    const options = { keyField: 'text', valueField: 'user.id', order: 'TOTAL', size: 0 };
    const { terms } = await aggregations.termsStats(caller, ALL_TIME, options);
    expect(terms.map(({ key_field, mean, total_count }) => [key_field, mean, total_count])).toEqual([
      ['a', 'NaN', 0],
      ['b', 'NaN', 0],
    ]);
    await expect(
      aggregations.termsStats(caller, ALL_TIME, { ...options, order: 'COUNT; DROP TABLE x' }),
    ).rejects.toThrow('Invalid order "COUNT; DROP TABLE x"');
  });
});

describe('histograms', () => {
  /** The start of the day, in seconds. */
  const dayOf = (time: number, timeZone: string) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds /
    1000;

  test('by day in a time zone with daylight saving time', async () => {
    const input = { ...ALL_TIME, timeZone: 'Europe/Berlin' };
    const { results } = await aggregations.histogram(caller, input, { interval: 'day' });
    const days = counts(messages.map(({ timestamp }) => String(dayOf(timestamp, 'Europe/Berlin'))));
    expect(Object.fromEntries(Object.entries(results).filter(([, count]) => count > 0))).toEqual(
      Object.fromEntries(days),
    );
    const keys = Object.keys(results).map(Number);
    const lengths = new Set(keys.slice(1).map((key, at) => (key - (keys[at] ?? 0)) / 3600));
    expect([...lengths].sort()).toEqual([23, 24]);
  });

  test.each([
    ['QUARTER', { months: 3 }],
    ['12h', { hours: 12 }],
  ] as const)('by %s', async (interval, step) => {
    const { results } = await aggregations.histogram(caller, ALL_TIME, { interval });
    expect(sum(Object.values(results))).toBe(messages.length);
    for (const [key, count] of Object.entries(results)) {
      const start = Temporal.Instant.fromEpochMilliseconds(Number(key) * 1000).toZonedDateTimeISO('UTC');
      const end = start.add(step).epochMilliseconds;
      const inside = messages.filter(
        ({ timestamp }) => timestamp >= Number(key) * 1000 && timestamp < end,
      ).length;
      expect(count).toBe(inside);
      expect([start.minute, start.hour % 12]).toEqual([0, 0]);
      if (interval === 'QUARTER') expect([start.day, start.month % 3]).toEqual([1, 1]);
    }
  });

  test.each(['second', '7m', '12h', '30000h'])('by %s in a range as over all time', async (interval) => {
    const times = messages.map(({ timestamp }) => timestamp);
    const from = new Date(Math.min(...times)).toISOString();
    const to = new Date(Math.max(...times)).toISOString();
    const inRange: SearchInput = { query: '*', range: { type: 'absolute', from, to } };
    const [all, found] = await Promise.all(
      [ALL_TIME, inRange].map((input) => aggregations.histogram(caller, input, { interval })),
    );
    expect(found?.results).toEqual(all?.results);
    const options = { field: 'level', stackedFields: [], size: 3, ascending: false, interval };
    const [allTerms, terms] = await Promise.all(
      [ALL_TIME, inRange].map((input) => aggregations.termsHistogram(caller, input, options)),
    );
    const totals = (of: typeof terms) =>
      Object.entries(of?.buckets ?? {}).map(([at, { total }]) => [at, total]);
    expect(totals(terms)).toEqual(totals(allTerms));
  });

  test('for all time, auto takes the interval from the times of the messages', async () => {
    const { interval, results, queried_timerange } = await aggregations.histogram(caller, ALL_TIME, {
      interval: 'auto',
    });
    expect(interval).toBe('day');
    expect(queried_timerange).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: new Date(SEARCH_NOW).toISOString(),
    });
    expect(sum(Object.values(results))).toBe(messages.length);
  });

  test('no messages, no buckets', async () => {
    const input: SearchInput = { query: '*', range: { type: 'relative', range: 1 } };
    expect((await aggregations.histogram(caller, input, { interval: 'auto' })).results).toEqual({});
  });

  test('statistics of a field by week', async () => {
    const { results } = await aggregations.fieldHistogram(caller, ALL_TIME, {
      field: 'mixed',
      interval: 'week',
      cardinality: true,
    });
    for (const [key, bucket] of Object.entries(results)) {
      const start = Number(key) * 1000;
      const of = messages.filter(({ timestamp }) => timestamp >= start && timestamp < start + 7 * DAY);
      const numbers = numbersOf('mixed', of);
      expect(bucket).toMatchObject({
        total_count: of.length,
        count: numbers.length,
        min: Math.min(...numbers),
        max: Math.max(...numbers),
        cardinality: new Set(of.flatMap(({ fields }) => text(fields.mixed) ?? [])).size,
      });
      close(bucket.total, sum(numbers));
      close(bucket.mean, sum(numbers) / numbers.length);
    }
    expect(Object.keys(results).length).toBeGreaterThan(10);
  });

  test('terms of each month', async () => {
    const result = await aggregations.termsHistogram(caller, ALL_TIME, {
      field: 'status',
      stackedFields: [],
      size: 2,
      ascending: false,
      interval: 'month',
    });
    const shown = new Set<string>();
    for (const [key, bucket] of Object.entries(result.buckets)) {
      const start = new Date(Number(key) * 1000);
      const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
      const of = messages.filter(({ timestamp }) => timestamp >= start.getTime() && timestamp < end);
      const groups = [...counts(of.flatMap(({ fields }) => text(fields.status) ?? []))].sort(
        ([a, x], [b, y]) => y - x || compare(a, b),
      );
      expect(bucket).toMatchObject({
        terms: Object.fromEntries(groups.slice(0, 2)),
        missing: of.filter(({ fields }) => fields.status === undefined).length,
        other: sum(groups.slice(2).map(([, count]) => count)),
        total: of.length,
      });
      for (const [term] of groups.slice(0, 2)) shown.add(term);
    }
    expect(new Set(result.terms)).toEqual(shown);
    expect(result).toMatchObject({ interval: 'month', size: 2 });
  });
});

test('messages of each source in the last days', async () => {
  const days = 75;
  const since = SEARCH_NOW - days * DAY;
  const expected = counts(messages.filter(({ timestamp }) => timestamp >= since).map(({ source }) => source));
  const { total, sources, range } = await aggregations.sources(caller, days * 86_400);
  expect(total).toBe(expected.size);
  expect(sources).toEqual(Object.fromEntries(expected));
  expect(range).toBe(days * 86_400);
});
