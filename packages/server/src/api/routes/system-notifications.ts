import {
  notificationListSchema,
  systemMessageListSchema,
  systemMessagesQuerySchema,
} from '@millrace/contract';
import { z } from 'zod';
import { type AuditLog, recordAction } from '#core/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface NotificationRouteDeps {
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly audit: AuditLog;
}

/** What needs an operator, and what happened. */
export function notificationRoutes({ notifications, systemMessages, audit }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/notifications',
      tag: 'System/Notifications',
      summary: 'List what needs the attention of an operator',
      description: 'Only the types the caller may read.',
      permission: { kind: 'authenticated' },
      responses: { 200: notificationListSchema },
      errors: [],
      handler: async ({ principal }) => {
        const readable = (await notifications.list()).filter(({ type }) =>
          principal.can('notifications:read', type),
        );
        return { total: readable.length, notifications: readable };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/notifications/:notificationType',
      tag: 'System/Notifications',
      summary: 'Take all notifications of a type away',
      permission: 'notifications:delete',
      instance: (params) => params.notificationType.toLowerCase(),
      params: z.object({ notificationType: z.string().min(1).max(200) }),
      responses: { 204: null },
      errors: [],
      handler: async (request) => {
        const { notificationType } = request.params;
        await notifications.remove(notificationType);
        await recordAction(audit, request, 'notification.delete', {
          objectId: notificationType.toLowerCase(),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/messages',
      tag: 'System/Messages',
      summary: 'List what the nodes did, newest first',
      permission: 'systemmessages:read',
      query: systemMessagesQuerySchema,
      responses: { 200: systemMessageListSchema },
      errors: [],
      handler: ({ query }) => systemMessages.list(query.page),
    }),
  ];
}
