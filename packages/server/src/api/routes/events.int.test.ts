/** Rules as event definitions, and what they have found as events. */
import { eventSearchSchema } from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_STREAM_ID } from '#core/index.ts';
import { type AlertsFixture, createAlertsFixture } from '#testing/alerts-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';

const server = useTestClickHouse();
let fixture: AlertsFixture;
beforeEach(async () => {
  fixture = await createAlertsFixture(server());
});
afterEach(() => fixture.close());

const call: AlertsFixture['call'] = (...request) => fixture.call(...request);
const base = '/events/definitions';

const definition = (changes: object = {}, config: object = {}) => ({
  title: 'Many errors',
  description: 'of one host',
  priority: 3,
  alert: true,
  config: {
    type: 'aggregation-v1',
    query: 'level:3',
    query_parameters: [],
    streams: [fixture.streamId('web'), fixture.streamId('audit')],
    group_by: ['source'],
    series: [{ id: 'count-', type: 'count', field: null }],
    conditions: {
      expression: {
        expr: '>',
        left: { expr: 'number-ref', ref: 'count-' },
        right: { expr: 'number', value: 1 },
      },
    },
    search_within_ms: 60_000,
    execute_every_ms: 5000,
    event_limit: 100,
    ...config,
  },
  field_spec: {},
  key_spec: [],
  notification_settings: { grace_period_ms: 120_000, backlog_size: 5 },
  notifications: [],
  storage: [],
  ...changes,
});

async function create(changes: object = {}, config: object = {}): Promise<string> {
  const created = await call('POST', base, { body: definition(changes, config) });
  if (created.status !== 200) throw new Error(created.text);
  return created.body.id;
}

