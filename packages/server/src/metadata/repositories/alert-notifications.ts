import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { AlertNotificationsTable } from '../tables/alert-notifications.ts';
import type { Database } from '../tables/index.ts';
import { changedRow, lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

/** The properties of an alert notification that users define and can change. */
export interface AlertNotificationProperties {
  readonly title: string;
  readonly description: string;
  /** The short id of its type, such as `email`. */
  readonly type: string;
  /** The type as the client named it, which is how it is answered. */
  readonly wireType: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

export interface NewAlertNotification extends AlertNotificationProperties {
  /** For callers that must know it before the notification is stored; otherwise it gets a new one. */
  readonly id?: string;
  /** The stream whose conditions all use it; null for a notification that rules name. */
  readonly streamId: string | null;
  /** The name of the user who created it. */
  readonly creator: string;
}

export interface AlertNotificationRecord extends NewAlertNotification {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Ways to tell people about alerts, as users configured them. Their secrets are encrypted. */
export interface AlertNotificationsRepository {
  /** Rejects with `ConflictError` if the stream does not exist. */
  insert(notification: NewAlertNotification): Promise<AlertNotificationRecord>;
  /** Replaces all properties. Undefined if the id is unknown. `check` throws to refuse it. */
  update(
    id: string,
    properties: AlertNotificationProperties,
    check?: (before: AlertNotificationRecord) => void,
  ): Promise<AlertNotificationRecord | undefined>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<AlertNotificationRecord | undefined>;
  /** Those of the ids that exist. */
  findMany(ids: readonly string[]): Promise<readonly AlertNotificationRecord[]>;
  /** Oldest first. */
  list(): Promise<readonly AlertNotificationRecord[]>;
  /** Oldest first. */
  listByStream(streamId: string): Promise<readonly AlertNotificationRecord[]>;
}

export function createAlertNotificationsRepository(
  db: Kysely<Database>,
  clock: Clock,
): AlertNotificationsRepository {
  const oldestFirst = () =>
    db.selectFrom('alert_notifications').selectAll().orderBy('created_at').orderBy('id');
  return {
    async insert(notification) {
      const now = clock.now();
      const row = {
        id: notification.id ?? newEntityId(now),
        stream_id: notification.streamId,
        ...propertyColumns(notification),
        creator: notification.creator,
        created_at: now,
        updated_at: now,
      };
      await db.insertInto('alert_notifications').values(row).execute();
      return fromRow(row);
    },

    update: (id, properties, check) =>
      inTransaction(db, async (transaction) => {
        const before = await lockedRow(transaction, 'alert_notifications', id);
        if (before === undefined) return undefined;
        check?.(fromRow(before));
        const columns = { ...propertyColumns(properties), updated_at: clock.now() };
        const row = await changedRow(transaction, 'alert_notifications', id, columns);
        return row && fromRow(row);
      }),

    async remove(id) {
      const result = await db.deleteFrom('alert_notifications').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async find(id) {
      const row = await oldestFirst().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async findMany(ids) {
      if (ids.length === 0) return [];
      return (
        await oldestFirst()
          .where('id', 'in', [...ids])
          .execute()
      ).map(fromRow);
    },

    list: async () => (await oldestFirst().execute()).map(fromRow),

    listByStream: async (streamId) =>
      (await oldestFirst().where('stream_id', '=', streamId).execute()).map(fromRow),
  };
}

function propertyColumns(properties: AlertNotificationProperties) {
  return {
    type: properties.type,
    wire_type: properties.wireType,
    title: properties.title,
    description: properties.description,
    configuration: writeJson(properties.configuration),
  };
}

function fromRow(row: Selectable<AlertNotificationsTable>): AlertNotificationRecord {
  return {
    id: row.id,
    streamId: row.stream_id,
    type: row.type,
    wireType: row.wire_type,
    title: row.title,
    description: row.description,
    configuration: readJson(row.configuration),
    creator: row.creator,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
