import type { Kysely } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { writeJson } from '../columns.ts';
import type { DatabaseTime } from '../database-time.ts';
import type { Database } from '../tables/index.ts';
import { inTransaction } from './transaction.ts';

/** Something people are told about an alert. `content` is the whole of it, in the shape of `alerts/notifications`. */
export interface NewNoticeRecord {
  readonly id: string;
  readonly kind: string;
  readonly ruleId: string;
  readonly ruleTitle: string;
  readonly alertId: string | null;
  readonly streamIds: readonly string[];
  /** One line, for the history. */
  readonly description: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The notification that delivers a notice. Its type and title stay in the history when it is removed. */
export interface DeliveryTarget {
  readonly notificationId: string;
  readonly notificationType: string;
  readonly notificationTitle: string;
}

/** The queue of notices that are to be delivered, and the history of those that were. */
export interface AlertDeliveriesRepository {
  /** Stores the notice and a delivery for each target. False, and nothing happens, if the notice's id is known. */
  enqueue(notice: NewNoticeRecord, targets: readonly DeliveryTarget[]): Promise<boolean>;
  /** How many wait or are being sent. */
  countOpen(): Promise<number>;
}

export function createAlertDeliveriesRepository(
  db: Kysely<Database>,
  clock: Clock,
  now: DatabaseTime,
): AlertDeliveriesRepository {
  return {
    enqueue: (notice, targets) =>
      inTransaction(db, async (transaction) => {
        const inserted = await transaction
          .insertInto('alert_notices')
          .values({
            id: notice.id,
            kind: notice.kind,
            rule_id: notice.ruleId,
            rule_title: notice.ruleTitle,
            alert_id: notice.alertId,
            stream_ids: writeJson(notice.streamIds),
            description: notice.description,
            content: writeJson(notice.content),
            created_at: now(),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted === undefined) return false;
        for (const target of targets) {
          await transaction
            .insertInto('alert_deliveries')
            .values({
              id: newEntityId(clock.now()),
              notice_id: notice.id,
              notification_id: target.notificationId,
              notification_type: target.notificationType,
              notification_title: target.notificationTitle,
              rule_id: notice.ruleId,
              state: 'pending',
              attempts: 0,
              next_attempt_at: now(),
              done_parts: writeJson<readonly string[]>([]),
              created_at: now(),
            })
            .execute();
        }
        return true;
      }),

    async countOpen() {
      const { total } = await db
        .selectFrom('alert_deliveries')
        .select((expression) => expression.fn.countAll<number>().as('total'))
        .where('state', 'in', ['pending', 'sending'])
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}