describe('event definitions', () => {
  test('are created, read, replaced, copied, switched off and on, and deleted', async () => {
    const created = await call('POST', base, { body: definition() });
    expect(created.status).toBe(200);
    const { id } = created.body;
    expect(created.body).toMatchObject({
      ...definition({ storage: [{ type: 'persist-to-streams-v1', streams: [EVENT_STREAM_ID] }] }),
      config: { ...definition().config, series: [{ id: 'count-', type: 'count' }] },
      state: 'ENABLED',
    });
    expect((await call('GET', `${base}/${id}`)).body).toEqual(created.body);
    expect((await call('GET', `${base}/${id}/with-context`)).body.event_definition).toEqual(created.body);
    expect((await call('GET', base)).body).toMatchObject({ total: 1, event_definitions: [{ id }] });
    expect((await call('GET', `${base}/paginated?query=nothing`)).body).toMatchObject({ total: 0 });

    const changed = await call('PUT', `${base}/${id}`, { body: definition({ title: 'Other', priority: 1 }) });
    expect(changed.body).toMatchObject({ id, title: 'Other', priority: 1, config: created.body.config });
    const copy = (await call('POST', `${base}/${id}/duplicate`)).body;
    expect(copy).toMatchObject({ title: 'COPY-Other', state: 'DISABLED' });

    expect((await call('PUT', `${base}/${id}/unschedule`)).status).toBe(204);
    expect((await call('GET', `${base}/${id}`)).body.state).toBe('DISABLED');
    expect((await call('POST', `${base}/${id}/execute`)).status).toBe(400);
    expect((await call('PUT', `${base}/${id}/schedule`)).status).toBe(204);
    expect((await call('GET', `${base}/${id}`)).body.state).toBe('ENABLED');
    expect((await call('DELETE', `${base}/${id}`)).status).toBe(204);
    expect((await call('GET', `${base}/${id}`)).status).toBe(404);
  });

  test('several are switched off and on and deleted at once; what fails is said and stops nothing', async () => {
    const ids = [await create(), await create()];
    const bulk = async (action: string, as = 'admin') =>
      (await call('POST', `${base}/bulk_${action}`, { as, body: { entity_ids: [...ids, 'unknown'] } })).body;
    const states = async () => {
      const { event_definitions: all } = (await call('GET', base)).body;
      return all.map(({ state }: { state: string }) => state);
    };
    const unknown = { entity_id: 'unknown', failure_explanation: 'Event definition unknown not found!' };
    expect(await bulk('unschedule')).toEqual({ successfully_performed: 2, failures: [unknown], errors: [] });
    expect(await states()).toEqual(['DISABLED', 'DISABLED']);
    expect((await bulk('schedule')).successfully_performed).toBe(2);
    expect(await states()).toEqual(['ENABLED', 'ENABLED']);
    await fixture.auth.addUser('anna', [`eventdefinitions:delete:${ids[0]}`]);
    expect(await bulk('unschedule', 'anna')).toMatchObject({ successfully_performed: 0 });
    expect(await bulk('delete', 'anna')).toMatchObject({
      successfully_performed: 1,
      failures: [{ entity_id: ids[1], failure_explanation: expect.stringContaining('Not authorized') }, {}],
    });
    expect((await bulk('delete')).successfully_performed).toBe(1);
    expect((await call('GET', base)).body.total).toBe(0);
    expect((await call('POST', `${base}/bulk_delete`, { body: { entity_ids: [] } })).status).toBe(400);
  });

  test('the notices of one that wait to be sent can be cancelled', async () => {
    const notificationId = await fixture.addNotification();
    const notifications = [{ notification_id: notificationId }];
    const streams = [fixture.streamId('web')];
    const [id, other] = [
      await create({ notifications }, { streams }),
      await create({ notifications }, { streams }),
    ];
    await fixture.receive({ level: 3 }, { level: 3 });
    await fixture.pass(20_000);
    const waiting = async () => {
      const { alertDeliveries } = fixture.metadata.repositories;
      const { items } = await alertDeliveries.list({ states: ['pending'] }, { limit: 10, offset: 0 });
      return items.map(({ ruleId }) => ruleId);
    };
    expect((await waiting()).sort()).toEqual([id, other].sort());
    expect((await call('PUT', `${base}/${id}/clear-notification-queue`)).status).toBe(204);
    expect(await waiting()).toEqual([other]);
    expect((await call('PUT', `${base}/unknown/clear-notification-queue`)).status).toBe(404);
  });

  test('what is wrong is refused with its place, and validation says the same', async () => {
    const wrong = {
      series: [{ type: 'median' }],
      use_cron_scheduling: true,
      cron_expression: 'sometimes',
    };
    const refused = await call('POST', base, { body: definition({}, wrong) });
    expect([refused.status, refused.body.problems[0].path]).toEqual([400, 'parameters.series[0]']);
    const validated = await call('POST', `${base}/validate`, { body: definition({}, wrong) });
    expect(validated.body).toMatchObject({
      failed: true,
      errors: { 'config.series[0]': [expect.any(String)] },
    });
    // The second is well-formed, but no year has such a day.
    for (const expression of ['sometimes', '0 0 30 2 *']) {
      const cron = { use_cron_scheduling: true, cron_expression: expression };
      expect((await call('POST', base, { body: definition({}, cron) })).body.problems[0].path).toBe(
        'config.cron_expression',
      );
    }
    expect((await call('POST', base, { body: definition({}, { streams: ['nope'] }) })).status).toBe(400);
    expect((await call('POST', `${base}/validate`, { body: definition() })).body.failed).toBe(false);
  });

  test('a notification that is added must exist and be readable; one that was deleted later can stay', async () => {
    const own = await fixture.addNotification();
    const unlisted = await fixture.metadata.repositories.alertNotifications.insert({
      streamId: null,
      type: 'http',
      wireType: 'http-notification-v1',
      title: 'Not for anna',
      description: '',
      configuration: { url: 'http://127.0.0.1:1/' },
      creator: 'admin',
    });
    const using = (...ids: string[]) =>
      definition(
        { notifications: ids.map((id) => ({ notification_id: id })) },
        { streams: [fixture.streamId('web')] },
      );
    const unknown = await call('POST', base, { body: using(own, 'nope') });
    expect([unknown.status, unknown.body.problems]).toEqual([
      400,
      [{ path: 'notifications[1].notification_id', message: 'There is no notification "nope".' }],
    ]);
    expect((await call('POST', `${base}/validate`, { body: using('nope') })).body.errors).toEqual({
      'notifications[0].notification_id': ['There is no notification "nope".'],
    });

    await fixture.auth.addUser('anna', [
      'eventdefinitions:create',
      `streams:read:${fixture.streamId('web')}`,
    ]);
    const refused = await call('POST', base, { as: 'anna', body: using(unlisted.id) });
    expect([refused.status, refused.body.missing_permission]).toEqual([
      403,
      `eventnotifications:read:${unlisted.id}`,
    ]);
    const { id } = (await call('POST', base, { as: 'anna', body: using(own) })).body;
    expect((await call('PUT', `${base}/${id}`, { body: using(own, unlisted.id) })).status).toBe(200);
    const read = (await call('GET', `${base}/${id}`, { as: 'anna' })).body;
    expect((await call('PUT', `${base}/${id}`, { as: 'anna', body: read })).status).toBe(200);
    await fixture.metadata.repositories.alertNotifications.remove(own);
    expect((await call('PUT', `${base}/${id}`, { as: 'anna', body: read })).status).toBe(200);
    expect((await call('PUT', `${base}/${id}`, { body: using('nope') })).status).toBe(400);
  });

  test('conditions of streams are shown as aggregations, and stay what they are when nothing is changed', async () => {
    const id = await fixture.condition('message_count', { threshold: 7, time: 2, grace: 1 }, 'Count');
    const { body } = await call('GET', `${base}/${id}`);
    expect(body).toMatchObject({
      title: 'Count',
      config: {
        type: 'aggregation-v1',
        streams: [fixture.streamId('web')],
        series: [{ id: 'count()', type: 'count' }],
        conditions: { expression: { expr: '>', left: { ref: 'count()' }, right: { value: 7 } } },
        search_within_ms: 120_000,
      },
      notification_settings: { grace_period_ms: 60_000 },
    });
    await call('PUT', `${base}/${id}`, { body: { ...body, title: 'Renamed' } });
    const condition = `/streams/${fixture.streamId('web')}/alerts/conditions/${id}`;
    expect((await call('GET', condition)).body).toMatchObject({
      title: 'Renamed',
      type: 'message_count',
      parameters: { threshold: 7, time: 2, grace: 1 },
    });
    await call('PUT', `${base}/${id}`, {
      body: { ...body, config: { ...body.config, group_by: ['source'] } },
    });
    expect((await call('GET', condition)).body).toMatchObject({
      type: 'aggregation-v1',
      parameters: { group_by: ['source'] },
    });
  });

  test('nobody makes a rule over streams they may not read, or sees one', async () => {
    await fixture.auth.addUser('anna', [
      'eventdefinitions:create',
      `streams:read:${fixture.streamId('web')}`,
    ]);
    const as = 'anna';
    expect((await call('POST', base, { as, body: definition() })).status).toBe(403);
    expect((await call('POST', base, { as, body: definition({}, { streams: [] }) })).status).toBe(403);
    const streams = [fixture.streamId('web')];
    const own = await call('POST', base, { as, body: definition({}, { streams }) });
    expect(own.status).toBe(200);
    expect((await call('PUT', `${base}/${own.body.id}/unschedule`, { as })).status).toBe(204);
    const other = await create();
    expect((await call('GET', `${base}/${other}`, { as })).status).toBe(403);
    expect((await call('GET', base, { as })).body.total).toBe(1);
    expect((await call('DELETE', `${base}/${other}`, { as })).status).toBe(403);
  });
});

