import { expect, onTestFinished, test } from 'vitest';
import type { Metadata } from '#metadata/index.ts';
import { aBacklogMessage, aNotice } from '#testing/alert-notice.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createNoticeQueue, type NoticeQueue } from './queue.ts';

interface Fixture {
  readonly metadata: Metadata;
  readonly queue: NoticeQueue;
  readonly added: () => number;
  notification(configuration?: Record<string, unknown>): Promise<string>;
  /** What is queued: the notification and the stored notice. */
  queued(): Promise<{ notificationId: string; content: { backlog: unknown[] } }[]>;
}

async function openFixture(): Promise<Fixture> {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const calls: string[] = [];
  return {
    metadata,
    queue: createNoticeQueue({ metadata, added: () => void calls.push('added') }),
    added: () => calls.length,
    async notification(configuration = {}) {
      const { id } = await metadata.repositories.alertNotifications.insert({
        streamId: null,
        type: 'email',
        wireType: 'email-notification-v1',
        title: 'Mail',
        description: '',
        configuration,
        creator: 'anna',
      });
      return id;
    },
    async queued() {
      const rows = await metadata.db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
        .select(['notification_id', 'content'])
        .execute();
      return rows.map((row) => ({
        notificationId: row.notification_id,
        content: JSON.parse(row.content ?? 'null'),
      }));
    },
  };
}

test('each notification gets the notice once', async () => {
  const { queue, notification, queued, added } = await openFixture();
  const [first, second] = [await notification(), await notification()];
  await queue.enqueue(aNotice(), [first, second, first, 'removed']);
  await queue.enqueue(aNotice(), [first, second]);
  expect((await queued()).map(({ notificationId }) => notificationId).sort()).toEqual([first, second].sort());
  expect((await queued())[0]?.content).toEqual(aNotice());
  expect(added()).toBe(1);
});

test('nothing is queued when the transaction of the caller fails', async () => {
  const { metadata, queue, notification, queued } = await openFixture();
  const id = await notification();
  const failing = metadata.transaction(async (scope) => {
    await queue.enqueue(aNotice(), [id], scope);
    throw new Error('the alert could not be stored');
  });
  await expect(failing).rejects.toThrow('the alert could not be stored');
  expect(await queued()).toEqual([]);
});

test('only notifications with that option say that an alert is over', async () => {
  const { queue, notification, queued } = await openFixture();
  const ids = [await notification(), await notification({ send_resolved: true })];
  await queue.enqueue(aNotice({ id: 'a:resolved', kind: 'resolved' }), ids);
  expect((await queued()).map(({ notificationId }) => notificationId)).toEqual([ids[1]]);
});

test('a backlog of huge messages is cut to its newest', async () => {
  const { queue, notification, queued } = await openFixture();
  const backlog = Array.from({ length: 20 }, (_, index) =>
    aBacklogMessage({ id: String(index), message: 'x'.repeat(100_000) }),
  );
  await queue.enqueue(aNotice({ backlog }), [await notification()]);
  const [entry] = await queued();
  expect(entry?.content.backlog).toEqual(backlog.slice(0, 5));
});
