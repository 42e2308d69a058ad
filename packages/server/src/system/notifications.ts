import { NOTIFICATION_TYPES, type NotificationList, type NotificationType } from '@millrace/contract';
import { errorMessage, InvalidError } from '#core/index.ts';
import type { NotificationsRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';

export interface NotificationContent {
  readonly type: NotificationType;
  /** Tells several notifications of a type apart: the id of an input or output. */
  readonly key?: string;
  readonly severity?: 'normal' | 'urgent';
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * What needs an operator's attention, for the whole cluster.
 *
 * Contract: `publish` and `fix` are for the parts of the node that detect a problem and its end. They never reject: a
 * failed report must not break the work it reports on. Publishing a notification again only updates its details.
 */
export interface Notifications {
  /** True if it is new. */
  publish(notification: NotificationContent): Promise<boolean>;
  /** The problem is solved. True if there was such a notification. */
  fix(type: NotificationType, key?: string): Promise<boolean>;
  /** Newest first. */
  list(): Promise<NotificationList['notifications']>;
  /** Removes all notifications of a type, at an operator's request. Refuses unknown types. */
  remove(type: string): Promise<void>;
}

export function createNotifications(
  deps: { readonly notifications: NotificationsRepository; readonly logger: Logger },
  settings: { readonly nodeId: string },
): Notifications {
  const logger = deps.logger.child({ component: 'notifications' });

  async function falseOnFailure(action: string, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, `a notification could not be ${action}`);
      return false;
    }
  }

  return {
    publish: ({ type, key = '', severity = 'normal', details = {} }) =>
      falseOnFailure('published', async () => {
        const record = { type, key, severity, nodeId: settings.nodeId, details };
        const isNew = await deps.notifications.publish(record);
        if (isNew) logger.warn({ type, key, severity, details }, 'a problem needs attention');
        return isNew;
      }),
    fix: (type, key) =>
      falseOnFailure('removed', async () => {
        const removed = await deps.notifications.remove(type, key);
        if (removed > 0) logger.info({ type, key }, 'a problem has been solved');
        return removed > 0;
      }),
    async list() {
      const records = await deps.notifications.list();
      return records.flatMap(({ type, key, severity, timestamp, nodeId, details }) =>
        // A node of a newer version may publish types that this one does not know.
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
