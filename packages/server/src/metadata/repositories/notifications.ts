import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { NotificationSeverity } from '../tables/notifications.ts';
import { inTransaction } from './transaction.ts';

export interface NewNotification {
  /** Lower case, with underscores: `no_input_running`. */
  readonly type: string;
  /** Tells several notifications of a type apart (an input's id); otherwise the empty string. */
  readonly key: string;
  readonly severity: NotificationSeverity;
  readonly nodeId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface NotificationRecord extends NewNotification {
  /** When it was first published. */
  readonly timestamp: number;
}

/** What needs an operator's attention, until it is resolved. One for each type and key. */
export interface NotificationsRepository {
  /** True if it is new. Otherwise updates its severity, node and details. */
  publish(notification: NewNotification): Promise<boolean>;
  /** Newest first. */
  list(): Promise<readonly NotificationRecord[]>;
  /** Removes one, or without a key all of the type; returns how many. */
  remove(type: string, key?: string): Promise<number>;
}

export function createNotificationsRepository(db: Kysely<Database>, clock: Clock): NotificationsRepository {
  return {
    publish: (notification) =>
      inTransaction(db, async (transaction) => {
        const { type, key } = notification;
        const content = {
          severity: notification.severity,
          node_id: notification.nodeId,
          details: writeJson(notification.details),
        };
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('notifications')
          .values({ type, key, timestamp: clock.now(), ...content })
          .onConflict((conflict) => conflict.columns(['type', 'key']).doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows) return true;
        await transaction
          .updateTable('notifications')
          .set(content)
          .where('type', '=', type)
          .where('key', '=', key)
          .execute();
        return false;
      }),

    async list() {
      const rows = await db
        .selectFrom('notifications')
        .selectAll()
        .orderBy('timestamp', 'desc')
        .orderBy('type')
        .orderBy('key')
        .execute();
      return rows.map(({ node_id, details, ...row }) => ({
        ...row,
        nodeId: node_id,
        details: readJson(details),
      }));
    },

    async remove(type, key) {
      let query = db.deleteFrom('notifications').where('type', '=', type);
      if (key !== undefined) query = query.where('key', '=', key);
      const { numDeletedRows } = await query.executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
