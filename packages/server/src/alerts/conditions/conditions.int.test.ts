/** What makes the conditions with keys true, over real messages. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AlertsFixture,
  type AlertsFixtureOptions,
  createAlertsFixture,
} from '#testing/alerts-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';

const MINUTE = 60_000;
const server = useTestClickHouse();
let fixture: AlertsFixture;

/** A fixture for each test of a `describe`. */
function useAlerts(options?: AlertsFixtureOptions): void {
  beforeEach(async () => {
    fixture = await createAlertsFixture(server(), options);
  });
  afterEach(() => fixture.close());
}

const base = () => `/streams/${fixture.streamId('web')}/alerts`;

async function probe(type: string, parameters: object) {
  const answer = await fixture.call('POST', `${base()}/conditions/test`, { body: { type, parameters } });
  if (answer.body.error !== false) throw new Error(answer.text);
  return answer.body;
}

/** The keys of alerts, and whether each is open, oldest first. */
async function alerts(): Promise<[string, boolean][]> {
  const { body } = await fixture.call('GET', base());
  return body.alerts
    .map(({ key, resolved_at }: { key: object; resolved_at: string | null }): [string, boolean] => [
      Object.values(key).join('/'),
      resolved_at === null,
    ])
    .reverse();
}

const compare = (expr: string, ref: string, value: number) => ({
  expr,
  left: { expr: 'number-ref', ref },
  right: { expr: 'number', value },
});

describe('aggregation', () => {
  useAlerts();

  const series = [
    { id: 'c', type: 'count' },
    { id: 'a', function: 'avg', field: 'took' },
    { type: 'percentile', field: 'took', percentile: 50 },
  ];

  test('without functions it is true if there are messages', async () => {
    expect((await probe('aggregation-v1', {})).triggered).toBe(false);
    await fixture.receive({ level: 3 });
    expect((await probe('aggregation', {})).triggered).toBe(true);
    expect((await probe('aggregation-v1', { query: 'level:4' })).triggered).toBe(false);
    fixture.clock.advance(2000);
    expect((await probe('aggregation-v1', { search_within_ms: 1000 })).triggered).toBe(false);
  });

  test('a tree of comparisons decides', async () => {
    await fixture.receive({ fields: { took: 10 } }, { fields: { took: 30 } }, {});
    const is = async (expression: object) =>
      (await probe('aggregation-v1', { series, conditions: { expression } })).triggered;
    expect(await is(compare('>', 'c', 2))).toBe(true);
    expect(await is(compare('>', 'c', 3))).toBe(false);
    expect(await is(compare('>=', 'c', 3))).toBe(true);
    expect(await is(compare('==', 'a', 20))).toBe(true);
    expect(await is(compare('<', 'a', 20))).toBe(false);
    expect(await is(compare('<=', 'percentile(took)', 30))).toBe(true);
    const [yes, no] = [compare('==', 'c', 3), compare('==', 'c', 4)];
    expect(await is({ expr: '&&', left: yes, right: no })).toBe(false);
    expect(await is({ expr: '||', left: no, right: yes })).toBe(true);
    expect(await is({ expr: '!', child: no })).toBe(true);
    expect(await is({ expr: '&&', left: { expr: 'group', child: yes }, right: { expr: 'true' } })).toBe(true);
  });

  test('what cannot be read is refused with its place', async () => {
    const problems = async (parameters: object) => {
      const body = { type: 'aggregation-v1', parameters };
      const answer = await fixture.call('POST', `${base()}/conditions`, { body });
      return answer.body.problems?.map(({ path }: { path: string }) => path);
    };
    expect(await problems({ series: [{ type: 'median' }] })).toEqual(['parameters.series[0]']);
    expect(await problems({ series: [{ type: 'avg' }] })).toEqual(['parameters.series[0]']);
    expect(await problems({ series, conditions: { expression: compare('>', 'x', 1) } })).toEqual([
      'parameters.conditions.expression.left',
    ]);
    expect(await problems({ series, conditions: { expression: { expr: 'what' } } })).toEqual([
      'parameters.conditions.expression',
    ]);
    expect(await problems({ conditions: 5 })).toEqual(['parameters.conditions']);
  });

  test('every key has its own alert and its own grace', async () => {
    await fixture.condition('aggregation-v1', {
      series,
      group_by: ['source'],
      search_within_ms: MINUTE,
      grace: 5,
      conditions: { expression: compare('>', 'c', 1) },
    });
    await fixture.receive(
      { source: 'a' },
      { source: 'a' },
      { source: 'b' },
      { source: 'c' },
      { source: 'c' },
    );
    await fixture.pass(20_000);
    expect(await alerts()).toEqual(
      expect.arrayContaining([
        ['a', true],
        ['c', true],
      ]),
    );
    // Each rule has its own moment in a minute: after two minutes every window without c was evaluated.
    for (let round = 0; round < 6; round++) {
      await fixture.receive({ source: 'a' }, { source: 'a' }, { source: 'b' }, { source: 'b' });
      await fixture.pass(20_000);
    }
    expect((await alerts()).sort()).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    await fixture.receive({ source: 'c' }, { source: 'c' });
    await fixture.pass(20_000);
    expect(await alerts()).toHaveLength(3);
  });
});

