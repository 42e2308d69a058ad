/** The two alert endpoints of the specification and those around them, over real messages. */
import { alertCheckSchema, triggeredAlertListSchema } from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anAlert } from '#testing/alert-records.ts';
import { type AlertsFixture, createAlertsFixture } from '#testing/alerts-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MINUTE = 60_000;

const server = useTestClickHouse();
let fixture: AlertsFixture;
beforeEach(async () => {
  fixture = await createAlertsFixture(server());
});
afterEach(() => fixture.close());

const base = () => `/streams/${fixture.streamId('web')}/alerts`;
const get = (path: string) => fixture.call('GET', path);
const seconds = () => Math.floor(fixture.clock.now() / 1000);

checkRoutes(() => ({ routes: fixture.routes, ...servedBy(fixture.auth) }), { runsPerOperation: 10 });

describe('GET /streams/{id}/alerts/check', () => {
  test('describes each condition and whether it triggers', async () => {
    const parameters = {
      field: 'took_ms',
      grace: 1,
      time: 2,
      backlog: 3,
      threshold_type: 'lower',
      type: 'mean',
      threshold: 20,
    };
    const createdAt = new Date(fixture.clock.now()).toISOString();
    const id = await fixture.condition('field_value', parameters, 'Slow');
    await fixture.receive({ fields: { took_ms: 10 } }, { fields: { took_ms: 12 } });
    const { status, body } = await get(`${base()}/check`);
    expect(status).toBe(200);
    expect(alertCheckSchema.parse(body)).toEqual(body);
    expect(body).toEqual({
      total_triggered: 1,
      calculated_at: createdAt,
      results: [
        {
          triggered: true,
          alert_description:
            'Field took_ms had a MEAN of 11 in the last 2 minutes with trigger condition LOWER than 20. (Current grace time: 1 minute)',
          condition: {
            id,
            in_grace: false,
            created_at: createdAt,
            creator_user_id: 'admin',
            type: 'field_value',
            title: 'Slow',
            parameters: { ...parameters, query: '*', repeat_notifications: false },
            grace: 1,
            backlog: 3,
            description:
              'time: 2, field: took_ms, check type: mean, threshold_type: lower, threshold: 20, grace: 1, repeat notifications: false',
            stream_id: fixture.streamId('web'),
            revision: expect.any(String),
            state: expect.objectContaining({ failures: 0, last_error: null }),
          },
        },
      ],
    });
    expect(id).toMatch(UUID);
    expect(createdAt).toMatch(TIME);
  });

  test('counts those that trigger, and records nothing', async () => {
    await fixture.condition('message_count', { threshold: 1, threshold_type: 'more' });
    fixture.clock.advance(1);
    await fixture.condition('message_count', { threshold: 2 });
    fixture.clock.advance(1);
    await fixture.condition('field_content_value', { field: 'app', value: 'shop' });
    await fixture.receive({ fields: { app: 'shop' } }, { fields: { app: 'bar' } });
    const { body } = await get(`${base()}/check`);
    expect(body.total_triggered).toBe(2);
    expect(body.results.map(({ triggered }: { triggered: boolean }) => triggered)).toEqual([
      true,
      false,
      true,
    ]);
    expect(body.results[1]).not.toHaveProperty('alert_description');
    expect((await get(base())).body).toEqual({ total: 0, alerts: [] });
  });

  test('the answer is kept for 30 seconds, even if conditions change', async () => {
    await fixture.condition('message_count');
    const first = (await get(`${base()}/check`)).body;
    expect(first.total_triggered).toBe(0);
    await fixture.receive({});
    await fixture.condition('message_count');
    fixture.clock.advance(29_999);
    expect((await get(`${base()}/check`)).body).toEqual(first);
    fixture.clock.advance(1);
    const second = (await get(`${base()}/check`)).body;
    expect(second.total_triggered).toBe(2);
    expect(second.calculated_at).toBe(new Date(fixture.clock.now()).toISOString());
    expect(second.calculated_at).not.toBe(first.calculated_at);
  });

  test('a stream without conditions has no results; an unknown stream is not found', async () => {
    expect((await get(`${base()}/check`)).body).toEqual({
      total_triggered: 0,
      results: [],
      calculated_at: new Date(fixture.clock.now()).toISOString(),
    });
    expect((await get('/streams/aaaaaaaaaaaaaaaaaaaaaaaa/alerts/check')).status).toBe(404);
  });

  test('in_grace is true after the alert was resolved, until the grace time is over', async () => {
    await fixture.condition('message_count', { time: 1, grace: 2 });
    const inGrace = async () => {
      fixture.clock.advance(30_000);
      return (await get(`${base()}/check`)).body.results[0].condition.in_grace;
    };
    await fixture.receive({});
    await fixture.pass(20_000);
    expect(await inGrace()).toBe(false);
    await fixture.pass(MINUTE);
    expect((await get(base())).body.alerts[0].resolved_at).toMatch(TIME);
    expect(await inGrace()).toBe(true);
    await fixture.pass(2 * MINUTE);
    expect(await inGrace()).toBe(false);
  });
});

