import { expect, test, vi } from 'vitest';
import { RetryableError } from '#core/index.ts';
import { aNotice } from '#testing/alert-notice.ts';
import { deliveryFixture } from '#testing/delivery-fixture.ts';
import { eventually } from '#testing/eventually.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { notificationContext } from '#testing/notification-fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('a notice is sent once, and that is in the history', async () => {
  const { delivery, queue, notification, deliveries, attempts, metadata } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  await queue.enqueue(aNotice(), [await notification({ configuration: { url: receiver.url } })]);
  await delivery.runNow();
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(1);
  expect(await deliveries()).toMatchObject([
    { state: 'delivered', attempts: 1, alertId: 'alert-1', error: null },
  ]);
  expect(await attempts()).toMatchObject([{ outcome: 'success', error: null }]);
  // The messages of the notice are not kept longer than needed.
  const { content } = await metadata.db
    .selectFrom('alert_notices')
    .select('content')
    .executeTakeFirstOrThrow();
  expect(content).toBeNull();
});

test('what fails is tried again, with growing pauses, until it arrives', async () => {
  const { clock, delivery, queue, notification, deliveries, attempts, problems } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  receiver.answer(503, {}, 'maintenance');
  const id = await notification({ configuration: { url: receiver.url } });
  await queue.enqueue(aNotice(), [id]);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    await delivery.runNow();
    const [waiting] = await deliveries();
    pauses.push(((waiting?.nextAttemptAt ?? 0) - clock.now()) / 1000);
    clock.advance((waiting?.nextAttemptAt ?? 0) - clock.now());
  }
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  expect(problems.get(`alert_notification_failed ${id}`)).toMatchObject({
    severity: 'normal',
    details: { exception: expect.stringContaining('503: maintenance'), gave_up: false },
  });
  receiver.answer(200);
  await delivery.runNow();
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 10 }]);
  expect((await attempts()).map(({ outcome }) => outcome)).toEqual([...Array(9).fill('failure'), 'success']);
  expect(problems.size).toBe(0);
});

test('a receiver may ask for a longer pause', async () => {
  const { clock, delivery, queue, notification, deliveries } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  receiver.answer(429, { 'retry-after': '120' });
  await queue.enqueue(aNotice(), [await notification({ configuration: { url: receiver.url } })]);
  await delivery.runNow();
  expect((await deliveries())[0]?.nextAttemptAt).toBe(clock.now() + 120_000);
});

test('after a day nothing is tried any more, and operators know', async () => {
  const { clock, delivery, queue, notification, deliveries, problems } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  receiver.answer(500);
  const id = await notification({ configuration: { url: receiver.url } });
  await queue.enqueue(aNotice(), [id]);
  await delivery.runNow();
  clock.advance(24 * HOUR_MS);
  await delivery.runNow();
  expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 2 }]);
  expect(problems.get(`alert_notification_failed ${id}`)).toMatchObject({ severity: 'urgent' });
});

test('what can never arrive is given up at once', async () => {
  const { delivery, queue, notification, deliveries, problems } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  receiver.answer(404);
  await queue.enqueue(aNotice(), [
    await notification({ configuration: { url: receiver.url } }),
    await notification({ type: 'email', configuration: { email_recipients: ['a@example.org'] } }),
    await notification({ type: 'pigeon' }),
  ]);
  await delivery.runNow();
  const all = await deliveries();
  expect(all.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['failed', 1]));
  const types = [...problems.values()].map(({ type }) => type).sort();
  expect(types).toEqual([
    'alert_notification_failed',
    'alert_notification_failed',
    'email_transport_configuration_invalid',
  ]);
});

test('a receiver that hangs does not keep the others waiting', async () => {
  const { delivery, queue, notification, deliveries } = await deliveryFixture();
  const [silent, quick] = [await startHttpReceiver(), await startHttpReceiver()];
  silent.hang();
  const hanging = await notification({ configuration: { url: silent.url, timeout: 60_000 } });
  for (let index = 0; index < 50; index += 1)
    await queue.enqueue(aNotice({ id: `h${index}`, alertId: `h${index}` }), [hanging]);
  await queue.enqueue(aNotice({ id: 'q' }), [await notification({ configuration: { url: quick.url } })]);
  delivery.wake();
  await eventually(() => expect(quick.calls).toHaveLength(1));
  expect(silent.calls).toHaveLength(1);
  await eventually(async () => {
    const sending = (await deliveries()).filter(({ state }) => state === 'sending');
    expect(sending.map(({ notificationId }) => notificationId)).toEqual([hanging]);
  });
});

