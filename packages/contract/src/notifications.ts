import { z } from 'zod';
import { integerParameter } from './parameters.ts';
import { timestampSchema } from './time.ts';

/** The types of notifications, with Graylog's names where it has them. */
export const NOTIFICATION_TYPES = [
  'deflector_exists_as_index',
  'multi_master',
  'no_master',
  'es_open_files',
  'es_cluster_red',
  'es_unavailable',
  'no_input_running',
  'input_failed_to_start',
  'input_newline_delimited',
  'check_server_clocks',
  'outdated_version',
  'email_transport_configuration_invalid',
  'email_transport_failed',
  'stream_processing_disabled',
  'pipeline_rule_disabled',
  'extractor_disabled',
  'gc_too_long',
  'journal_utilization_too_high',
  'journal_uncommitted_messages_deleted',
  'output_disabled',
  'alert_evaluation_failed',
  'output_failing',
  'output_dropped_messages',
  'index_ranges_recalculation',
  'alert_notification_failed',
  'alert_notifications_held_back',
  'plugin_failed',
  'plugin_switched_off',
  'generic',
] as const;
export const notificationTypeSchema = z.enum(NOTIFICATION_TYPES);
export type NotificationType = z.infer<typeof notificationTypeSchema>;

export const notificationSchema = z
  .object({
    type: notificationTypeSchema,
    key: z.string().nullable().describe('Its subject, if there can be several of a type.'),
    severity: z.enum(['normal', 'urgent']),
    timestamp: timestampSchema,
    node_id: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Notification' });

/** `GET /system/notifications` */
export const notificationListSchema = z
  .object({ total: z.int().min(0), notifications: z.array(notificationSchema) })
  .meta({ id: 'NotificationList' });
export type NotificationList = z.infer<typeof notificationListSchema>;

export const SYSTEM_MESSAGES_PER_PAGE = 30;

export const systemMessagesQuerySchema = z.object({
  page: integerParameter({ min: 0, max: 1_000_000 })
    .default(1)
    .describe(`Page of ${SYSTEM_MESSAGES_PER_PAGE}, counted from 1.`),
});

/** `GET /system/messages` */
export const systemMessageListSchema = z
  .object({
    total: z.int().min(0),
    messages: z.array(
      z.object({
        caller: z.string(),
        content: z.string(),
        timestamp: timestampSchema,
        node_id: z.string(),
      }),
    ),
  })
  .meta({ id: 'SystemMessageList' });
export type SystemMessageList = z.infer<typeof systemMessageListSchema>;
