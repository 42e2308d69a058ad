import { NOTIFICATION_TYPES, type NotificationList, type NotificationType } from '@millrace/contract';
import { errorMessage, InvalidError } from '#core/index.ts';
import type { NotificationsRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';

export interface NotificationContent {
  readonly type: NotificationType;
  /** What it is about when there can be several of a type: an input's id, an output's id. */
  readonly key?: string;
  readonly severity?: 'normal' | 'urgent';
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * What an operator should look at, for the whole cluster.
 *
 * Contract: `publish` and `fix` are for the parts of the node that notice a trouble and its end. They never reject:
 * what they report on must not fail because of the report. Publishing what is there already changes nothing but its
 * details, so it may be done again and again.
 */
export interface Notifications {
  /** True when it was not there before. */
  publish(notification: NotificationContent): Promise<boolean>;
  /** The trouble is over. True when there was such a notification. */
  fix(type: NotificationType, key?: string): Promise<boolean>;
  /** Newest first. */
  list(): Promise<NotificationList['notifications']>;
  /** Takes all of the type away, by hand. Refuses words that are no type. */
  remove(type: string): Promise<void>;
}

export function createNotifications(
  deps: { readonly notifications: NotificationsRepository; readonly logger: Logger },
  config: { readonly nodeId: string },
): Notifications {
  const logger = deps.logger.child({ component: 'notifications' });

  async function unlessItFails(doing: string, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, `a notification could not be ${doing}`);
      return false;
    }
  }

  return {
    publish: ({ type, key = '', severity = 'normal', details = {} }) =>
      unlessItFails('published', async () => {
        const record = { type, key, severity, nodeId: config.nodeId, details };
        const isNew = await deps.notifications.publish(record);
        if (isNew)
          logger.warn({ type, key, severity, details }, 'something needs the attention of an operator');
        return isNew;
      }),
    fix: (type, key) =>
      unlessItFails('taken back', async () => {
        const removed = await deps.notifications.remove(type, key);
        if (removed > 0) logger.info({ type, key }, 'something no longer needs the attention of an operator');
        return removed > 0;
      }),
    async list() {
      const records = await deps.notifications.list();
      return records.flatMap(({ type, key, severity, timestamp, nodeId, details }) =>
        // A newer node may know types that this one does not.
        isNotificationType(type)
          ? [
              {
                type,
                key: key === '' ? null : key,
                severity,
                timestamp: new Date(timestamp).toISOString(),
                node_id: nodeId,
                details: { ...details },
              },
            ]
          : [],
      );
    },
    async remove(type) {
      const known = type.toLowerCase();
      if (!isNotificationType(known)) {
        throw new InvalidError(
          `No such notification type: ${JSON.stringify(type.slice(0, 100))}. Expected one of ${NOTIFICATION_TYPES.join(', ')}.`,
        );
      }
      await deps.notifications.remove(known);
    },
  };
}

function isNotificationType(type: string): type is NotificationType {
  return (NOTIFICATION_TYPES as readonly string[]).includes(type);
}