test('the end of an alert never arrives before its beginning', async () => {
  const { clock, delivery, queue, notification } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  receiver.answer(500);
  const id = await notification({ configuration: { url: receiver.url, send_resolved: true } });
  await queue.enqueue(aNotice(), [id]);
  await delivery.runNow();
  clock.advance(1000);
  await queue.enqueue(aNotice({ id: 'alert-1:resolved', kind: 'resolved' }), [id]);
  await queue.enqueue(aNotice({ id: 'alert-2:triggered', alertId: 'alert-2' }), [id]);
  receiver.answer(200);
  await delivery.runNow();
  clock.advance(10_000);
  await delivery.runNow();
  const said = receiver.calls.map(({ body }) => {
    const { kind, event } = JSON.parse(body);
    return `${event.id} ${kind}`;
  });
  // The first attempt failed; meanwhile the other alert went out.
  expect(said).toEqual(['alert-1 triggered', 'alert-2 triggered', 'alert-1 triggered', 'alert-1 resolved']);
});

test('while nothing is on its way the database is left alone, whatever was delivered before', async () => {
  const { clock, delivery, queue, notification, metadata } = await deliveryFixture();
  const { alertDeliveries } = metadata.repositories;
  const receiver = await startHttpReceiver();
  const asked = [vi.spyOn(alertDeliveries, 'hasUnfinished'), vi.spyOn(alertDeliveries, 'releaseClaims')];
  const asksNothing = async () => {
    await delivery.runNow();
    for (const each of asked) each.mockClear();
    clock.advance(MINUTE_MS);
    await delivery.runNow();
    for (const each of asked) expect(each).not.toHaveBeenCalled();
  };
  await asksNothing();
  await queue.enqueue(aNotice(), [await notification({ configuration: { url: receiver.url } })]);
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(1);
  await asksNothing();
});

test('only the leader delivers', async () => {
  let isLeader = false;
  const { delivery, queue, notification } = await deliveryFixture({ isLeader: () => isLeader });
  const receiver = await startHttpReceiver();
  await queue.enqueue(aNotice(), [await notification({ configuration: { url: receiver.url } })]);
  await delivery.runNow();
  expect(receiver.calls).toEqual([]);
  isLeader = true;
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(1);
});

test('a delivery whose node is gone is made again, one that is still being made is not', async () => {
  const first = await deliveryFixture({ nodeId: 'node-1' });
  const { metadata, clock } = first;
  const second = await deliveryFixture({ nodeId: 'node-2', metadata, clock });
  const receiver = await startHttpReceiver();
  receiver.hang();
  const id = await first.notification({ configuration: { url: receiver.url, timeout: 60_000 } });
  await first.queue.enqueue(aNotice(), [id]);
  first.delivery.wake();
  await eventually(() => expect(receiver.calls).toHaveLength(1));
  await second.delivery.start();
  // The first node renews its claim while time goes by.
  for (let step = 0; step < 12; step += 1) {
    clock.advance(5000);
    await eventually(async () => {
      const { claimed_until } = await metadata.db
        .selectFrom('alert_deliveries')
        .select('claimed_until')
        .executeTakeFirstOrThrow();
      expect(claimed_until).toBeGreaterThan(clock.now());
    });
    await second.delivery.runNow();
  }
  expect(receiver.calls).toHaveLength(1);

  // It dies: nobody renews any more.
  await metadata.db.updateTable('alert_deliveries').set({ claimed_until: clock.now() }).execute();
  receiver.answer(200);
  await second.delivery.runNow();
  expect(receiver.calls).toHaveLength(2);
  expect((await second.attempts()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'success']);
});

test('a node that is held up with a claim sends nothing once the claim has expired', async () => {
  const first = await deliveryFixture({ nodeId: 'node-1' });
  const { metadata, clock, problems } = first;
  const second = await deliveryFixture({ nodeId: 'node-2', metadata, clock });
  const receiver = await startHttpReceiver();
  const id = await first.notification({ configuration: { url: receiver.url } });
  await first.queue.enqueue(aNotice(), [id]);
  // The first node is stopped with the answer to its claim on the way.
  const { alertDeliveries } = metadata.repositories;
  const claim = alertDeliveries.claim;
  alertDeliveries.claim = async (...args) => {
    alertDeliveries.claim = claim;
    const claimed = await claim(...args);
    clock.advance(30_000);
    await second.delivery.runNow();
    return claimed;
  };
  await first.delivery.runNow();
  expect(receiver.calls).toHaveLength(1);
  expect(await first.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2, error: null }]);
  expect((await first.attempts()).map(({ outcome }) => outcome)).toEqual(['failure', 'success']);
  expect(problems.size).toBe(0);
});

