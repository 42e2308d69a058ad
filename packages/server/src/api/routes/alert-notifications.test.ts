import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNotificationsService, type NotificationsService } from '#alerts/notifications/service.ts';
import { createSecretCipher, Secret } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { aNotice } from '#testing/alert-notice.ts';
import { anAlert } from '#testing/alert-records.ts';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import { startSmtpReceiver } from '#testing/smtp-receiver.ts';
import type { Route } from '../route.ts';
import { alarmCallbackRoutes } from './alarm-callbacks.ts';
import { eventNotificationRoutes } from './event-notifications.ts';

const EMAIL = 'org.graylog2.alarmcallbacks.EmailAlarmCallback';
const HTTP = 'org.graylog2.alarmcallbacks.HTTPAlarmCallback';
const UNKNOWN = 'cccccccccccccccccccccccc';

let fixture: AuthFixture;
let metadata: Metadata;
let service: NotificationsService;
let routes: Route[];
let streamId: string;

async function open(mailPort?: number): Promise<void> {
  const clock = new ManualClock();
  metadata = await openTestMetadata(clock);
  ({ id: streamId } = await metadata.repositories.streams.insert(
    {
      title: 'Shop',
      description: '',
      creator: 'anna',
      matchingType: 'AND',
      removeMatches: false,
      indexSetId: 'set',
      state: 'running',
      contentPack: null,
    },
    [],
  ));
  fixture = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      service = createNotificationsService(
        {
          metadata,
          audit,
          cipher: createSecretCipher(new Secret('a secret of this test')),
          notifications: { publish: async () => true, fix: async () => true },
          findStream: async () => undefined,
          isLeader: () => false,
          metrics: createMetrics({ clock }),
          clock,
          logger: pino({ level: 'silent' }),
        },
        {
          nodeId: 'node-1',
          mail:
            mailPort === undefined
              ? undefined
              : {
                  host: '127.0.0.1',
                  port: mailPort,
                  auth: undefined,
                  security: 'none',
                  from: 'm@example.org',
                },
          webInterface: () => 'https://logs.example.org/',
          allowedNetworks: ['127.0.0.1'],
          scriptsFolder: undefined,
          limits: { perRule: 10, perNotification: 10, total: 10 },
          root: { username: 'admin', email: 'admin@example.org', timezone: 'UTC' },
        },
      );
      routes = [...alarmCallbackRoutes(service), ...eventNotificationRoutes(service)];
      return routes;
    },
  });
}

beforeEach(() => open());
afterEach(() => fixture.close());

const call: AuthFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

async function createCallback(body: Record<string, unknown>): Promise<string> {
  const created = await call('POST', `/streams/${streamId}/alarmcallbacks`, { body });
  expect(created.status, created.text).toBe(201);
  return created.body.alarmcallback_id;
}

checkRoutes(() => ({ routes, ...servedBy(fixture) }));

