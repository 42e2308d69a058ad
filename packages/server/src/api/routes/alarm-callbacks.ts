import {
  alarmCallbackCreatedSchema,
  alarmCallbackListSchema,
  alarmCallbackRequestSchema,
  alarmCallbackSchema,
  alertDeliveryHistorySchema,
  alertReceiverQuerySchema,
  entityIdParameter,
  notificationTypeListSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { NotificationsService } from '#alerts/notifications/service.ts';
import { emptyReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Alert notifications';
const anybody = { kind: 'authenticated' } as const;
const streamParams = z.object({ streamId: entityIdParameter });
const params = z.object({ streamId: entityIdParameter, callbackId: entityIdParameter });
const instance = ({ streamId }: { readonly streamId: string }) => streamId;

export type NotificationRouteDeps = Pick<NotificationsService, 'callbacks' | 'events' | 'deliveries'>;

/** Notifications as alarm callbacks of streams, as Graylog up to 3.0 has them. */
export function alarmCallbackRoutes(deps: NotificationRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...globalRoutes(deps), ...receiverRoutes(deps)];
}

function readRoutes({ callbacks, events, deliveries }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/alarmcallbacks',
      tag,
      summary: 'List the notifications of a stream',
      description: 'All conditions of the stream use them.',
      permission: 'streams:read',
      instance,
      params: streamParams,
      responses: { 200: alarmCallbackListSchema },
      errors: ['not_found'],
      handler: async ({ params }) => {
        const alarmcallbacks = await callbacks.list(params.streamId);
        return { total: alarmcallbacks.length, alarmcallbacks };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/alarmcallbacks/available',
      tag,
      summary: 'List the types of notifications for a stream',
      permission: 'streams:read',
      instance,
      params: streamParams,
      responses: { 200: notificationTypeListSchema },
      errors: [],
      handler: () => ({
        types: Object.fromEntries(events.types('callback').map((type) => [type.type, type])),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/alarmcallbacks/:callbackId',
      tag,
      summary: 'Get one notification of a stream',
      permission: 'streams:read',
      instance,
      params,
      responses: { 200: alarmCallbackSchema },
      errors: ['not_found'],
      handler: ({ params }) => callbacks.get(params.streamId, params.callbackId),
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/alerts/:alertId/history',
      tag,
      summary: 'List the attempts to tell people about an alert',
      description: 'Newest first, at most 1000. Kept for 30 days.',
      permission: 'streams:read',
      instance,
      params: z.object({ streamId: entityIdParameter, alertId: z.string().min(1).max(200) }),
      responses: { 200: alertDeliveryHistorySchema },
      errors: [],
      handler: ({ params }) => deliveries.history(params.streamId, params.alertId),
    }),
  ];
}

function changeRoutes({ callbacks }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/streams/:streamId/alarmcallbacks',
      tag,
      summary: 'Add a notification to a stream',
      permission: 'streams:edit',
      instance,
      params: streamParams,
      body: alarmCallbackRequestSchema,
      responses: { 201: alarmCallbackCreatedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const { streamId } = request.params;
        const id = await callbacks.create(request, streamId, request.body);
        const location = `/api/streams/${streamId}/alarmcallbacks/${id}`;
        return reply(201, { alarmcallback_id: id }, { location });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/streams/:streamId/alarmcallbacks/:callbackId',
      tag,
      summary: 'Change a notification of a stream',
      description:
        'Replaces title, type and configuration. 409 if it was changed since the revision that the request names.',
      permission: 'streams:edit',
      instance,
      params,
      body: alarmCallbackRequestSchema,
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: (request) =>
        callbacks.change(request, request.params.streamId, request.params.callbackId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/streams/:streamId/alarmcallbacks/:callbackId',
      tag,
      summary: 'Remove a notification from a stream',
      permission: 'streams:edit',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => callbacks.remove(request, request.params.streamId, request.params.callbackId),
    }),
  ];
}

function globalRoutes({ callbacks, events }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/alerts/callbacks',
      tag,
      summary: 'List the notifications of all streams',
      description: 'Those of streams that the user may read.',
      permission: anybody,
      responses: { 200: alarmCallbackListSchema },
      errors: [],
      handler: async ({ principal }) => {
        const alarmcallbacks = await callbacks.listAll(principal);
        return { total: alarmcallbacks.length, alarmcallbacks };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/alerts/callbacks/types',
      tag,
      summary: 'List the types of notifications with their configuration fields',
      permission: anybody,
      responses: { 200: notificationTypeListSchema },
      errors: [],
      handler: () => ({
        types: Object.fromEntries(events.types('callback').map((type) => [type.type, type])),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/alerts/callbacks/:callbackId/test',
      tag,
      summary: 'Send a test by a notification of a stream',
      description: 'Needs streams:edit for the stream.',
      permission: anybody,
      params: z.object({ callbackId: entityIdParameter }),
      responses: { 200: null },
      errors: ['not_found', 'forbidden', 'delivery_failed'],
      handler: async (request) => {
        await callbacks.test(request, request.params.callbackId);
        return emptyReply(200);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/streams/:streamId/alerts/sendDummyAlert',
      tag,
      summary: 'Send a test by all notifications of a stream',
      permission: 'streams:edit',
      instance,
      params: streamParams,
      responses: { 204: null },
      errors: ['not_found', 'delivery_failed'],
      handler: ({ params }) => callbacks.sendDummyAlert(params.streamId),
    }),
  ];
}

function receiverRoutes({ callbacks }: NotificationRouteDeps): Route[] {
  const description = "Changes the receivers of the stream's e-mail notification.";
  return [
    defineRoute({
      method: 'POST',
      path: '/streams/:streamId/alerts/receivers',
      tag,
      summary: 'Add a receiver of alerts of a stream',
      description,
      permission: 'streams:edit',
      instance,
      params: streamParams,
      query: alertReceiverQuerySchema,
      responses: { 201: null },
      errors: ['not_found'],
      handler: async (request) => {
        await callbacks.addReceiver(request, request.params.streamId, request.query);
        return emptyReply(201);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/streams/:streamId/alerts/receivers',
      tag,
      summary: 'Remove a receiver of alerts of a stream',
      description,
      permission: 'streams:edit',
      instance,
      params: streamParams,
      query: alertReceiverQuerySchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => callbacks.removeReceiver(request, request.params.streamId, request.query),
    }),
  ];
}