test('a node that has lost a claim while it was sending stops, and does not disturb the other one', async () => {
  const first = await deliveryFixture({ nodeId: 'node-1' });
  const { metadata, clock } = first;
  const receiver = await startHttpReceiver();
  receiver.hang();
  const id = await first.notification({ configuration: { url: receiver.url, timeout: 60_000 } });
  await first.queue.enqueue(aNotice(), [id]);
  first.delivery.wake();
  await eventually(() => expect(receiver.calls).toHaveLength(1));
  // Another node takes over and is still sending.
  const { alertDeliveries } = metadata.repositories;
  await metadata.db.updateTable('alert_deliveries').set({ claimed_until: clock.now() }).execute();
  expect(await alertDeliveries.releaseClaims()).toBe(1);
  const [waiting] = await first.deliveries();
  const taken = await alertDeliveries.claim(waiting?.id ?? '', 'node-2', 60_000);
  expect(taken).toMatchObject({ attempts: 2 });
  // The first one renews, learns that it has lost the claim, and ends.
  clock.advance(5000);
  await eventually(async () =>
    expect((await first.attempts()).map(({ outcome }) => outcome)).toEqual(['failure', null]),
  );
  expect(await first.deliveries()).toMatchObject([{ state: 'sending', attempts: 2, error: null }]);
  expect(first.problems.size).toBe(0);
});

/** A notice that waits to be mailed to `a@example.org` and `b@example.org`, by a mail server that takes everything. */
async function mailFixture() {
  const mails: string[] = [];
  const context = notificationContext({ mail: { send: async ({ to }) => void mails.push(to) } });
  const fixture = await deliveryFixture({ context });
  const { notification, queue, metadata, clock } = fixture;
  const configuration = { email_recipients: ['a@example.org', 'b@example.org'], sender: 'm@example.org' };
  await queue.enqueue(aNotice(), [await notification({ type: 'email', configuration })]);
  const { alertDeliveries } = metadata.repositories;
  const { markDone } = alertDeliveries;
  return {
    ...fixture,
    mails,
    /** What has arrived cannot be stored while `isAway`, and each time a second goes by. */
    failMarking(isAway: () => boolean | Promise<boolean>): void {
      alertDeliveries.markDone = async (...args) => {
        if (!(await isAway())) return markDone(...args);
        setImmediate(() => clock.advance(1000));
        throw new RetryableError('the database is away');
      };
    },
  };
}

test('a mail is not sent again because the database was away for a moment when it had arrived', async () => {
  const { delivery, deliveries, mails, problems, failMarking } = await mailFixture();
  let failures = 2;
  failMarking(() => failures-- > 0);
  await delivery.runNow();
  expect(mails).toEqual(['a@example.org', 'b@example.org']);
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 1, error: null }]);
  expect(problems.size).toBe(0);
});

test('while the database is away no other mail is begun, and the one that arrived is not sent again', async () => {
  const { clock, delivery, deliveries, mails, failMarking } = await mailFixture();
  const backAt = clock.now() + 10_000;
  failMarking(() => clock.now() < backAt);
  await delivery.runNow();
  expect(mails).toEqual(['a@example.org']);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 1 }]);
  failMarking(() => false);
  clock.advance(10_000);
  await delivery.runNow();
  expect(mails).toEqual(['a@example.org', 'b@example.org']);
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('a node that loses its claim while the database is away begins no other mail', async () => {
  const { delivery, deliveries, attempts, metadata, mails, failMarking } = await mailFixture();
  const { alertDeliveries } = metadata.repositories;
  let failures = 1;
  failMarking(async () => {
    if (failures-- <= 0) return false;
    const [sending] = await deliveries();
    await alertDeliveries.releaseClaims('node-1');
    await alertDeliveries.claim(sending?.id ?? '', 'node-2', 60_000);
    return true;
  });
  await delivery.runNow();
  expect(mails).toEqual(['a@example.org']);
  expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['failure', null]);
  // What the other node has stored, or will store, is not touched.
  const { done_parts } = await metadata.db
    .selectFrom('alert_deliveries')
    .select('done_parts')
    .executeTakeFirstOrThrow();
  expect(done_parts).toBe('[]');
  expect(await deliveries()).toMatchObject([{ state: 'sending', attempts: 2, error: null }]);
});

