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

/** Notifications for operators, and system messages. */
export function notificationRoutes({ notifications, systemMessages, audit }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/notifications',
      tag: 'System/Notifications',
      summary: 'List the notifications for operators',
      description: 'Includes only the types the caller may read.',
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
      summary: 'Remove all notifications of a type',
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
      summary: 'List the system messages, newest first',
      permission: 'systemmessages:read',
      query: systemMessagesQuerySchema,
      responses: { 200: systemMessageListSchema },
      errors: [],
      handler: ({ query }) => systemMessages.list(query.page),
    }),
  ];
}
