import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import { KEPT_FAILURES } from '../repositories/alert-delivery-rows.ts';
import type { NewAlertNotification, NewNoticeRecord } from '../repositories/index.ts';

const aNotification = (changes: Partial<NewAlertNotification> = {}): NewAlertNotification => ({
  streamId: null,
  type: 'email',
  wireType: 'email-notification-v1',
  title: 'Mail to operators',
  description: 'day and night',
  configuration: { email_recipients: ['ops@example.org'], subject: 'ä \u0000' },
  creator: 'anna',
  ...changes,
});

const aNotice = (changes: Partial<NewNoticeRecord> = {}): NewNoticeRecord => ({
  id: 'alert-1:triggered',
  kind: 'triggered',
  ruleId: 'rule-1',
  ruleTitle: 'Too many errors',
  alertId: 'alert-1',
  streamIds: ['s1'],
  description: '5 messages',
  content: { deep: { list: [1, 'ä \u0000'] } },
  ...changes,
});

const target = { notificationId: 'n1', notificationType: 'email', notificationTitle: 'Mail' };

export function alertNotificationsSuite(backend: MetadataBackend): void {
  describe('alert notifications', () => {
    test('a notification is stored, replaced as a whole and removed', async () => {
      const clock = new ManualClock();
      const { alertNotifications } = (await openEmpty(backend, { clock })).repositories;
      const first = await alertNotifications.insert(aNotification());
      expect(isEntityId(first.id)).toBe(true);
      expect(first).toEqual({
        ...aNotification(),
        id: first.id,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      clock.advance(1000);
      const second = await alertNotifications.insert(aNotification({ id: 'chosen', title: 'Second' }));
      expect(second.id).toBe('chosen');
      expect(await alertNotifications.list()).toEqual([first, second]);
      expect(await alertNotifications.findMany(['chosen', 'unknown'])).toEqual([second]);
      expect(await alertNotifications.findMany([])).toEqual([]);

      const { streamId: _stream, creator: _creator, ...properties } = aNotification({ title: 'New' });
      const changed = { ...first, title: 'New', updatedAt: clock.now() };
      expect(await alertNotifications.update(first.id, properties)).toEqual(changed);
      expect(await alertNotifications.find(first.id)).toEqual(changed);
      expect(await alertNotifications.update('unknown', properties)).toBeUndefined();
      expect(await alertNotifications.remove(first.id)).toBe(true);
      expect(await alertNotifications.remove(first.id)).toBe(false);
      expect(await alertNotifications.find(first.id)).toBeUndefined();
    });

    test('those of a stream go with the stream', async () => {
      const { repositories } = await openEmpty(backend);
      const { alertNotifications, streams } = repositories;
      const { id: streamId } = await streams.insert(
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
      );
      const global = await alertNotifications.insert(aNotification());
      const own = await alertNotifications.insert(aNotification({ streamId }));
      expect(await alertNotifications.listByStream(streamId)).toEqual([own]);
      await expect(alertNotifications.insert(aNotification({ streamId: 'unknown' }))).rejects.toThrow(
        ConflictError,
      );
      await streams.remove(streamId);
      expect(await alertNotifications.list()).toEqual([global]);
    });
  });

  describe('alert deliveries', () => {
    test('a notice is queued once, whatever it says the second time', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      const other = { ...target, notificationId: 'n2' };
      expect(await alertDeliveries.enqueue(aNotice(), [target, other])).toBe(true);
      expect(await alertDeliveries.enqueue(aNotice(), [target, other])).toBe(false);
      expect(await alertDeliveries.enqueue(aNotice(), [{ ...target, notificationId: 'n3' }])).toBe(false);
      expect(await alertDeliveries.countOpen()).toBe(2);
    });

    test('a notice is queued with the transaction it belongs to, or not at all', async () => {
      const metadata = await openEmpty(backend);
      const failing = metadata.transaction(async ({ repositories }) => {
        await repositories.alertDeliveries.enqueue(aNotice(), [target]);
        throw new Error('the alert could not be stored');
      });
      await expect(failing).rejects.toThrow('the alert could not be stored');
      expect(await metadata.repositories.alertDeliveries.countOpen()).toBe(0);
      await metadata.transaction(({ repositories }) =>
        repositories.alertDeliveries.enqueue(aNotice(), [target]),
      );
      expect(await metadata.repositories.alertDeliveries.countOpen()).toBe(1);
    });

    test('a delivery is claimed by one node, and finished by an attempt', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice(), [target]);
      const [due] = await alertDeliveries.listDue(10);
      expect(due).toMatchObject({ ...target, state: 'pending', attempts: 0, ruleTitle: 'Too many errors' });
      const id = due?.id ?? '';
      const claims = await Promise.all(
        ['a', 'b', 'c'].map((node) => alertDeliveries.claim(id, node, 60_000)),
      );
      const [claimed] = claims.filter((claim) => claim !== undefined);
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
      expect(claimed).toMatchObject({ attempts: 1, doneParts: [], content: aNotice().content });
      expect(await alertDeliveries.listDue(10)).toEqual([]);
      expect(await alertDeliveries.markDone(claimed!, ['a@example.org'], 60_000)).toBe(true);
      expect(await alertDeliveries.releaseClaims()).toBe(0);

      const failure = { outcome: 'failure', error: 'busy', retryAfterMs: 0 } as const;
      await alertDeliveries.finish(claimed!, failure);
      const again = await alertDeliveries.claim(id, 'a', 60_000);
      expect(again).toMatchObject({ attempts: 2, doneParts: ['a@example.org'], error: 'busy' });
      await alertDeliveries.finish(again!, { outcome: 'success', error: null });
      expect(await alertDeliveries.find(id)).toMatchObject({ state: 'delivered', error: null });
      expect(await alertDeliveries.claim(id, 'a', 60_000)).toBeUndefined();
      const { items, total } = await alertDeliveries.listAttempts(
        { alertId: 'alert-1' },
        { limit: 10, offset: 0 },
      );
      expect(total).toBe(2);
      expect(items.map(({ outcome, error }) => [outcome, error])).toEqual([
        ['success', null],
        ['failure', 'busy'],
      ]);
      expect(await alertDeliveries.countBegun({ ruleId: 'rule-1', notificationId: 'n1' }, 60_000)).toBe(1);
      expect(await alertDeliveries.countBegun({ ruleId: 'other' }, 60_000)).toBe(0);
    });

    test('a claim that was lost changes nothing any more, but what arrived has arrived', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice(), [target]);
      const [due] = await alertDeliveries.listDue(10);
      const id = due?.id ?? '';
      const failure = { outcome: 'failure', error: 'late', retryAfterMs: undefined } as const;
      const success = { outcome: 'success', error: null } as const;
      const paused = await alertDeliveries.claim(id, 'a', -1);
      expect(await alertDeliveries.releaseClaims()).toBe(1);
      expect(await alertDeliveries.markDone(paused!, ['x@example.org'], 60_000)).toBe(false);
      await alertDeliveries.finish(paused!, failure);
      expect(await alertDeliveries.find(id)).toMatchObject({ state: 'pending', error: null });

      const taker = await alertDeliveries.claim(id, 'b', -1);
      expect(taker).toMatchObject({ attempts: 2, doneParts: [] });
      expect(await alertDeliveries.markDone(paused!, ['x@example.org'], 60_000)).toBe(false);
      await alertDeliveries.finish(paused!, failure);
      await alertDeliveries.finish(paused!, success);
      expect(await alertDeliveries.find(id)).toMatchObject({ state: 'sending', error: null });

      // It was sent, and only the answer came after the claim had expired.
      expect(await alertDeliveries.releaseClaims()).toBe(1);
      await alertDeliveries.finish(taker!, success);
      expect(await alertDeliveries.find(id)).toMatchObject({ state: 'delivered', attempts: 2 });
      expect(await alertDeliveries.claim(id, 'a', 60_000)).toBeUndefined();
    });

    test('the claims of a node that died are free again', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice(), [target, { ...target, notificationId: 'n2' }]);
      for (const { id } of await alertDeliveries.listDue(10))
        await alertDeliveries.claim(id, 'dead', 600_000);
      expect(await alertDeliveries.releaseClaims('other')).toBe(0);
      expect(await alertDeliveries.releaseClaims('dead')).toBe(2);
      expect(await alertDeliveries.listDue(10, ['n2'])).toMatchObject([
        { notificationId: 'n1', attempts: 1 },
      ]);
      const { items } = await alertDeliveries.listAttempts({}, { limit: 10, offset: 0 });
      expect(items.map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
    });

    test('held deliveries are counted by rule until a digest has them', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice({ id: '1' }), [target]);
      await alertDeliveries.enqueue(
        aNotice({ id: '2', alertId: '2', ruleId: 'rule-2', ruleTitle: 'Other' }),
        [target],
      );
      await alertDeliveries.enqueue(
        aNotice({ id: '3', alertId: '3', ruleId: 'rule-2', ruleTitle: 'Other' }),
        [target],
      );
      for (const { id } of await alertDeliveries.listDue(10)) {
        expect(await alertDeliveries.end(id, 'held', 'too many')).toBe(true);
        expect(await alertDeliveries.end(id, 'held', 'too many')).toBe(false);
      }
      expect(await alertDeliveries.listHeld(0)).toEqual(['n1']);
      expect(await alertDeliveries.listHeld(600_000)).toEqual([]);
      const held = await alertDeliveries.held('n1');
      expect(held).toMatchObject({
        total: 3,
        rules: [
          { id: 'rule-2', title: 'Other', count: 2 },
          { id: 'rule-1', title: 'Too many errors', count: 1 },
        ],
      });
      await alertDeliveries.assignDigest('n1', held?.lastAt ?? 0, 'digest');
      expect(await alertDeliveries.held('n1')).toBeUndefined();
      expect(await alertDeliveries.listHeld(0)).toEqual([]);
    });

    test('what failed keeps its content and can be sent again, what arrived cannot', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice({ id: '1' }), [target]);
      const attempt = async (result: Parameters<typeof alertDeliveries.finish>[1]) => {
        const [due] = await alertDeliveries.listDue(1);
        const claimed = await alertDeliveries.claim(due?.id ?? '', 'a', 60_000);
        await alertDeliveries.finish(claimed!, result);
        return { id: due?.id ?? '', content: claimed?.content };
      };
      const first = await attempt({ outcome: 'failure', error: 'refused', retryAfterMs: undefined });
      expect(await alertDeliveries.find(first.id)).toMatchObject({ state: 'failed', hasContent: true });
      expect(await alertDeliveries.sendAgain('unknown')).toBe(false);
      expect(await alertDeliveries.sendAgain(first.id)).toBe(true);
      expect(await alertDeliveries.sendAgain(first.id)).toBe(false);
      expect(await alertDeliveries.find(first.id)).toMatchObject({ state: 'pending', finishedAt: null });
      const second = await attempt({ outcome: 'success', error: null });
      expect(second).toEqual(first);
      expect(await alertDeliveries.find(first.id)).toMatchObject({
        state: 'delivered',
        attempts: 2,
        hasContent: false,
      });
      expect(await alertDeliveries.sendAgain(first.id)).toBe(false);
    });

    test('of many failures only the newest can be sent again', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      const ids: string[] = [];
      for (let at = 0; at <= KEPT_FAILURES; at += 1) {
        await alertDeliveries.enqueue(aNotice({ id: `n${at}`, alertId: `a${at}` }), [target]);
        const [due] = await alertDeliveries.listDue(1);
        const claimed = await alertDeliveries.claim(due?.id ?? '', 'a', 60_000);
        await alertDeliveries.finish(claimed!, {
          outcome: 'failure',
          error: 'refused',
          retryAfterMs: undefined,
        });
        ids.push(due?.id ?? '');
      }
      const kept = await Promise.all(ids.map(async (id) => (await alertDeliveries.find(id))?.hasContent));
      expect(kept.filter(Boolean)).toHaveLength(KEPT_FAILURES);
    });

    test('what waits can be cancelled, what is being sent cannot', async () => {
      const { alertDeliveries } = (await openEmpty(backend)).repositories;
      await alertDeliveries.enqueue(aNotice({ id: '1' }), [target]);
      const [sending] = await alertDeliveries.listDue(1);
      await alertDeliveries.claim(sending?.id ?? '', 'a', 60_000);
      await alertDeliveries.enqueue(aNotice({ id: '2', alertId: 'alert-2' }), [target]);
      await alertDeliveries.enqueue(aNotice({ id: '3', alertId: 'alert-3', ruleId: 'rule-3' }), [target]);
      expect(await alertDeliveries.cancel({ ids: [] }, 'by anna')).toBe(0);
      expect(await alertDeliveries.cancel({ ruleId: 'rule-3' }, 'by anna')).toBe(1);
      expect(await alertDeliveries.cancel({}, 'by anna')).toBe(1);
      expect(await alertDeliveries.countOpen()).toBe(1);
      const page = { limit: 10, offset: 0 };
      expect((await alertDeliveries.list({ states: ['cancelled'] }, page)).total).toBe(2);
      expect((await alertDeliveries.list({ alertId: 'alert-3' }, page)).items).toMatchObject([
        { noticeId: '3', state: 'cancelled', error: 'by anna' },
      ]);
      expect(await alertDeliveries.removeOlderThan(-60_000)).toBe(2);
      expect(await alertDeliveries.countOpen()).toBe(1);
    });
  });
}
