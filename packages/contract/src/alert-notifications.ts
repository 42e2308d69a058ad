import { z } from 'zod';
import { configurationFieldSchema } from './inputs.ts';
import { elementPageShape, pagingResponseShape } from './paging.ts';
import { booleanParameter, integerParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

/** Notifications about alerts, with Graylog's two faces: alarm callbacks of streams and event notifications. */

const MAX_TITLE_LENGTH = 200;
const configuration = z
  .record(z.string(), z.unknown())
  .describe(
    'Fields as the type asks for them; those left out have their defaults. Secrets show as <password set>; send that to keep them.',
  );

export const alarmCallbackSchema = z
  .object({
    id: z.string(),
    stream_id: z.string(),
    type: z.string().describe('The class name of its type.'),
    title: z.string().nullable(),
    configuration,
    created_at: timestampSchema,
    creator_user_id: z.string(),
    revision: revisionSchema,
  })
  .meta({ id: 'AlarmCallback' });
export type AlarmCallback = z.infer<typeof alarmCallbackSchema>;

/** `GET /streams/{id}/alarmcallbacks` and `GET /alerts/callbacks` */
export const alarmCallbackListSchema = z
  .object({ total: z.int().min(0), alarmcallbacks: z.array(alarmCallbackSchema) })
  .meta({ id: 'AlarmCallbackList' });
export type AlarmCallbackList = z.infer<typeof alarmCallbackListSchema>;

/** `POST` and `PUT` of an alarm callback. */
export const alarmCallbackRequestSchema = z
  .looseObject({
    type: z.string().min(1).max(200).describe('Class name or short id of the type.').meta({
      example: 'org.graylog2.alarmcallbacks.EmailAlarmCallback',
    }),
    title: z.string().max(MAX_TITLE_LENGTH).nullable().optional(),
    configuration: configuration.optional(),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'AlarmCallbackRequest' });
export type AlarmCallbackRequest = z.infer<typeof alarmCallbackRequestSchema>;

export const alarmCallbackCreatedSchema = z
  .object({ alarmcallback_id: z.string() })
  .meta({ id: 'AlarmCallbackCreated' });

export const notificationTypeViewSchema = z
  .object({
    type: z.string(),
    name: z.string(),
    description: z.string(),
    requested_configuration: z.record(z.string(), configurationFieldSchema),
    is_enabled: z.boolean().describe('False if an operator must switch it on first.'),
  })
  .meta({ id: 'AlertNotificationType' });
export type NotificationTypeView = z.infer<typeof notificationTypeViewSchema>;

/** `GET /alerts/callbacks/types`, `GET /events/notifications/types` */
export const notificationTypeListSchema = z
  .object({ types: z.record(z.string(), notificationTypeViewSchema).describe('By their name in requests.') })
  .meta({ id: 'AlertNotificationTypeList' });
export type NotificationTypeList = z.infer<typeof notificationTypeListSchema>;

const eventNotificationConfigSchema = z
  .looseObject({ type: z.string().min(1).max(200).meta({ example: 'email-notification-v1' }) })
  .describe('The type, and its configuration beside it.');

export const eventNotificationSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    config: eventNotificationConfigSchema,
    stream_id: z.string().nullable().describe('The stream whose conditions use it; null if rules name it.'),
    created_at: timestampSchema,
    creator_user_id: z.string(),
    revision: revisionSchema,
  })
  .meta({ id: 'EventNotification' });
export type EventNotification = z.infer<typeof eventNotificationSchema>;

/** `POST` and `PUT` of an event notification. */
export const eventNotificationRequestSchema = z
  .looseObject({
    title: z.string().trim().min(1).max(MAX_TITLE_LENGTH),
    description: z.string().max(2000).nullable().optional(),
    config: eventNotificationConfigSchema,
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'EventNotificationRequest' });
export type EventNotificationRequest = z.infer<typeof eventNotificationRequestSchema>;

export const EVENT_NOTIFICATION_SORT_FIELDS = ['title', 'type', 'description'] as const;

/** `GET /events/notifications` */
export const eventNotificationsQuerySchema = z.object({
  page: integerParameter({ min: 1 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 }).default(50).describe('Elements per page.'),
  query: z.string().max(1000).default('').describe('Text to look for in titles and descriptions.'),
  sort: z.enum(EVENT_NOTIFICATION_SORT_FIELDS).default('title').describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the sort.'),
});
export type EventNotificationsQuery = z.infer<typeof eventNotificationsQuerySchema>;
export const eventNotificationPageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), notifications: z.array(eventNotificationSchema) })
  .meta({ id: 'EventNotificationPage' });