test('a rule that only records events gives no alerts and triggers no check; its events are found', async () => {
  const created = await fixture.call('POST', '/events/definitions', {
    body: {
      title: 'Only recorded',
      alert: false,
      config: {
        type: 'aggregation-v1',
        query: '*',
        streams: [fixture.streamId('web')],
        series: [{ id: 'count-', type: 'count' }],
        conditions: {
          expression: {
            expr: '>',
            left: { expr: 'number-ref', ref: 'count-' },
            right: { expr: 'number', value: 0 },
          },
        },
        search_within_ms: MINUTE,
        execute_every_ms: 5000,
      },
    },
  });
  expect(created.status).toBe(200);
  const recording = created.body.id;
  const alerting = await fixture.condition('message_count', { time: 1 });
  await fixture.receive({});
  await fixture.pass(20_000);
  const lists = [base(), `${base()}/paginated`, '/streams/alerts', '/streams/alerts/paginated'];
  for (const list of [...lists, `${base()}/paginated?state=unresolved`]) {
    expect((await get(list)).body).toMatchObject({ total: 1, alerts: [{ condition_id: alerting }] });
  }
  expect((await get(`${base()}/paginated?condition_id=${recording}`)).body.total).toBe(0);
  expect((await get(`${base()}/check`)).body).toMatchObject({
    total_triggered: 1,
    results: [{ condition: { id: alerting }, triggered: true }],
  });
  const filter = { event_definitions: [recording] };
  const found = await fixture.call('POST', '/events/search', { body: { filter } });
  expect(found.body).toMatchObject({ total_events: 1, events: [{ event: { alert: false } }] });
  const [{ event }] = found.body.events;
  expect((await get(`/events/${event.id}`)).body.event).toMatchObject({ id: event.id, alert: false });
  expect((await get(`/events/definitions/${recording}`)).body.matched_at).toMatch(TIME);
});

