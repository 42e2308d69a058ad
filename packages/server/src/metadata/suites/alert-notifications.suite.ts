import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
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
  });
}
