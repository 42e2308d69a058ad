import {
  alertDeliveriesQuerySchema,
  alertDeliverySchema,
  allDeliveriesQuerySchema,
  cancelDeliveriesQuerySchema,
  cancelledDeliveriesSchema,
  deliveriesPageSchema,
  deliveriesQuerySchema,
  entityIdParameter,
  eventNotificationElementsSchema,
  eventNotificationPageSchema,
  eventNotificationRequestSchema,
  eventNotificationSchema,
  eventNotificationsQuerySchema,
  notificationTypeListSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { emptyReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import type { NotificationRouteDeps } from './alarm-callbacks.ts';

const tag = 'Alert notifications';
const anybody = { kind: 'authenticated' } as const;
const params = z.object({ notificationId: entityIdParameter });
const instance = ({ notificationId }: { readonly notificationId: string }) => notificationId;

/** Notifications as Graylog 3.1 and later have them, and what is on its way. */
export function eventNotificationRoutes(deps: NotificationRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...testRoutes(deps), ...deliveryRoutes(deps)];
}

function readRoutes({ events }: NotificationRouteDeps): Route[] {
  const typesOf = (face: 'callback' | 'event') => ({
    types: Object.fromEntries(events.types(face).map((type) => [type.type, type])),
  });
  const list = {
    method: 'GET',
    tag,
    description:
      'Those for which the user has eventnotifications:read, and those of streams for which the user has streams:read.',
    permission: anybody,
    query: eventNotificationsQuerySchema,
    errors: [],
  } as const;
  return [
    defineRoute({
      ...list,
      path: '/events/notifications',
      summary: 'List the notifications',
      responses: { 200: eventNotificationPageSchema },
      handler: ({ principal, query }) => events.page(principal, query),
    }),
    defineRoute({
      ...list,
      path: '/events/notifications/paginated',
      summary: 'List the notifications, as newer clients read lists',
      responses: { 200: eventNotificationElementsSchema },
      handler: async ({ principal, query }) => {
        const { notifications, query: text, ...pagination } = await events.page(principal, query);
        const { sort, order } = query;
        const { total } = pagination;
        return { query: text, sort, order, total, pagination, elements: notifications };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/events/notifications/types',
      tag,
      summary: 'List the types of notifications with their configuration fields',
      permission: anybody,
      responses: { 200: notificationTypeListSchema },
      errors: [],
      handler: () => typesOf('event'),
    }),
    defineRoute({
      method: 'GET',
      path: '/events/notifications/legacy/types',
      tag,
      summary: 'List the types of notifications as alarm callbacks',
      permission: anybody,
      responses: { 200: notificationTypeListSchema },
      errors: [],
      handler: () => typesOf('callback'),
    }),
    defineRoute({
      method: 'GET',
      path: '/events/notifications/:notificationId',
      tag,
      summary: 'Get one notification',
      permission: 'eventnotifications:read',
      instance,
      params,
      responses: { 200: eventNotificationSchema },
      errors: ['not_found'],
      handler: ({ params }) => events.get(params.notificationId),
    }),
  ];
}

function changeRoutes({ events }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/events/notifications',
      tag,
      summary: 'Create a notification',
      description: 'Rules name it by its id.',
      permission: 'eventnotifications:create',
      body: eventNotificationRequestSchema,
      responses: { 200: eventNotificationSchema },
      errors: [],
      handler: (request) => events.create(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: '/events/notifications/:notificationId',
      tag,
      summary: 'Change a notification',
      description: '409 if it was changed since the revision that the request names.',
      permission: 'eventnotifications:edit',
      instance,
      params,
      body: eventNotificationRequestSchema,
      responses: { 200: eventNotificationSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => events.change(request, request.params.notificationId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/events/notifications/:notificationId',
      tag,
      summary: 'Delete a notification',
      description: 'Rules that name it no longer use it. What waits to be sent by it is not sent.',
      permission: 'eventnotifications:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => events.remove(request, request.params.notificationId),
    }),
  ];
}

function testRoutes({ events }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/events/notifications/test',
      tag,
      summary: 'Send a test by a notification that is not saved',
      permission: 'eventnotifications:create',
      body: eventNotificationRequestSchema,
      responses: { 200: null },
      errors: ['delivery_failed'],
      handler: async (request) => {
        await events.testUnsaved(request, request.body);
        return emptyReply(200);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/events/notifications/:notificationId/test',
      tag,
      summary: 'Send a test by a notification',
      permission: 'eventnotifications:edit',
      instance,
      params,
      responses: { 200: null },
      errors: ['not_found', 'delivery_failed'],
      handler: async (request) => {
        await events.test(request.params.notificationId);
        return emptyReply(200);
      },
    }),
  ];
}

function deliveryRoutes({ deliveries }: NotificationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/alerts/queue',
      tag,
      summary: 'List the notices that wait to be sent',
      permission: 'eventnotifications:read',
      query: deliveriesQuerySchema,
      responses: { 200: deliveriesPageSchema },
      errors: [],
      handler: ({ query }) => deliveries.queue(query),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/alerts/queue',
      tag,
      summary: 'Cancel all notices that wait to be sent',
      description: 'Of one rule or notification, if given. What is being sent is sent.',
      permission: 'eventnotifications:edit',
      query: cancelDeliveriesQuerySchema,
      responses: { 200: cancelledDeliveriesSchema },
      errors: [],
      handler: async (request) => ({ cancelled: await deliveries.cancelAll(request, request.query) }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/alerts/queue/:deliveryId',
      tag,
      summary: 'Cancel a notice that waits to be sent',
      permission: 'eventnotifications:edit',
      params: z.object({ deliveryId: entityIdParameter }),
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: (request) => deliveries.cancel(request, request.params.deliveryId),
    }),
    defineRoute({
      method: 'GET',
      path: '/alerts/deliveries',
      tag,
      summary: 'List the notices that were sent, failed or were held back',
      description: 'Also those that wait. Newest first, kept for 30 days.',
      permission: 'eventnotifications:read',
      query: allDeliveriesQuerySchema,
      responses: { 200: deliveriesPageSchema },
      errors: [],
      handler: ({ query }) => deliveries.list(query),
    }),
    ...alertDeliveryRoutes(deliveries),
  ];
}

function alertDeliveryRoutes(deliveries: NotificationRouteDeps['deliveries']): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/streams/alerts/:alertId/deliveries',
      tag,
      summary: 'List the notices about one alert',
      description: 'Newest first, kept for 30 days. Needs streams:read for the streams of the alert.',
      permission: anybody,
      params: z.object({ alertId: entityIdParameter }),
      query: alertDeliveriesQuerySchema,
      responses: { 200: deliveriesPageSchema },
      errors: ['not_found', 'forbidden'],
      handler: ({ principal, params, query }) => deliveries.ofAlert(principal, params.alertId, query),
    }),
    defineRoute({
      method: 'POST',
      path: '/alerts/deliveries/:deliveryId/send_again',
      tag,
      summary: 'Send a notice that failed once more',
      description:
        'It goes into the queue and is sent to those it has not reached. Needs eventnotifications:edit for its notification, or streams:edit for the stream of its notification.',
      permission: anybody,
      params: z.object({ deliveryId: entityIdParameter }),
      responses: { 200: alertDeliverySchema },
      errors: ['not_found', 'forbidden', 'conflict'],
      handler: (request) => deliveries.sendAgain(request, request.params.deliveryId),
    }),
  ];
}