test('too many notices are held back, and a digest says how many', async () => {
  const { clock, delivery, queue, notification, deliveries, problems } = await deliveryFixture({
    limits: { perRule: 3, perNotification: 5, total: 1000 },
  });
  const receiver = await startHttpReceiver();
  const id = await notification({ configuration: { url: receiver.url } });
  const ruleNotice = (rule: string, index: number) =>
    aNotice({
      id: `${rule}${index}`,
      alertId: `${rule}${index}`,
      rule: { ...aNotice().rule, id: rule, title: `Rule ${rule}` },
    });
  for (let index = 0; index < 20; index += 1) await queue.enqueue(ruleNotice('a', index), [id]);
  for (let index = 0; index < 10; index += 1) await queue.enqueue(ruleNotice('b', index), [id]);
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(5);
  expect((await deliveries()).filter(({ state }) => state === 'held')).toHaveLength(25);
  expect(problems.has(`alert_notifications_held_back ${id}`)).toBe(true);

  clock.advance(15 * MINUTE_MS);
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(6);
  const { event, kind } = JSON.parse(receiver.calls[5]?.body ?? '');
  expect(kind).toBe('digest');
  expect(event.message).toContain('25 notices were held back');
  expect(event.message).toContain('Rule a (17), Rule b (8)');
  expect(problems.size).toBe(0);
  clock.advance(15 * MINUTE_MS);
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(6);

  // An hour later the limits are open again.
  clock.advance(HOUR_MS);
  await queue.enqueue(ruleNotice('a', 100), [id]);
  await delivery.runNow();
  expect(receiver.calls).toHaveLength(7);
});

test('the limit of all deliveries holds over all rules and notifications, and over restarts', async () => {
  const limits = { perRule: 1000, perNotification: 1000, total: 4 };
  const first = await deliveryFixture({ limits });
  const receiver = await startHttpReceiver();
  const ids = [
    await first.notification({ configuration: { url: receiver.url } }),
    await first.notification({ configuration: { url: receiver.url } }),
  ];
  await first.queue.enqueue(aNotice({ id: '1' }), ids);
  await first.delivery.runNow();
  const second = await deliveryFixture({ limits, metadata: first.metadata, clock: first.clock });
  await second.queue.enqueue(aNotice({ id: '2' }), ids);
  await second.queue.enqueue(aNotice({ id: '3' }), ids);
  await second.delivery.runNow();
  expect(receiver.calls).toHaveLength(4);
});

test('what is cancelled or whose notification was removed is not sent', async () => {
  const { delivery, queue, notification, deliveries, metadata } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  const [kept, removed] = [
    await notification({ configuration: { url: receiver.url } }),
    await notification({ configuration: { url: receiver.url } }),
  ];
  await queue.enqueue(aNotice({ id: '1' }), [kept]);
  await queue.enqueue(aNotice({ id: '2' }), [removed]);
  await metadata.repositories.alertDeliveries.cancel({ notificationId: kept }, 'cancelled by anna');
  await metadata.repositories.alertNotifications.remove(removed);
  await delivery.runNow();
  expect(receiver.calls).toEqual([]);
  const outcomes = (await deliveries()).map(({ noticeId, state, error }) => `${noticeId} ${state}: ${error}`);
  expect(outcomes.sort()).toEqual([
    '1 cancelled: cancelled by anna',
    '2 failed: the notification was removed',
  ]);
});

test('the history is kept for a month', async () => {
  const { clock, delivery, queue, notification, deliveries } = await deliveryFixture();
  const receiver = await startHttpReceiver();
  const id = await notification({ configuration: { url: receiver.url } });
  await queue.enqueue(aNotice({ id: 'old' }), [id]);
  await delivery.runNow();
  clock.advance(29 * 24 * HOUR_MS);
  await delivery.runNow();
  expect(await deliveries()).toHaveLength(1);
  clock.advance(2 * 24 * HOUR_MS);
  await delivery.runNow();
  expect(await deliveries()).toEqual([]);
});
