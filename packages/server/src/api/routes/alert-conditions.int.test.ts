import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { streamAlertSummaries } from '#alerts/service.ts';
import { anAlertRule } from '#testing/alert-records.ts';
import { type AlertsFixture, createAlertsFixture } from '#testing/alerts-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';

const server = useTestClickHouse();
let fixture: AlertsFixture;
beforeEach(async () => {
  fixture = await createAlertsFixture(server());
});
afterEach(() => fixture.close());

const base = () => `/streams/${fixture.streamId('web')}/alerts/conditions`;
const create = (body: unknown) => fixture.call('POST', base(), { body });

describe('CRUD of conditions', () => {
  test('a condition is created (201 with its id), listed, changed (204) and deleted (204)', async () => {
    const created = await create({
      type: 'message_count',
      title: 'Many',
      parameters: { threshold: '10', time: '1', threshold_type: 'less', unknown: 1 },
    });
    expect(created.status).toBe(201);
    const id = created.body.alert_condition_id;
    expect(created.headers.location).toBe(`/api${base()}/${id}`);
    const { body } = await fixture.call('GET', `${base()}/${id}`);
    expect(body).toMatchObject({
      id,
      title: 'Many',
      type: 'message_count',
      in_grace: false,
      parameters: { threshold: 10, time: 1, threshold_type: 'LESS', grace: 0, backlog: 0 },
    });
    expect(body.parameters).not.toHaveProperty('unknown');
    expect((await fixture.call('GET', base())).body).toEqual({ total: 1, conditions: [body] });
    expect((await fixture.call('GET', '/alerts/conditions')).body).toEqual({ total: 1, conditions: [body] });
    const summary = (await streamAlertSummaries(fixture.metadata)).get(fixture.streamId('web'));
    expect(summary?.alert_conditions).toMatchObject([
      { id, type: 'message_count', title: 'Many', parameters: body.parameters },
    ]);

    const change = { type: 'field_value', title: 'Few', parameters: { threshold: 11 } };
    expect((await fixture.call('PUT', `${base()}/${id}`, { body: change })).status).toBe(204);
    expect((await fixture.call('GET', `${base()}/${id}`)).body).toMatchObject({
      title: 'Few',
      type: 'message_count',
      parameters: { threshold: 11, time: 1, threshold_type: 'LESS' },
    });
    for (const [title, after] of [
      [null, 'Few'],
      ['', null],
    ]) {
      expect((await fixture.call('PUT', `${base()}/${id}`, { body: { title } })).status).toBe(204);
      expect((await fixture.call('GET', `${base()}/${id}`)).body.title).toBe(after);
    }
    expect((await fixture.call('DELETE', `${base()}/${id}`)).status).toBe(204);
    expect((await fixture.call('GET', `${base()}/${id}`)).status).toBe(404);
    expect((await fixture.call('DELETE', `${base()}/${id}`)).status).toBe(404);
  });

  test('a change made from an older revision is refused; muting is no change', async () => {
    const { body: created } = await create({ type: 'message_count', title: 'Many', parameters: {} });
    const path = `${base()}/${created.alert_condition_id}`;
    const get = async () => (await fixture.call('GET', path)).body;
    const change = (title: string, revision: string | null) =>
      fixture.call('PUT', path, { body: { title, revision } });
    const { revision } = await get();
    expect((await fixture.call('PUT', `${path}/mute`, { body: { minutes: 5 } })).status).toBe(204);
    expect((await change('Theirs', revision)).status).toBe(204);
    expect((await change('Mine', revision)).status).toBe(409);
    expect((await get()).title).toBe('Theirs');
    expect((await change('Mine', null)).status).toBe(204);
    const { title, revision: now } = await get();
    expect(title).toBe('Mine');
    const answers = await Promise.all([change('One', now), change('Other', now)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('two changes at the same moment keep the fields of each other', async () => {
    const { body: created } = await create({ type: 'message_count', title: 'Both', parameters: {} });
    const path = `${base()}/${created.alert_condition_id}`;
    const change = (parameters: object) => fixture.call('PUT', path, { body: { parameters } });
    const answers = await Promise.all([change({ threshold: 7 }), change({ time: 9 })]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await fixture.call('GET', path)).body.parameters).toMatchObject({ threshold: 7, time: 9 });
  });

  test('an unknown type and bad parameters are refused with their place', async () => {
    expect((await create({ type: 'nonsense', parameters: {} })).body.message).toContain('message_count');
    const refused = await create({
      type: 'field_value',
      parameters: { threshold: 'many', type: 'median', query: 'a AND (' },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'parameters.field',
      'parameters.threshold',
      'parameters.type',
    ]);
    const query = await create({ type: 'message_count', parameters: { query: 'a AND (' } });
    expect(query.body.problems).toMatchObject([{ path: 'parameters.query' }]);
    expect((await fixture.call('GET', base())).body.total).toBe(0);
  });

  test('deleting a condition resolves its open alerts', async () => {
    const id = await fixture.condition('message_count');
    await fixture.receive({});
    await fixture.pass(20_000);
    await fixture.call('DELETE', `${base()}/${id}`);
    const { alerts } = (await fixture.call('GET', `/streams/${fixture.streamId('web')}/alerts`)).body;
    expect(alerts).toMatchObject([{ resolved_at: new Date(fixture.clock.now()).toISOString() }]);
  });

  test('a condition of another stream is not found here', async () => {
    const id = await fixture.condition('message_count');
    const other = `/streams/${fixture.streamId('audit')}/alerts/conditions/${id}`;
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await fixture.call(method, other)).status).toBe(404);
    }
  });

  test('everybody sees the conditions of streams they may read', async () => {
    await fixture.condition('message_count');
    await fixture.auth.addUser('anna', [`streams:read:${fixture.streamId('audit')}`]);
    expect((await fixture.call('GET', '/alerts/conditions', { as: 'anna' })).body.total).toBe(0);
  });

  test('pages of conditions are found by text and stream, and sorted', async () => {
    const { alertRules } = fixture.metadata.repositories;
    const ids: string[] = [];
    for (const [title, stream] of [
      ['Beta', 'web'],
      ['alpha', 'web'],
      ['Gamma', 'audit'],
    ] as const) {
      const rule = anAlertRule({ title, streams: [fixture.streamId(stream)] });
      ids.push((await alertRules.insert(rule)).id);
      fixture.clock.advance(1);
    }
    await fixture.auth.addUser('anna', [`streams:read:${fixture.streamId('audit')}`]);
    const titles = async (query: string, as = 'admin') => {
      const { body } = await fixture.call('GET', `/alerts/conditions/paginated?${query}`, { as });
      return [body.total, ...body.conditions.map(({ title }: { title: string }) => title)];
    };
    expect(await titles('')).toEqual([3, 'Gamma', 'Beta', 'alpha']);
    expect(await titles('sort=title&per_page=2')).toEqual([3, 'alpha', 'Beta']);
    expect(await titles('sort=title&per_page=2&page=2')).toEqual([3, 'Gamma']);
    expect(await titles('sort=created_at&order=desc')).toEqual([3, 'Gamma', 'alpha', 'Beta']);
    expect(await titles('query=BETA')).toEqual([1, 'Beta']);
    expect(await titles('query=audit')).toEqual([1, 'Gamma']);
    expect(await titles(`stream_id=${fixture.streamId('audit')}`)).toEqual([1, 'Gamma']);
    expect(await titles(`ids=${ids[1]}`)).toEqual([1, 'alpha']);
    expect(await titles(`ids=${ids[1]},${ids[2]}`, 'anna')).toEqual([1, 'Gamma']);
    expect(await titles('', 'anna')).toEqual([1, 'Gamma']);
    expect(await titles(`stream_id=${fixture.streamId('web')}`, 'anna')).toEqual([0]);
  });

  test('the types say how they are configured', async () => {
    const { body } = await fixture.call('GET', '/alerts/conditions/types');
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['message_count', 'field_value', 'field_content_value']),
    );
    expect(body.message_count).toMatchObject({
      type: 'message_count',
      name: 'Message Count Alert Condition',
      human_name: 'Message Count Alert Condition',
      requested_configuration: {
        time: { type: 'number', default_value: 5 },
        threshold_type: { type: 'dropdown', default_value: 'MORE' },
        threshold: { default_value: 0 },
        query: { default_value: '*' },
        grace: { default_value: 0 },
        backlog: { default_value: 0 },
        repeat_notifications: { type: 'boolean', default_value: false },
      },
    });
    expect(body.field_value.requested_configuration).toMatchObject({
      time: { default_value: 5 },
      threshold_type: { default_value: 'HIGHER' },
      threshold: { default_value: 0 },
      type: { default_value: 'MAX' },
    });
  });
});

