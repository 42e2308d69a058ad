import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOTIFICATION_TYPES } from '#alerts/notifications/service.ts';
import { anAlert, anAlertRule } from '#testing/alert-records.ts';
import { createStreamsFixture, notificationSecrets, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture();
});
afterEach(() => fixture.close());

const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });
const repositories = () => fixture.metadata.repositories;

async function addStream(title: string): Promise<string> {
  return (await call('POST', '/streams', { body: { title } })).body.stream_id;
}

async function addNotification(streamId: string, secret: string): Promise<void> {
  const id = `${streamId.slice(0, 23)}f`;
  const type = NOTIFICATION_TYPES.find('http');
  if (type === undefined) throw new Error('there is no such type');
  const clear = { url: 'http://127.0.0.1:1/', basic_auth: secret, send_resolved: true };
  await repositories().alertNotifications.insert({
    ...{ id, streamId, title: 'Tell them', description: '', creator: 'admin' },
    ...{ type: type.id, wireType: type.wireType },
    configuration: notificationSecrets.encrypt(id, type.fields, clear),
  });
}

test('a deleted stream ends its alert rules with their alerts, and the history stays', async () => {
  const id = await addStream('Shop');
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [id] }));
  await repositories().alerts.insert(anAlert({ ruleId: rule.id, streams: [id] }));
  expect((await call('DELETE', `/streams/${id}`)).status).toBe(204);
  expect(await repositories().alertRules.list()).toEqual([]);
  const kept = await repositories().alerts.find(anAlert().id);
  expect(kept).toMatchObject({ streams: [id], resolvedAt: expect.any(Number) });
});

test('an alert of a rule that looks at the deleted stream by now is resolved too', async () => {
  const [before, now] = [await addStream('Before'), await addStream('Now')];
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [now] }));
  await repositories().alerts.insert(anAlert({ ruleId: rule.id, streams: [before] }));
  await call('DELETE', `/streams/${now}`);
  expect((await repositories().alerts.find(anAlert().id))?.resolvedAt).not.toBeNull();
});

test('a rule that looks at other streams too goes on with those', async () => {
  const [shop, web] = [await addStream('Shop'), await addStream('Web')];
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [shop, web] }));
  await repositories().alerts.insert(anAlert({ ruleId: rule.id, streams: [shop, web] }));
  await call('DELETE', `/streams/${shop}`);
  expect((await repositories().alertRules.find(rule.id))?.streams).toEqual([web]);
  expect((await repositories().alerts.find(anAlert().id))?.resolvedAt).toBeNull();
});

test('a rule that has the id of a stream that an earlier version deleted ends with its last stream', async () => {
  const id = await addStream('Shop');
  const gone = 'c'.repeat(24);
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [gone, id] }));
  expect((await call('DELETE', `/streams/${id}`)).status).toBe(204);
  expect(await repositories().alertRules.find(rule.id)).toBeUndefined();
});

test('the notifications of a deleted stream are not asked to tell of the end: they are deleted too', async () => {
  const id = await addStream('Shop');
  await addNotification(id, 'anna:geheim');
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [id] }));
  await repositories().alerts.insert(anAlert({ ruleId: rule.id, streams: [id] }));
  await call('DELETE', `/streams/${id}`);
  const { total } = await repositories().alertDeliveries.list({}, { limit: 10, offset: 0 });
  expect(total).toBe(0);
});

test('a copied rule has only the notifications that its creator may use', async () => {
  const [id, other] = [await addStream('Shop'), await addStream('Other')];
  await addNotification(other, 'anna:geheim');
  const [notification] = await repositories().alertNotifications.listByStream(other);
  const notifications = [{ notificationId: notification?.id ?? '', parameters: null }];
  await repositories().alertRules.insert(anAlertRule({ streams: [id], notifications }));
  await fixture.auth.addUser('copier', ['streams:create', `streams:read:${id}`]);
  for (const [as, copied] of [['copier', []] as const, ['admin', notifications] as const]) {
    const answer = await call('POST', `/streams/${id}/clone`, { as, body: { title: `Copy of ${as}` } });
    expect(answer.status).toBe(201);
    const [rule] = await repositories().alertRules.listByStream(answer.body.stream_id);
    expect(rule?.notifications).toEqual(copied);
  }
});

test('a stream that cannot be deleted keeps its rules', async () => {
  const { body } = await call('GET', '/streams');
  const builtIn = body.streams.find((stream: { is_default: boolean }) => stream.is_default).id;
  const rule = await repositories().alertRules.insert(anAlertRule({ streams: [builtIn] }));
  expect((await call('DELETE', `/streams/${builtIn}`)).status).toBe(400);
  expect(await repositories().alertRules.find(rule.id)).toEqual(rule);
});

test('a copy has the alert conditions and notifications of its original, with their secrets', async () => {
  const id = await addStream('Shop');
  await repositories().alertRules.insert(anAlertRule({ streams: [id], title: 'Many errors' }));
  await addNotification(id, 'anna:geheim');
  const copy = (await call('POST', `/streams/${id}/clone`, { body: { title: 'Copy' } })).body.stream_id;
  expect(await repositories().alertRules.listByStream(copy)).toMatchObject([
    { title: 'Many errors', streams: [copy], creator: 'admin' },
  ]);
  const [notification] = await repositories().alertNotifications.listByStream(copy);
  if (notification === undefined) throw new Error('it has no notification');
  const fields = NOTIFICATION_TYPES.find('http')?.fields ?? {};
  const { configuration } = notificationSecrets.decrypt(notification.id, fields, notification.configuration);
  expect(configuration).toMatchObject({ url: 'http://127.0.0.1:1/', basic_auth: 'anna:geheim' });
  expect(JSON.stringify(notification)).not.toContain('geheim');
  expect(await repositories().alertRules.listByStream(id)).toHaveLength(1);
  expect(await repositories().alertNotifications.listByStream(id)).toHaveLength(1);
});