export type EventNotificationPage = z.infer<typeof eventNotificationPageSchema>;
/** `GET /events/notifications/paginated` */
export const eventNotificationElementsSchema = z
  .object(elementPageShape(eventNotificationSchema))
  .meta({ id: 'EventNotificationElements' });

/** `POST` and `DELETE /streams/{id}/alerts/receivers` */
export const alertReceiverQuerySchema = z.object({
  entity: z.string().min(1).max(254).describe('A user name, or an e-mail address.'),
  type: z.enum(['users', 'emails']),
});
export type AlertReceiver = z.infer<typeof alertReceiverQuerySchema>;

export const DELIVERY_STATES = ['pending', 'sending', 'delivered', 'failed', 'cancelled', 'held'] as const;

export const alertDeliverySchema = z
  .object({
    id: z.string(),
    kind: z.string().describe('triggered, repeated, resolved, evaluation_failed or digest.'),
    state: z
      .enum(DELIVERY_STATES)
      .describe('pending waits for its next attempt; held was over a limit and is counted in a digest.'),
    rule_id: z.string(),
    rule_title: z.string(),
    alert_id: z.string().nullable(),
    stream_ids: z.array(z.string()),
    description: z.string(),
    notification_id: z.string(),
    notification_type: z.string(),
    notification_title: z.string(),
    attempts: z.int().min(0),
    next_attempt_at: timestampSchema.nullable().describe('Of one that waits.'),
    error: z.string().nullable().describe('Why the last attempt failed, or who was not reached.'),
    created_at: timestampSchema,
    finished_at: timestampSchema.nullable(),
    notification_stream_id: z
      .string()
      .nullable()
      .describe('The stream that its notification belongs to; null if rules name it, or if it was removed.'),
    can_send_again: z
      .boolean()
      .describe('Whether it failed, and what it says and its notification are known.'),
  })
  .meta({ id: 'AlertDelivery' });
export type AlertDelivery = z.infer<typeof alertDeliverySchema>;

const deliveryFilterShape = {
  rule_id: z.string().min(1).max(200).optional().describe('Only those of this rule.'),
  notification_id: z.string().min(1).max(200).optional().describe('Only those of this notification.'),
};

const deliveryPageShape = {
  page: integerParameter({ min: 1 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 }).default(50).describe('Elements per page.'),
};

/** `GET /alerts/queue` and `GET /alerts/deliveries` */
export const deliveriesQuerySchema = z.object({ ...deliveryPageShape, ...deliveryFilterShape });

/** `GET /alerts/deliveries` */
export const allDeliveriesQuerySchema = deliveriesQuerySchema.extend({
  ended: booleanParameter().default(false).describe('Leaves out those that still wait.'),
});
export type AllDeliveriesQuery = z.infer<typeof allDeliveriesQuerySchema>;
export type DeliveriesQuery = z.infer<typeof deliveriesQuerySchema>;

/** `GET /streams/alerts/{alertId}/deliveries` */
export const alertDeliveriesQuerySchema = z.object(deliveryPageShape);
export type AlertDeliveriesQuery = z.infer<typeof alertDeliveriesQuerySchema>;

export const deliveriesPageSchema = z
  .object({ ...pagingResponseShape, deliveries: z.array(alertDeliverySchema) })
  .meta({ id: 'AlertDeliveryPage' });
export type DeliveriesPage = z.infer<typeof deliveriesPageSchema>;

/** `DELETE /alerts/queue` */
export const cancelDeliveriesQuerySchema = z.object(deliveryFilterShape);
export const cancelledDeliveriesSchema = z
  .object({ cancelled: z.int().min(0).describe('How many will not be sent.') })
  .meta({ id: 'CancelledDeliveries' });

/** `GET /streams/{id}/alerts/{alertId}/history` */
export const alertDeliveryHistorySchema = z
  .object({
    total: z.int().min(0),
    histories: z.array(
      z.object({
        id: z.string(),
        alarmcallbackconfiguration: alarmCallbackSchema
          .extend({ stream_id: z.string().nullable() })
          .nullable()
          .describe('The notification as it is now; null if it was removed.'),
        alert_id: z.string(),
        alertcondition_id: z.string(),
        result: z.object({ type: z.enum(['success', 'error', 'pending']), error: z.string().optional() }),
        created_at: timestampSchema,
      }),
    ),
  })
  .meta({ id: 'AlertDeliveryHistory' });
export type AlertDeliveryHistory = z.infer<typeof alertDeliveryHistorySchema>;