describe('testing a condition', () => {
  const test1 = (body: unknown) => fixture.call('POST', `${base()}/test`, { body });

  test('evaluates it now, stored or not', async () => {
    await fixture.receive({});
    const parameters = { threshold: 0 };
    const expected = {
      triggered: true,
      description:
        'Stream had 1 message in the last 5 minutes with trigger condition MORE than 0 messages. (Current grace time: 0 minutes)',
      error: false,
      error_messages: [],
    };
    expect((await test1({ type: 'message_count', parameters })).body).toEqual(expected);
    const id = await fixture.condition('message_count', parameters);
    expect((await fixture.call('POST', `${base()}/${id}/test`)).body).toEqual(expected);
    expect((await test1({ type: 'message_count', parameters: { threshold: 1 } })).body.triggered).toBe(false);
    expect((await test1({ type: 'what', parameters: {} })).status).toBe(400);
  });
});

describe('what makes a condition true', () => {
  const MINUTE = 60_000;
  async function isTriggered(type: string, parameters: object): Promise<boolean> {
    const { body } = await fixture.call('POST', `${base()}/test`, { body: { type, parameters } });
    if (body.error !== false) throw new Error(JSON.stringify(body));
    return body.triggered;
  }

  test('message_count: more or fewer messages of the stream than the threshold in the time', async () => {
    const now = fixture.clock.now();
    await fixture.receive({ timestamp: now - 4 * MINUTE }, { timestamp: now - 6 * MINUTE }, { level: 3 }, {});
    await fixture.receive({ streams: ['audit'], indexSets: ['audit'] });
    const count = (threshold: number, rest: object = {}) =>
      isTriggered('message_count', { threshold, ...rest });
    expect(await count(2)).toBe(true);
    expect(await count(3)).toBe(false);
    expect(await count(3, { threshold_type: 'LESS' })).toBe(false);
    expect(await count(4, { threshold_type: 'LESS' })).toBe(true);
    expect(await count(3, { time: 10 })).toBe(true);
    expect(await count(0, { query: 'level:3' })).toBe(true);
    expect(await count(1, { query: 'level:3' })).toBe(false);
    expect(await count(1, { query: 'level:3 OR level:6' })).toBe(true);
  });

  test.each([
    ['MEAN', 30],
    ['MIN', 10],
    ['MAX', 50],
    ['SUM', 60],
    ['STDDEV', 20],
  ])('field_value: %s of a field is higher or lower than the threshold', async (type, value) => {
    await fixture.receive(
      { fields: { took: 10 } },
      { fields: { took: 50 } },
      { fields: { took: 'slow' } },
      {},
    );
    const field = (threshold: number, threshold_type: string) =>
      isTriggered('field_value', { field: 'took', type, threshold, threshold_type });
    expect(await field(value - 1, 'HIGHER')).toBe(true);
    expect(await field(value, 'higher')).toBe(false);
    expect(await field(value, 'LOWER')).toBe(false);
    expect(await field(value + 1, 'lower')).toBe(true);
  });

  test('field_value: never without numbers', async () => {
    await fixture.receive({ fields: { took: 'slow' } });
    for (const type of ['MEAN', 'MIN', 'MAX', 'SUM', 'STDDEV']) {
      for (const threshold_type of ['HIGHER', 'LOWER']) {
        for (const field of ['took', 'missing', 'source']) {
          const threshold = threshold_type === 'LOWER' ? 1e9 : -1e9;
          expect(await isTriggered('field_value', { field, type, threshold_type, threshold })).toBe(false);
        }
      }
    }
  });

  test('field_content_value: a message with that value since the last check', async () => {
    await fixture.receive({ fields: { 'app.name': 'web "shop" \\o/', n: 7 } });
    const content = (field: string, value: string) => isTriggered('field_content_value', { field, value });
    expect(await content('app.name', 'web "shop" \\o/')).toBe(true);
    expect(await content('app.name', 'web')).toBe(false);
    expect(await content('n', '7')).toBe(true);
    expect(await content('other', '7')).toBe(false);
    fixture.clock.advance(10_000);
    expect(await content('n', '7')).toBe(false);
  });
});
