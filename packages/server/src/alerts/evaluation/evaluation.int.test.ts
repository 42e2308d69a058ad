/** The life of an alert, over real messages. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AlertsFixture, CHECK_INTERVAL_MS, createAlertsFixture } from '#testing/alerts-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';

const MINUTE = 60_000;
const server = useTestClickHouse();
let fixture: AlertsFixture;
beforeEach(async () => {
  fixture = await createAlertsFixture(server());
  await fixture.addNotification();
});
afterEach(() => fixture.close());

/** Whether each alert is open, newest first. */
async function open(): Promise<boolean[]> {
  const { body } = await fixture.call('GET', `/streams/${fixture.streamId('web')}/alerts`);
  return body.alerts.map(({ resolved_at }: { resolved_at: string | null }) => resolved_at === null);
}

async function noticeKinds(): Promise<string[]> {
  return (await fixture.notices()).map(({ kind }) => kind);
}

describe('the state machine', () => {
  test('true: a new alert and one notice; still true: nothing; false: resolved; true again: the next alert', async () => {
    await fixture.condition('message_count', { time: 1 });
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    expect([await open(), await noticeKinds()]).toEqual([[true], ['triggered']]);
    await fixture.pass(30_000);
    expect([await open(), await noticeKinds()]).toEqual([[true], ['triggered']]);
    await fixture.pass(30_000);
    expect([await open(), await noticeKinds()]).toEqual([[false], ['triggered', 'resolved']]);
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    expect(await open()).toEqual([true, false]);
    expect(await noticeKinds()).toEqual(['triggered', 'resolved', 'triggered']);
  });

  test('grace counts from the end of the alert; it stays quiet until then', async () => {
    await fixture.condition('message_count', { time: 1, grace: 3 });
    await fixture.receive({});
    await fixture.pass(90_000);
    expect(await open()).toEqual([false]);
    await fixture.receive({});
    await fixture.pass(MINUTE);
    expect(await open()).toEqual([false]);
    await fixture.pass(2 * MINUTE);
    await fixture.receive({});
    await fixture.pass(20_000);
    expect([await open(), await noticeKinds()]).toEqual([
      [true, false],
      ['triggered', 'resolved', 'triggered'],
    ]);
  });

  test('repeated notices: at every check without grace, after the grace time with it', async () => {
    await fixture.condition('message_count', { time: 5, repeat_notifications: true });
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    const before = (await noticeKinds()).length;
    await fixture.pass(3 * CHECK_INTERVAL_MS);
    expect((await noticeKinds()).length - before).toBe(3);
    expect(new Set((await noticeKinds()).slice(1))).toEqual(new Set(['repeated']));
    expect(await open()).toEqual([true]);
  });

  test('with grace, a repeated notice follows after the grace time', async () => {
    await fixture.condition('message_count', { time: 5, repeat_notifications: true, grace: 1 });
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS + 2 * MINUTE);
    expect(await noticeKinds()).toEqual(['triggered', 'repeated', 'repeated']);
  });

  test('a paused stream is skipped, and what happened meanwhile is not evaluated later', async () => {
    await fixture.condition('field_content_value', { field: 'app', value: 'shop' });
    const { streams } = fixture.metadata.repositories;
    const id = fixture.streamId('web');
    await streams.setState(id, 'paused', null);
    await fixture.receive({ fields: { app: 'shop' } });
    await fixture.pass(MINUTE);
    await streams.setState(id, 'running', null);
    await fixture.pass(MINUTE);
    expect(await open()).toEqual([]);
  });

  test('a muted condition alerts without telling anybody', async () => {
    const id = await fixture.condition('message_count', { time: 1 });
    const path = `/streams/${fixture.streamId('web')}/alerts/conditions/${id}`;
    expect((await fixture.call('PUT', `${path}/mute`, { body: { minutes: 10 } })).status).toBe(204);
    expect((await fixture.call('GET', path)).body.state.muted_until).toBe(
      new Date(fixture.clock.now() + 10 * MINUTE).toISOString(),
    );
    await fixture.receive({});
    await fixture.pass(30_000);
    expect([await open(), await noticeKinds()]).toEqual([[true], []]);
    await fixture.call('PUT', `${path}/mute`, { body: { minutes: 0 } });
    await fixture.pass(MINUTE);
    expect([await open(), await noticeKinds()]).toEqual([[false], ['resolved']]);
  });

  test('an alert that ends by hand, or with its rule, is told like any other end', async () => {
    const ids = [await fixture.condition('message_count'), await fixture.condition('message_count')];
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    const stream = `/streams/${fixture.streamId('web')}/alerts`;
    const { alerts } = (await fixture.call('GET', stream)).body;
    const first = alerts.find(({ condition_id: id }: { condition_id: string }) => id === ids[0]);
    for (let time = 0; time < 2; time++) await fixture.call('PUT', `${stream}/${first.id}/resolve`);
    fixture.clock.advance(1000);
    await fixture.call('DELETE', `${stream}/conditions/${ids[1]}`);
    const told = (await fixture.notices()).slice(2).map(({ kind, description }) => [kind, description]);
    expect(told).toEqual([
      ['resolved', expect.stringMatching(/^Resolved by hand by admin\. It was: Stream had 1 message/)],
      [
        'resolved',
        expect.stringMatching(/^The alert rule was deleted by admin\. It was: Stream had 1 message/),
      ],
    ]);
    expect(await open()).toEqual([false, false]);
  });

  test('the notice says everything: rule, condition, window, values and the newest messages', async () => {
    const id = await fixture.condition('message_count', { backlog: 2, query: 'level:3', grace: 5 }, 'Errors');
    await fixture.receive(
      { level: 3, message: 'first' },
      { level: 3, message: 'second', timestamp: fixture.clock.now() + 1 },
      { level: 3, message: 'third', timestamp: fixture.clock.now() + 2, fields: { app: 'shop' } },
      { level: 6, message: 'other', timestamp: fixture.clock.now() + 3 },
    );
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    const [notice] = await fixture.notices();
    expect(notice?.content).toMatchObject({
      kind: 'triggered',
      rule: { id, title: 'Errors', creator: 'admin', graceMs: 5 * MINUTE, backlogSize: 2 },
      condition: { type: 'message_count', parameters: { query: 'level:3' } },
      streams: [{ id: fixture.streamId('web'), title: 'web' }],
      query: 'level:3',
      values: { 'count()': 3 },
      backlog: [
        { message: 'third', source: 'host-1', fields: { app: 'shop', level: 3 } },
        { message: 'second' },
      ],
    });
  });
});