describe('events', () => {
  const find = (body: object = {}, as = 'admin') => call('POST', '/events/search', { as, body });

  test('an alert is an event and a message, once, and says when it is resolved', async () => {
    const id = await create();
    const range = { type: 'relative', range: 0 } as const;
    const countAnywhere = async () =>
      (await fixture.search.messages.find(fixture.admin, { query: '*', range, limit: 10 })).totalResults;
    const before = await countAnywhere();
    await fixture.receive(
      { level: 3, source: 'a' },
      { level: 3, source: 'a', streams: ['audit'], indexSets: ['audit'] },
      { level: 3, source: 'b' },
    );
    await fixture.pass(20_000);
    const filter = { event_definitions: [id] };
    const { body } = await find({ filter });
    expect(eventSearchSchema.parse(body)).toEqual(body);
    expect(body.total_events).toBe(1);
    const [{ event, index_name: index }] = body.events;
    expect(index).toBe('gl_events_0');
    expect(event).toMatchObject({
      event_definition_id: id,
      event_definition_type: 'aggregation-v1',
      priority: 3,
      alert: true,
      key: 'a',
      key_tuple: ['a'],
      group_by_fields: { source: 'a' },
      streams: [EVENT_STREAM_ID],
      resolved_at: null,
    });
    expect(event.source_streams.toSorted()).toEqual(
      [fixture.streamId('web'), fixture.streamId('audit')].toSorted(),
    );
    expect(event.message).toContain('Many errors: source "a": count- = 2');
    expect(body.context.event_definitions[id]).toMatchObject({ title: 'Many errors' });
    expect((await call('GET', `/events/${event.id}`)).body.event).toMatchObject({ id: event.id, key: 'a' });
    expect((await call('GET', '/events/unknown')).status).toBe(404);

    const inStream = { query: '*', range, streams: [EVENT_STREAM_ID], limit: 10 };
    const stored = await fixture.search.messages.find(fixture.admin, inStream);
    expect(stored.messages.filter((message) => message.id === event.id)).toHaveLength(1);
    // Ordinary searches, and with them rules over all streams, leave events out.
    expect(await countAnywhere()).toBe(before + 3);

    await fixture.pass(60_000);
    expect((await find({ filter })).body.events).toMatchObject([
      { event: { resolved_at: expect.any(String) } },
    ]);
  });

  test('can be filtered, and are seen by those who may read the rule', async () => {
    const alerting = await create({ title: 'A' }, { group_by: [], streams: [fixture.streamId('web')] });
    const recording = await create({ title: 'B', alert: false, notifications: [] }, { group_by: [] });
    // The tests of this file share the table of events.
    const own = { event_definitions: [alerting, recording] };
    await fixture.receive({ level: 3 }, { level: 3 });
    await fixture.pass(20_000);
    const total = async (body: object, as?: string) => (await find(body, as)).body.total_events;
    expect(await total({ filter: own })).toBe(2);
    expect(await total({ filter: { ...own, alerts: 'only' } })).toBe(1);
    expect(await total({ filter: { ...own, alerts: 'exclude' } })).toBe(1);
    expect(await total({ filter: { event_definitions: [alerting] } })).toBe(1);
    expect(await total({ query: 'event_definition_title:A', filter: own })).toBe(1);
    expect(await total({ query: 'nothing' })).toBe(0);
    expect((await find({ query: '*) OR (*' })).status).toBe(400);
    await fixture.auth.addUser('anna', [`streams:read:${fixture.streamId('web')}`]);
    await fixture.auth.addUser('bob', []);
    expect(await total({}, 'anna')).toBe(1);
    expect(await total({}, 'bob')).toBe(0);
    const [{ event }] = (await find({ filter: { ...own, alerts: 'exclude' } })).body.events;
    const refused = await call('GET', `/events/${event.id}`, { as: 'anna' });
    expect([refused.status, refused.body.missing_permission]).toEqual([
      403,
      expect.stringMatching(/^eventdefinitions:read:/),
    ]);
  });

  test('belong to the streams they came from, wherever their rule looks now', async () => {
    const [web, audit] = [fixture.streamId('web'), fixture.streamId('audit')];
    const moved = await create({}, { group_by: [], streams: [web] });
    const everywhere = await create({}, { group_by: [], streams: [] });
    await fixture.receive({ level: 3 }, { level: 3 });
    await fixture.pass(20_000);
    const body = definition({}, { group_by: [], streams: [audit] });
    expect((await call('PUT', `${base}/${moved}`, { body })).status).toBe(200);
    const users = {
      reader_of_web: [`streams:read:${web}`],
      reader_of_audit: [`streams:read:${audit}`],
      reader_of_rule: [`eventdefinitions:read:${moved}`],
      reader_of_all: ['streams:read'],
    };
    const seen: Record<string, unknown> = {};
    for (const [name, permissions] of Object.entries(users)) {
      await fixture.auth.addUser(name, permissions);
      const found = (await find({ filter: { event_definitions: [moved, everywhere] } }, name)).body;
      expect(found.events).toHaveLength(found.total_events);
      seen[name] = [
        found.total_events,
        Object.keys(found.context.event_definitions).length,
        Object.keys(found.context.streams),
      ];
    }
    expect(seen).toEqual({
      reader_of_web: [1, 0, [web]],
      reader_of_audit: [0, 0, []],
      reader_of_rule: [1, 1, []],
      reader_of_all: [2, 2, [web]],
    });
  });

  test('a filter makes every message an event, once, with computed fields; grace keeps notices away, not events', async () => {
    const notificationId = await fixture.addNotification();
    const spec = (template: string) => ({
      data_type: 'string',
      providers: [{ type: 'template-v1', template }],
    });
    const id = await create(
      {
        field_spec: { host: spec('${source.source}'), text: spec('${source.message}!') },
        key_spec: ['host'],
        notifications: [{ notification_id: notificationId }],
      },
      { group_by: [], series: [], conditions: {}, streams: [fixture.streamId('web')] },
    );
    await fixture.pass(60_000);
    const late = fixture.clock.now() - 50_000;
    await fixture.receive(
      { level: 3, source: 'a', message: 'first', timestamp: late },
      { level: 3, source: 'a', message: 'second' },
      { level: 3, source: 'b', message: 'third' },
      { level: 6, source: 'b', message: 'no match' },
    );
    await fixture.pass(30_000);
    await fixture.receive({ level: 3, source: 'b', message: 'fourth' });
    await fixture.pass(30_000);
    const { events } = (await find({ filter: { event_definitions: [id] }, sort_direction: 'asc' })).body;
    const shown = events.map(({ event }: { event: { key: string; fields: { text: string } } }) => [
      event.key,
      event.fields.text,
    ]);
    expect(new Set(shown.map(String))).toEqual(new Set(['a,first!', 'a,second!', 'b,third!', 'b,fourth!']));
    expect(shown).toHaveLength(4);
    expect(events[0].event).toMatchObject({
      origin_context: expect.stringMatching(/^urn:graylog:message:es:\S+_0:[0-9A-Z]{26}$/),
      resolved_at: expect.any(String),
      key_tuple: [events[0].event.key],
    });
    const notices = await fixture.notices();
    expect(notices.map(({ kind, description }) => [kind, description])).toEqual([
      ['triggered', 'A message matches: first'],
      ['triggered', 'A message matches: third'],
    ]);
    expect(notices[0]?.content).toMatchObject({ key: ['a'], fields: { host: 'a', text: 'first!' } });
    const { alerts } = (await call('GET', `/streams/${fixture.streamId('web')}/alerts`)).body;
    expect(alerts.every((each: { is_interval: boolean }) => !each.is_interval)).toBe(true);
    const lookup = { field_spec: { host: { providers: [{ type: 'lookup-v1' }] } } };
    expect((await call('POST', base, { body: definition(lookup) })).body.problems[0].path).toBe(
      'field_spec.host',
    );
  });

  test('a definition can be executed at once', async () => {
    const id = await create({}, { execute_every_ms: 3_600_000 });
    await fixture.receive({ level: 3 }, { level: 3 });
    fixture.clock.advance(1000);
    expect((await call('POST', `${base}/${id}/execute`)).status).toBe(204);
    await fixture.alerts.evaluateNow();
    expect((await find({ filter: { event_definitions: [id] } })).body.total_events).toBe(1);
    const matchedAt = new Date(fixture.clock.now()).toISOString();
    expect((await call('GET', `${base}/${id}`)).body.matched_at).toBe(matchedAt);
    expect((await call('GET', base)).body.elements[0].matched_at).toBe(matchedAt);
  });
});