describe('alarm callbacks of a stream', () => {
  test('are created, read, changed and removed', async () => {
    const configuration = {
      subject: 'Alert: ${stream.title}',
      body: 'Hi ${check_result.resultDescription}',
      email_receivers: ['ops@example.org'],
      user_receivers: ['admin'],
    };
    const id = await createCallback({ type: EMAIL, title: 'Mail', configuration });
    const path = `/streams/${streamId}/alarmcallbacks`;
    const { body: list } = await call('GET', path);
    expect(list.total).toBe(1);
    expect(list.alarmcallbacks[0]).toMatchObject({
      id,
      stream_id: streamId,
      type: EMAIL,
      title: 'Mail',
      creator_user_id: 'admin',
      created_at: '2026-01-01T00:00:00.000Z',
      configuration,
    });
    expect((await call('GET', `${path}/${id}`)).body).toEqual(list.alarmcallbacks[0]);
    expect((await call('GET', '/alerts/callbacks')).body).toEqual(list);

    const changed = { type: HTTP, title: null, configuration: { url: 'https://example.org/x' } };
    expect((await call('PUT', `${path}/${id}`, { body: changed })).status).toBe(204);
    const { body: after } = await call('GET', `${path}/${id}`);
    expect(after).toMatchObject({ type: HTTP, title: null, configuration: { url: 'https://example.org/x' } });
    expect(after.configuration.payload).toBe('alarm_callback');

    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
  });

  test('a change made from an older revision is refused, whichever way it was read', async () => {
    const configuration = { url: 'https://example.org/x' };
    const id = await createCallback({ type: HTTP, title: 'Hook', configuration });
    const path = `/streams/${streamId}/alarmcallbacks/${id}`;
    const { revision } = (await call('GET', path)).body;
    expect((await call('GET', `/events/notifications/${id}`)).body.revision).toBe(revision);
    const change = (title: string, from: string | null) =>
      call('PUT', path, { body: { type: HTTP, title, configuration, revision: from } });
    expect((await change('Theirs', revision)).status).toBe(204);
    const refused = await change('Mine', revision);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Theirs')]);
    const config = { type: 'http-notification-v1', ...configuration };
    const asEvent = { title: 'Mine', config, revision };
    expect((await call('PUT', `/events/notifications/${id}`, { body: asEvent })).status).toBe(409);
    expect((await call('GET', path)).body.title).toBe('Theirs');
    expect((await change('Mine', null)).status).toBe(204);
    const { title, revision: now } = (await call('GET', path)).body;
    expect(title).toBe('Mine');
    const answers = await Promise.all([change('One', now), change('Other', now)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('unknown types, bad configurations and unknown streams are refused', async () => {
    const path = `/streams/${streamId}/alarmcallbacks`;
    const unknown = await call('POST', path, { body: { type: 'org.example.Pigeon', configuration: {} } });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('EmailAlarmCallback')]);
    const bad = await call('POST', path, {
      body: { type: EMAIL, configuration: { email_receivers: ['nonsense'], body: '${if x}' } },
    });
    expect(bad.status).toBe(400);
    expect(bad.body.problems.map(({ path }: { path: string }) => path)).toEqual([
      'configuration.email_receivers[0]',
      'configuration.body',
    ]);
    const script = await call('POST', path, {
      body: { type: 'script-notification-v1', configuration: { script_path: 'x.sh' } },
    });
    expect([script.status, script.text]).toEqual([400, expect.stringContaining('notification_scripts_dir')]);
    const body = { type: HTTP, configuration: { url: 'https://example.org/' } };
    expect((await call('POST', `/streams/${UNKNOWN}/alarmcallbacks`, { body })).status).toBe(404);
  });

  test('the types are listed with the names of their fields', async () => {
    const { body } = await call('GET', '/alerts/callbacks/types');
    // There is no mail server.
    expect(body.types[EMAIL]).toMatchObject({ name: 'E-mail', is_enabled: false });
    expect(Object.keys(body.types[EMAIL].requested_configuration)).toEqual(
      expect.arrayContaining(['sender', 'subject', 'body', 'user_receivers', 'email_receivers']),
    );
    expect(body.types['script-notification-v1'].is_enabled).toBe(false);
    const available = await call('GET', `/streams/${streamId}/alarmcallbacks/available`);
    expect(available.body).toEqual(body);
  });

  test('a test call says whether it arrived', async () => {
    const receiver = await startHttpReceiver();
    const id = await createCallback({ type: HTTP, configuration: { url: receiver.url } });
    const tested = await call('POST', `/alerts/callbacks/${id}/test`);
    expect([tested.status, tested.text]).toEqual([200, '']);
    expect(JSON.parse(receiver.calls[0]?.body ?? '')).toMatchObject({
      stream: { id: streamId, title: 'Shop' },
      kind: 'test',
    });
    expect((await call('POST', `/streams/${streamId}/alerts/sendDummyAlert`)).status).toBe(204);
    expect(receiver.calls).toHaveLength(2);
    receiver.answer(503, {}, 'closed');
    const failed = await call('POST', `/alerts/callbacks/${id}/test`);
    expect([failed.status, failed.body.message]).toEqual([500, expect.stringContaining('503: closed')]);
    expect((await call('POST', `/streams/${streamId}/alerts/sendDummyAlert`)).status).toBe(500);
  });

  test('a dummy alert needs a notification', async () => {
    expect((await call('POST', `/streams/${streamId}/alerts/sendDummyAlert`)).status).toBe(400);
  });

  test('receivers are those of the e-mail notification', async () => {
    const path = `/streams/${streamId}/alerts/receivers`;
    const receiver = (entity: string, type: string) =>
      `${path}?entity=${encodeURIComponent(entity)}&type=${type}`;
    expect((await call('POST', receiver('a@example.org', 'emails'))).status).toBe(400);
    const id = await createCallback({ type: EMAIL, configuration: {} });
    expect((await call('POST', receiver('a@example.org', 'emails'))).status).toBe(201);
    expect((await call('POST', receiver('a@example.org', 'emails'))).status).toBe(201);
    expect((await call('POST', receiver('admin', 'users'))).status).toBe(201);
    expect((await call('POST', receiver('nonsense', 'emails'))).body.problems[0].path).toBe('entity');
    expect((await call('POST', receiver('x', 'pigeons'))).status).toBe(400);
    const configuration = async () =>
      (await call('GET', `/streams/${streamId}/alarmcallbacks/${id}`)).body.configuration;
    expect(await configuration()).toMatchObject({
      email_receivers: ['a@example.org'],
      user_receivers: ['admin'],
    });
    expect((await call('DELETE', receiver('a@example.org', 'emails'))).status).toBe(204);
    expect(await configuration()).toMatchObject({ email_receivers: [], user_receivers: ['admin'] });
  });

  test('somebody who may only change the stream cannot run scripts, nor test those of others', async () => {
    const only = await servedBy(fixture).userWith([`streams:edit:${streamId}`, `streams:read:${streamId}`]);
    const script = await fixture.call('POST', `/streams/${streamId}/alarmcallbacks`, {
      headers: only,
      body: { type: 'script-notification-v1', configuration: { script_path: 'x.sh' } },
    });
    expect(script.status).toBe(403);
    const other = await call('POST', '/events/notifications', {
      body: { title: 'Hook', config: { type: 'http-notification-v1', url: 'https://example.org/' } },
    });
    const tested = await fixture.call('POST', `/alerts/callbacks/${other.body.id}/test`, { headers: only });
    expect([tested.status, tested.body.missing_permission]).toEqual([403, expect.stringContaining(':edit:')]);
  });
});

describe('event notifications', () => {
  const hook = {
    title: 'Hook',
    description: 'for the pager',
    config: {
      type: 'http-notification-v2',
      url: 'https://example.org/',
      secret_headers: [{ name: 'X-Key', value: 's3cret' }],
    },
  };

  test('are created, read, changed and removed; secrets are never shown', async () => {
    const created = await call('POST', '/events/notifications', { body: hook });
    expect(created.status, created.text).toBe(200);
    const { id } = created.body;
    expect(created.body).toMatchObject({
      title: 'Hook',
      description: 'for the pager',
      stream_id: null,
      config: {
        type: 'http-notification-v2',
        url: 'https://example.org/',
        secret_headers: [{ name: 'X-Key', value: '<password set>' }],
      },
    });
    const [stored] = await metadata.repositories.alertNotifications.list();
    expect(JSON.stringify(stored)).not.toContain('s3cret');

    // A stored secret does not follow the URL to another server.
    const receiver = await startHttpReceiver();
    const { revision: _, ...first } = created.body;
    const change = (config: object) =>
      call('PUT', `/events/notifications/${id}`, {
        body: { ...first, config: { ...first.config, url: receiver.url, ...config } },
      });
    const refused = await change({});
    expect([refused.status, refused.body.problems[0].path]).toEqual([400, 'config.secret_headers[0].value']);
    expect(refused.body.message).toContain('Enter secret_headers[0].value again');
    expect((await change({ secret_headers: [{ name: 'X-Key', value: 's3cret' }] })).status).toBe(200);
    // Sent back as it was shown, to the same server, it stays.
    expect((await change({ url: `${receiver.url}?other=path` })).status).toBe(200);
    expect((await call('POST', `/events/notifications/${id}/test`)).status).toBe(200);
    expect(receiver.calls[0]?.headers['x-key']).toBe('s3cret');

    const { body: page } = await call('GET', '/events/notifications?query=pager');
    expect(page).toMatchObject({ total: 1, count: 1, page: 1, per_page: 50, notifications: [{ id }] });
    expect((await call('GET', '/events/notifications?query=nothing')).body.total).toBe(0);
    expect((await call('GET', '/events/notifications/paginated')).body.elements).toMatchObject([{ id }]);
    expect((await call('DELETE', `/events/notifications/${id}`)).status).toBe(204);
    expect((await call('GET', `/events/notifications/${id}`)).status).toBe(404);
  });

  test("Graylog's ways to send secrets and wrapped bodies", async () => {
    const receiver = await startHttpReceiver();
    const config = {
      type: 'http-notification-v1',
      url: receiver.url,
      basic_auth: { set_value: 'a:b' },
      unknown: 1,
    };
    const created = await call('POST', '/events/notifications', {
      body: { entity: { title: 'Wrapped', config }, share_request: null },
    });
    expect(created.status, created.text).toBe(200);
    expect(created.body.config.basic_auth).toBe('<password set>');
    const { id } = created.body;
    const kept = { title: 'Kept', config: { ...config, basic_auth: { keep_value: true } } };
    expect((await call('PUT', `/events/notifications/${id}`, { body: kept })).status).toBe(200);
    await call('POST', `/events/notifications/${id}/test`);
    expect(receiver.calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('a:b').toString('base64')}`);
    const removed = { title: 'None', config: { ...config, basic_auth: { delete_value: true } } };
    await call('PUT', `/events/notifications/${id}`, { body: removed });
    await call('POST', `/events/notifications/${id}/test`);
    expect(receiver.calls[1]?.headers.authorization).toBeUndefined();
  });

  test("Graylog's wrapped alarm callbacks", async () => {
    const wrap = (callback_type: unknown, callback_configuration: unknown) => ({
      title: 'Old',
      config: { type: 'legacy-alarm-callback-notification-v1', callback_type, callback_configuration },
    });
    const created = await call('POST', '/events/notifications', {
      body: wrap(EMAIL, { email_receivers: ['a@b.org'], body: 'Hi' }),
    });
    expect(created.body.config).toMatchObject({
      type: 'email-notification-v1',
      email_recipients: ['a@b.org'],
      body_template: 'Hi',
    });
    expect((await call('POST', '/events/notifications', { body: wrap(7, null) })).status).toBe(400);
  });

  test('what one face creates, the other shows', async () => {
    const id = await createCallback({
      type: EMAIL,
      title: 'Mail',
      configuration: { email_receivers: ['a@b.org'] },
    });
    const { body } = await call('GET', `/events/notifications/${id}`);
    expect(body).toMatchObject({
      stream_id: streamId,
      title: 'Mail',
      config: { type: 'email-notification-v1', email_recipients: ['a@b.org'] },
    });
  });

  test('a test without saving', async () => {
    const server = await startSmtpReceiver();
    await fixture.close();
    await open(server.port);
    const body = { title: 'x', config: { type: 'email-notification-v1', user_recipients: ['admin'] } };
    expect((await call('POST', '/events/notifications/test', { body })).status).toBe(200);
    expect(server.mails[0]?.to).toEqual(['admin@example.org']);
    expect(server.mails[0]?.header('subject')).toMatch(/^Test: /);
    const bad = { title: 'x', config: { type: 'email-notification-v1', user_recipients: ['nobody'] } };
    const failed = await call('POST', '/events/notifications/test', { body: bad });
    expect([failed.status, failed.body.message]).toEqual([500, expect.stringContaining('no user nobody')]);
  });

  test('the types are listed', async () => {
    const { body } = await call('GET', '/events/notifications/types');
    expect(Object.keys(body.types)).toEqual([
      'email-notification-v1',
      'http-notification-v1',
      'slack-notification-v1',
      'teams-notification-v2',
      'pagerduty-notification-v2',
      'ntfy-notification-v1',
      'script-notification-v1',
    ]);
    expect((await call('GET', '/events/notifications/legacy/types')).body.types[EMAIL].name).toBe('E-mail');
  });
});

describe('the queue and the history', () => {
  test('what waits is shown and can be cancelled', async () => {
    const id = await createCallback({
      type: HTTP,
      title: 'Hook',
      configuration: { url: 'https://example.org/' },
    });
    await service.queue.enqueue(
      aNotice({ id: '1', streams: [{ id: streamId, title: 'Shop', description: '' }] }),
      [id],
    );
    await service.queue.enqueue(aNotice({ id: '2', alertId: 'alert-2' }), [id]);
    await service.queue.enqueue(aNotice({ id: '3', alertId: 'alert-3' }), [id]);
    const { body } = await call('GET', '/alerts/queue');
    expect(body).toMatchObject({ total: 3, count: 3, page: 1 });
    const first = body.deliveries.find((each: { alert_id: string }) => each.alert_id === 'alert-1');
    expect(first).toMatchObject({
      kind: 'triggered',
      state: 'pending',
      rule_title: 'Too many errors',
      notification_id: id,
      notification_type: 'http',
      notification_title: 'Hook',
      stream_ids: [streamId],
      next_attempt_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await call('GET', '/alerts/deliveries?ended=true')).body.total).toBe(0);
    expect((await call('DELETE', `/alerts/queue/${first.id}`)).status).toBe(204);
    expect((await call('DELETE', `/alerts/queue/${first.id}`)).status).toBe(409);
    expect((await call('DELETE', `/alerts/queue/${UNKNOWN}`)).status).toBe(404);
    expect((await call('DELETE', `/alerts/queue?notification_id=${UNKNOWN}`)).body).toEqual({ cancelled: 0 });
    expect((await call('DELETE', '/alerts/queue')).body).toEqual({ cancelled: 2 });
    expect((await call('GET', '/alerts/queue')).body.total).toBe(0);
    expect((await call('GET', '/alerts/deliveries?ended=true')).body.total).toBe(3);
    const all = await call('GET', '/alerts/deliveries');
    expect(
      all.body.deliveries.map(({ state, error }: { state: string; error: string }) => [state, error]),
    ).toEqual(Array(3).fill(['cancelled', 'cancelled by admin']));
  });

  test('what failed is sent again by those who may change its notification', async () => {
    const id = await createCallback({
      type: HTTP,
      title: 'Hook',
      configuration: { url: 'https://example.org/' },
    });
    const { alerts, alertDeliveries } = metadata.repositories;
    await alerts.insert(anAlert({ id: 'alert-1', streams: [streamId] }));
    await service.queue.enqueue(aNotice({ streams: [{ id: streamId, title: 'Shop', description: '' }] }), [
      id,
    ]);
    const [due] = await alertDeliveries.listDue(1);
    const again = `/alerts/deliveries/${due?.id}/send_again`;
    expect((await call('POST', again)).status).toBe(409);
    const claimed = await alertDeliveries.claim(due?.id ?? '', 'n', 1000);
    await alertDeliveries.finish(claimed!, {
      outcome: 'failure',
      error: 'no such host',
      retryAfterMs: undefined,
    });
    await fixture.addUser('reads', [`streams:read:${streamId}`]);
    await fixture.addUser('edits', [`streams:read:${streamId}`, `streams:edit:${streamId}`]);
    await fixture.addUser('other', []);
    const ofAlert = (as: string) => call('GET', '/streams/alerts/alert-1/deliveries', { as });
    expect((await ofAlert('reads')).body).toMatchObject({
      total: 1,
      deliveries: [{ state: 'failed', error: 'no such host', can_send_again: true }],
    });
    expect((await ofAlert('other')).status).toBe(403);
    expect((await call('GET', '/streams/alerts/unknown/deliveries')).status).toBe(404);
    expect((await call('POST', again, { as: 'reads' })).status).toBe(403);
    expect((await call('POST', again, { as: 'edits' })).body).toMatchObject({
      state: 'pending',
      can_send_again: false,
    });
    expect((await call('POST', again)).status).toBe(409);
    expect((await call('POST', `/alerts/deliveries/${UNKNOWN}/send_again`)).status).toBe(404);
    // Those of a stream are shown to whoever may read the stream.
    const titles = async (as: string) =>
      (await call('GET', '/events/notifications', { as })).body.notifications.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles('reads')).toEqual(['Hook']);
    expect(await titles('other')).toEqual([]);
  });

  test('the attempts for an alert', async () => {
    const id = await createCallback({
      type: HTTP,
      title: 'Hook',
      configuration: { url: 'https://example.org/' },
    });
    const { alertDeliveries } = metadata.repositories;
    await service.queue.enqueue(aNotice({ streams: [{ id: streamId, title: 'Shop', description: '' }] }), [
      id,
    ]);
    const [due] = await alertDeliveries.listDue(1);
    for (const error of ['refused', null]) {
      const claimed = await alertDeliveries.claim(due?.id ?? '', 'n', 1000);
      await alertDeliveries.finish(
        claimed!,
        error === null ? { outcome: 'success', error } : { outcome: 'failure', error, retryAfterMs: 0 },
      );
    }
    const { body } = await call('GET', `/streams/${streamId}/alerts/alert-1/history`);
    expect(body).toMatchObject({
      total: 2,
      histories: [
        {
          alert_id: 'alert-1',
          alertcondition_id: aNotice().rule.id,
          result: { type: 'success' },
          alarmcallbackconfiguration: { id, type: HTTP, title: 'Hook' },
        },
        { result: { type: 'error', error: 'refused' }, created_at: '2026-01-01T00:00:00.000Z' },
      ],
    });
    // Of another stream nobody learns anything.
    expect((await call('GET', `/streams/${UNKNOWN}/alerts/alert-1/history`)).body.total).toBe(0);
  });
});