describe('late messages and messages that are on their way', () => {
  test('a content condition sees each message once, however late it is', async () => {
    await fixture.condition('field_content_value', { field: 'app', value: 'shop' });
    await fixture.pass(MINUTE);
    await fixture.receive({ timestamp: fixture.clock.now() - 10 * MINUTE, fields: { app: 'shop' } });
    await fixture.pass(3 * CHECK_INTERVAL_MS);
    expect(await open()).toEqual([false]);
  });

  test('within the allowed lateness, a message counts in the window of its own time', async () => {
    await fixture.condition('message_count', { time: 1, threshold: 1, lateness: 30 });
    await fixture.pass(2 * MINUTE);
    const then = fixture.clock.now();
    await fixture.receive({});
    await fixture.pass(20_000);
    await fixture.receive({ timestamp: then });
    await fixture.pass(3 * MINUTE);
    expect(await open()).toEqual([false]);
  });

  test('while messages wait in the journal, evaluation waits for them', async () => {
    await fixture.condition('message_count', { time: 1, threshold_type: 'LESS', threshold: 1 });
    await fixture.receive({});
    const then = fixture.clock.now();
    fixture.storedUntil(then);
    await fixture.pass(5 * MINUTE);
    expect(await open()).toEqual([]);
    for (let at = then; at < fixture.clock.now(); at += 10_000) {
      await fixture.store([{ streams: ['web'], indexSets: ['web'], timestamp: at, receivedAt: at }]);
    }
    fixture.storedUntil(undefined);
    await fixture.pass(20_000);
    expect(await open()).toEqual([]);
    await fixture.pass(2 * MINUTE);
    expect(await open()).toEqual([true]);
  });
});

describe('an evaluation that fails', () => {
  const stateOf = async (id: string) =>
    (await fixture.call('GET', `/streams/${fixture.streamId('web')}/alerts/conditions/${id}`)).body.state;

  test('is a state of the rule and a notification, the third in a row a notice; later it catches up', async () => {
    const id = await fixture.condition('field_content_value', { field: 'app', value: 'shop' });
    const { clickhouse, database } = server();
    const indexSet = fixture.storage.indexSets.defaultId();
    const targets = fixture.storage.searchTargets();
    const table = targets.find(({ indexSetId }) => indexSetId === indexSet)?.table ?? '';
    await fixture.receive({ fields: { app: 'shop' } });
    await clickhouse.commandOnEach(`RENAME TABLE ${database}.${table} TO ${database}.away`);
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    const state = await stateOf(id);
    expect(state.failures).toBeGreaterThan(0);
    expect(state.last_error).toContain(table);
    expect(await fixture.notifications.list()).toMatchObject([{ type: 'alert_evaluation_failed', key: id }]);
    await fixture.pass(30_000);
    const failed = (await fixture.notices()).filter(({ kind }) => kind === 'evaluation_failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.description).toContain('could not be evaluated 3 times in a row');

    await clickhouse.commandOnEach(`RENAME TABLE ${database}.away TO ${database}.${table}`);
    await fixture.pass(30_000);
    expect(await fixture.notifications.list()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ failures: 0, last_error: null });
    expect(await open()).toEqual([false]);
  });

  test('a rule that cannot be read says so, and the others go on', async () => {
    const { alertRules } = fixture.metadata.repositories;
    const id = await fixture.condition('message_count');
    const record = await alertRules.find(id);
    if (record === undefined) throw new Error('the condition is gone');
    await alertRules.update(id, { ...record, condition: { type: 'of a newer version', parameters: {} } });
    await fixture.condition('message_count');
    await fixture.receive({});
    await fixture.pass(2 * CHECK_INTERVAL_MS);
    expect(await open()).toEqual([true]);
    expect(await fixture.notifications.list()).toMatchObject([{ type: 'alert_evaluation_failed', key: id }]);
    expect(await alertRules.states(id)).toMatchObject([
      { failures: 1, lastError: expect.stringContaining('of a newer version') },
    ]);
  });
});