describe('a preview on history', () => {
  test('says when it would have alerted and how often it would have told', async () => {
    const start = fixture.clock.now();
    const minute = 60_000;
    await fixture.receive({}, {}, {});
    fixture.clock.advance(10 * minute);
    await fixture.receive({}, {});
    fixture.clock.advance(10 * minute);
    const path = `/streams/${fixture.streamId('web')}/alerts/conditions/preview`;
    const body = { type: 'message_count', parameters: { time: 1, threshold: 1 }, hours: 0.5 };
    const preview = (await call('POST', path, { body })).body;
    expect(preview).toMatchObject({ threshold: 1, notifications: 2, step_ms: 10_000 });
    expect(preview.points).toHaveLength(180);
    expect(Math.max(...preview.points.map(([, value]: [number, number]) => value))).toBe(3);
    expect(preview.periods).toHaveLength(2);
    for (const [at, { from, to }] of preview.periods.entries()) {
      const began = start + at * 10 * minute;
      expect(from - began).toBeLessThanOrEqual(10_000);
      expect(to - began - minute).toBeLessThanOrEqual(10_000);
    }
    const grouped = {
      ...body,
      type: 'silence',
      parameters: { time: 5, known_for: 60, group_by: ['source'] },
    };
    expect((await call('POST', path, { body: grouped })).body.periods).toMatchObject([
      { key: ['host-1'] },
      { key: ['host-1'], to: null },
    ]);
  });

  test('says how far it is, and ends when nobody waits for it', async () => {
    const web = fixture.streamId('web');
    const path = `/streams/${web}/alerts/conditions/preview`;
    const body = { type: 'message_count', parameters: { time: 1, threshold: 1 }, hours: 0.5 };
    const events = await call('POST', path, { body, headers: { accept: 'text/event-stream' } });
    expect(events.headers['content-type']).toContain('text/event-stream');
    expect(events.text).toMatch(/^event: progress\ndata: \{"percent":\d+\}\n\n/);
    const [, result = ''] = /event: result\ndata: (.*)\n\n$/.exec(events.text) ?? [];
    expect(JSON.parse(result).points).toHaveLength(180);
    // What is wrong is answered as ever: nothing was sent yet.
    const wrong = { ...body, type: 'nonsense' };
    expect((await call('POST', path, { body: wrong, headers: { accept: 'text/event-stream' } })).status).toBe(
      400,
    );

    const seen: number[] = [];
    const leaving = new AbortController();
    const progress = (percent: number) => {
      seen.push(percent);
      leaving.abort();
    };
    const preview = fixture.alerts.conditions.preview(web, body, { signal: leaving.signal, progress });
    await expect(preview).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  test('the values around an alert', async () => {
    await fixture.condition('message_count');
    await fixture.receive({});
    await fixture.pass(20_000);
    const alerts = `/streams/${fixture.streamId('web')}/alerts`;
    const [{ id }] = (await call('GET', alerts)).body.alerts;
    const values = (await call('GET', `${alerts}/${id}/values`)).body;
    expect(values.points.at(-1)[1]).toBe(1);
    expect((await call('GET', `${alerts}/unknown/values`)).status).toBe(404);
  });
});