describe('silence', () => {
  useAlerts();

  test('of the stream', async () => {
    await fixture.receive({});
    expect((await probe('silence', { time: 1 })).triggered).toBe(false);
    fixture.clock.advance(MINUTE + 1);
    expect((await probe('silence', { time: 1 })).triggered).toBe(true);
  });

  test('of a host that was heard before, until it is heard again', async () => {
    await fixture.condition('silence', { time: 1, known_for: 3, group_by: ['source'] });
    await fixture.receive({ source: 'a' }, { source: 'b' });
    await fixture.pass(30_000);
    await fixture.receive({ source: 'b' });
    await fixture.pass(MINUTE);
    expect(await alerts()).toEqual([['a', true]]);
    for (let minute = 0; minute < 5; minute++) {
      await fixture.receive({ source: 'b' });
      await fixture.pass(MINUTE - 10_000);
    }
    // Longer ago than hosts are known for, and still silent.
    expect(await alerts()).toEqual([['a', true]]);
    await fixture.receive({ source: 'a' }, { source: 'b' });
    await fixture.pass(20_000);
    expect(await alerts()).toEqual([['a', false]]);
  });
});

describe('change', () => {
  useAlerts();

  const triggers = async (parameters: object) =>
    (await probe('change', { time: 1, ...parameters })).triggered;

  test('against the period before, or another one', async () => {
    await fixture.receive({}, {});
    fixture.clock.advance(MINUTE);
    await fixture.receive({}, {}, {}, {});
    fixture.clock.advance(1000);
    expect(await triggers({ percent: 99 })).toBe(true);
    expect(await triggers({ percent: 100 })).toBe(false);
    expect(await triggers({ direction: 'FALLS' })).toBe(false);
    expect(await triggers({ percent: 1, minimum: 5 })).toBe(false);
    fixture.clock.advance(MINUTE);
    expect(await triggers({ direction: 'FALLS', percent: 60 })).toBe(true);
    expect(await triggers({ direction: 'CHANGES', percent: 60 })).toBe(true);
    expect(await triggers({ direction: 'FALLS', compare_with: 5 })).toBe(false);
  });

  test('of a figure, for each key', async () => {
    const took = (source: string, value: number) => ({ source, fields: { took: value } });
    await fixture.receive(took('a', 10), took('b', 10), took('c', 10));
    fixture.clock.advance(MINUTE);
    await fixture.receive(took('a', 30), took('b', 11));
    const { triggered, description } = await probe('change', {
      time: 1,
      function: 'avg',
      field: 'took',
      group_by: ['source'],
    });
    expect([triggered, description]).toEqual([
      true,
      'source "a": avg(took) was 30 in the last 1 minute and 10 1 minute before; the condition is: it rises by more than 50 %. (Current grace time: 0 minutes)',
    ]);
  });
});

describe('figures', () => {
  useAlerts({ hasOneIndexSet: false });

  test('of several streams are computed together, each over its own messages; one that is in two tables counts once', async () => {
    const [web, audit] = [fixture.streamId('web'), fixture.streamId('audit')];
    await fixture.receive(
      { level: 3 },
      { level: 3, source: 'b' },
      { level: 3, streams: ['audit'], indexSets: ['audit'] },
      { level: 3, streams: ['web', 'audit'], indexSets: ['web', 'audit'] },
    );
    const [from, to] = [fixture.clock.now() - MINUTE, fixture.clock.now() + 1];
    const metric = { function: 'count', field: undefined, configuration: undefined };
    const counted = (streams: string[] | undefined, groupBy: string[] = []) => ({
      figures: [{ metric, queries: ['level:3'], from, to }],
      groupBy,
      streams,
      limit: 10,
    });
    const measured = await fixture.search.figures.measure(
      { principal: fixture.admin },
      { streams: [web, audit], basis: 'message' },
      [
        counted([web]),
        counted([audit]),
        counted([web, audit]),
        counted(undefined),
        counted([audit], ['source']),
      ],
    );
    expect(measured.map(({ rows }) => rows.map(({ figures }) => figures[0]))).toEqual([
      [3],
      [2],
      [4],
      [4],
      [2],
    ]);
  });
});