describe('GET /streams/{id}/alerts', () => {
  test('has every field of a triggered alert', async () => {
    const id = await fixture.condition('message_count', { threshold: 1, grace: 5 }, 'Many');
    const since = seconds();
    await fixture.receive({}, {}, {});
    await fixture.pass(20_000);
    const { status, body } = await get(`${base()}?since=${since}`);
    expect(status).toBe(200);
    expect(triggeredAlertListSchema.parse(body)).toEqual(body);
    expect(body.total).toBe(1);
    const [alert] = body.alerts;
    expect(alert).toEqual({
      id: expect.any(String),
      condition_id: id,
      condition_parameters: {
        time: 5,
        threshold_type: 'MORE',
        threshold: 1,
        query: '*',
        grace: 5,
        backlog: 0,
        repeat_notifications: false,
      },
      description:
        'Stream had 3 messages in the last 5 minutes with trigger condition MORE than 1 messages. (Current grace time: 5 minutes)',
      triggered_at: expect.stringMatching(TIME),
      resolved_at: null,
      stream_id: fixture.streamId('web'),
      is_interval: true,
      title: 'Many',
      key: {},
      condition_type: 'message_count',
      stream_ids: [fixture.streamId('web')],
      window: { from: expect.stringMatching(TIME), to: expect.stringMatching(TIME) },
    });
    expect((await get(`/streams/alerts/${alert.id}`)).body).toEqual(alert);
    expect((await get('/streams/alerts/unknown')).status).toBe(404);
  });

  test('returns at most 300, newest first, and total counts those returned', async () => {
    const streams = [fixture.streamId('web')];
    const { alerts } = fixture.metadata.repositories;
    for (let at = 0; at < 310; at++) {
      await alerts.insert(anAlert({ id: `alert ${at}`, triggeredAt: 1_000_000 + at * 1000, streams }));
    }
    const all = (await get(base())).body;
    expect(all.total).toBe(300);
    expect(all.alerts.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 300 }, (_, at) => `alert ${309 - at}`),
    );
    expect((await get(`${base()}?limit=1000`)).body.total).toBe(300);
    const some = (await get(`${base()}?since=1307`)).body;
    expect([some.total, some.alerts.at(-1).id]).toEqual([3, 'alert 307']);
    expect((await get(`${base()}?since=1307&limit=2`)).body.total).toBe(2);
    expect((await get(`${base()}?since=1307.5`)).body.total).toBe(2);
    expect((await get(`${base()}?since=yesterday`)).status).toBe(400);
    expect((await get(`${base()}?limit=0`)).status).toBe(400);
    const page = (await get(`${base()}/paginated?skip=305&limit=10`)).body;
    expect([page.total, page.alerts.length]).toEqual([310, 5]);
    await alerts.resolve('alert 5', 2_000_000);
    for (const [state, total] of Object.entries({ resolved: 1, unresolved: 309, any: 310, what: 310 })) {
      expect((await get(`${base()}/paginated?state=${state}&limit=1`)).body.total).toBe(total);
    }
  });

  test('over all streams, everybody sees the alerts of streams they may read', async () => {
    const { alerts } = fixture.metadata.repositories;
    for (const title of ['web', 'audit']) {
      await alerts.insert(anAlert({ id: title, ruleId: title, streams: [fixture.streamId(title)] }));
    }
    await fixture.auth.addUser('anna', [`streams:read:${fixture.streamId('audit')}`]);
    const ids = async (path: string, as: string) =>
      (await fixture.call('GET', path, { as })).body.alerts.map(({ id }: { id: string }) => id).sort();
    for (const path of ['/streams/alerts', '/streams/alerts/paginated']) {
      expect(await ids(path, 'admin')).toEqual(['audit', 'web']);
      expect(await ids(path, 'anna')).toEqual(['audit']);
    }
    for (const part of ['', '/values']) {
      const refused = await fixture.call('GET', `/streams/alerts/web${part}`, { as: 'anna' });
      expect([refused.status, refused.body.missing_permission]).toEqual([
        403,
        expect.stringMatching(/^streams:read(?::|$)/),
      ]);
      expect((await fixture.call('GET', `/streams/alerts/audit${part}`, { as: 'anna' })).status).toBe(200);
      expect((await fixture.call('GET', `/streams/alerts/unknown${part}`)).status).toBe(404);
    }
    const ofStream = (title: string) => `/streams/alerts/paginated?stream_id=${fixture.streamId(title)}`;
    expect(await ids(ofStream('web'), 'admin')).toEqual(['web']);
    expect(await ids(ofStream('audit'), 'anna')).toEqual(['audit']);
    expect(await ids(ofStream('web'), 'anna')).toEqual([]);
  });

  test('pages are found by text and condition, and sorted', async () => {
    const { alerts } = fixture.metadata.repositories;
    const streams = [fixture.streamId('web')];
    for (const [at, title] of ['Disk', 'Mail', 'apple'].entries()) {
      await alerts.insert(anAlert({ id: title, ruleId: title, title, triggeredAt: 1000 + at, streams }));
    }
    const ids = async (query: string) => {
      const { body } = await get(`/streams/alerts/paginated?${query}`);
      return [body.total, ...body.alerts.map(({ id }: { id: string }) => id)];
    };
    expect(await ids('query=%20DISK%20')).toEqual([1, 'Disk']);
    expect(await ids('condition_id=Mail')).toEqual([1, 'Mail']);
    expect(await ids('sort=title&order=asc&limit=2')).toEqual([3, 'apple', 'Disk']);
    expect(await ids('sort=title&order=asc&skip=2')).toEqual([3, 'Mail']);
    expect(await ids('query=nothing')).toEqual([0]);
    expect((await get('/streams/alerts/paginated?sort=content')).status).toBe(400);
  });

  test('an alert can be resolved by hand, once', async () => {
    await fixture.condition('message_count');
    await fixture.receive({});
    await fixture.pass(20_000);
    const [open] = (await get(base())).body.alerts;
    const resolved = await fixture.call('PUT', `${base()}/${open.id}/resolve`);
    expect(resolved.body).toEqual({ ...open, resolved_at: new Date(fixture.clock.now()).toISOString() });
    fixture.clock.advance(1000);
    expect((await fixture.call('PUT', `${base()}/${open.id}/resolve`)).body).toEqual(resolved.body);
    const other = `/streams/${fixture.streamId('audit')}/alerts/${open.id}/resolve`;
    expect((await fixture.call('PUT', other)).status).toBe(404);
  });
});
