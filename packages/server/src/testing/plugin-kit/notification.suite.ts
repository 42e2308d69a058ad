import { describe, expect, test } from 'vitest';
import { type NotificationType, SendFailure } from '#alerts/notifications/index.ts';
import type { RawConfiguration } from '#core/index.ts';
import { aBacklogMessage, aNotice } from '../alert-notice.ts';
import { eventually } from '../eventually.ts';
import { sendNotice } from '../notification-fixture.ts';

export interface NotificationUnderTest {
  readonly type: NotificationType;
  open(): Promise<TestReceiver>;
}

/** Who is told in a test. */
export interface TestReceiver {
  readonly configuration: Record<string, unknown> & RawConfiguration;
  received(): string | Promise<string>;
  /** From now on nobody can be told. */
  goAway?(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** What `NotificationSender` demands of every type of notification. */
export function notificationSuite({ type, open }: NotificationUnderTest): void {
  describe(`${type.id} keeps the contract of notifications`, () => {
    test('the receiver is told about every kind of notice', async () => {
      const receiver = await open();
      try {
        for (const kind of ['triggered', 'repeated', 'resolved', 'test'] as const) {
          const rule = { ...aNotice().rule, title: `Rule ${kind}` };
          const notice = aNotice({ kind, rule, backlog: [aBacklogMessage()] });
          await sendNotice(type, receiver.configuration, notice);
          await eventually(async () => expect(await receiver.received()).toContain(`Rule ${kind}`));
        }
      } finally {
        await receiver.close();
      }
    });

    test('it says so if nobody can be told, and whether another attempt makes sense', async () => {
      const receiver = await open();
      try {
        if (receiver.goAway === undefined) return;
        await receiver.goAway();
        const attempt = sendNotice(type, receiver.configuration, aNotice());
        await expect(attempt).rejects.toBeInstanceOf(SendFailure);
      } finally {
        await receiver.close();
      }
    });
  });
}
