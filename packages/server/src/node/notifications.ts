/** Joins the notifications with the streams, the cluster and the operators. */
import {
  createNotificationsService,
  type NotificationsService,
  type NotificationsServiceDeps,
  type NotificationsServiceSettings,
} from '#alerts/notifications/service.ts';
import { NotFoundError } from '#core/index.ts';
import type { MessagePath } from './message-path.ts';

export interface NodeNotificationsDeps extends Omit<NotificationsServiceDeps, 'findStream'> {
  readonly streams: MessagePath['streams'];
}

export function createNodeNotifications(
  { streams, ...deps }: NodeNotificationsDeps,
  settings: NotificationsServiceSettings,
): NotificationsService {
  return createNotificationsService(
    {
      ...deps,
      async findStream(id) {
        try {
          // Destinations of notifications need not know where else messages go.
          return await streams.streams.get({ can: () => false }, id);
        } catch (error) {
          if (error instanceof NotFoundError) return undefined;
          throw error;
        }
      },
    },
    settings,
  );
}
