import { z } from 'zod';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { timeRangeSchema } from './search-messages.ts';
import { MAX_RULE_TITLE_LENGTH, ruleStateSchema } from './stream-alerts.ts';
import { timestampSchema } from './time.ts';

const anyObject = z.record(z.string(), z.unknown());

export const eventDefinitionSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    remediation_steps: z.string(),
    updated_at: timestampSchema,
    matched_at: timestampSchema.nullable(),
    priority: z.int().describe('1 low, 2 normal, 3 high.'),
    alert: z.boolean().describe('Whether notifications are sent; otherwise it only records events.'),
    config: anyObject.describe('By `type`: aggregation-v1, silence, change.'),
    field_spec: anyObject,
    key_spec: z.array(z.string()),
    notification_settings: z.object({ grace_period_ms: z.number(), backlog_size: z.int() }),
    notifications: z.array(
      z.object({ notification_id: z.string(), notification_parameters: anyObject.nullable() }),
    ),
    storage: z.array(anyObject),
    state: z.enum(['ENABLED', 'DISABLED']),
    rule_state: ruleStateSchema,
  })
  .meta({ id: 'EventDefinition' });
export type EventDefinitionView = z.infer<typeof eventDefinitionSchema>;

/** What clients send back from an answer is ignored. */
export const eventDefinitionRequestSchema = z
  .looseObject({
    title: z.string().min(1).max(MAX_RULE_TITLE_LENGTH),
    description: z.string().max(10_000).nullable().optional(),
    remediation_steps: z.string().max(10_000).nullable().optional(),
    priority: z.int().min(1).max(3).nullable().optional(),
    alert: z.boolean().nullable().optional(),
    config: z.looseObject({
      type: z.string().max(100),
      query: z.string().max(10_000).nullable().optional(),
      streams: z.array(z.string().max(100)).max(1000).nullable().optional(),
      execute_every_ms: z
        .int()
        .min(1000)
        .max(31 * 86_400_000)
        .nullable()
        .optional(),
      use_cron_scheduling: z.boolean().nullable().optional(),
      cron_expression: z.string().max(200).nullable().optional(),
      cron_timezone: z.string().max(100).nullable().optional(),
    }),
    field_spec: anyObject.nullable().optional(),
    key_spec: z.array(z.string().max(500)).max(20).nullable().optional(),
    notification_settings: z
      .looseObject({
        grace_period_ms: z
          .number()
          .min(0)
          .max(366 * 86_400_000)
          .nullable()
          .optional(),
        backlog_size: z.int().min(0).max(500).nullable().optional(),
      })
      .nullable()
      .optional(),
    notifications: z
      .array(
        z.looseObject({
          notification_id: z.string().max(100),
          notification_parameters: anyObject.nullable().optional(),
        }),
      )
      .max(100)
      .nullable()
      .optional(),
  })
  .meta({ id: 'EventDefinitionRequest' });
export type EventDefinitionRequest = z.infer<typeof eventDefinitionRequestSchema>;

export const eventDefinitionPageQuerySchema = z.object(pagingQueryShape);
export type EventDefinitionPageQuery = z.infer<typeof eventDefinitionPageQuerySchema>;

/** `GET /events/definitions` */
export const eventDefinitionPageSchema = z
  .object({
    ...pagingResponseShape,
    grand_total: z.int().min(0),
    query: z.string(),
    event_definitions: z.array(eventDefinitionSchema),
    elements: z.array(eventDefinitionSchema),
    pagination: z.object(pagingResponseShape),
  })
  .meta({ id: 'EventDefinitionPage' });
export type EventDefinitionPage = z.infer<typeof eventDefinitionPageSchema>;

/** `POST /events/definitions/validate` */
export const eventDefinitionValidationSchema = z
  .object({
    failed: z.boolean(),
    errors: z.record(z.string(), z.array(z.string())).describe('By place in the request.'),
    error_context: anyObject,
  })
  .meta({ id: 'EventDefinitionValidation' });
export type EventDefinitionValidation = z.infer<typeof eventDefinitionValidationSchema>;

/** `GET /events/definitions/{id}/with-context` */
export const eventDefinitionWithContextSchema = z
  .object({ event_definition: eventDefinitionSchema, context: anyObject, is_mutable: z.boolean() })
  .meta({ id: 'EventDefinitionWithContext' });

export const eventSchema = z
  .object({
    id: z.string(),
    event_definition_type: z.string(),
    event_definition_id: z.string(),
    origin_context: z.string().nullable(),
    timestamp: timestampSchema,
    timestamp_processing: timestampSchema,
    timerange_start: timestampSchema.nullable(),
    timerange_end: timestampSchema.nullable(),
    streams: z.array(z.string()),
    source_streams: z.array(z.string()),
    message: z.string(),
    source: z.string(),
    key_tuple: z.array(z.string()),
    key: z.string(),
    priority: z.int(),
    scores: anyObject,
    alert: z.boolean(),
    fields: z.record(z.string(), z.string()),
    group_by_fields: z.record(z.string(), z.string()),
    replay_info: anyObject.nullable(),
    resolved_at: timestampSchema.nullable().describe('When the alert was over; null while it is open.'),
  })
  .meta({ id: 'Event' });
export type EventView = z.infer<typeof eventSchema>;

export const eventAnswerSchema = z
  .object({ event: eventSchema, index_name: z.string(), index_type: z.string() })
  .meta({ id: 'EventAnswer' });
export type EventAnswer = z.infer<typeof eventAnswerSchema>;

export const EVENT_SORT_FIELDS = [
  'timestamp',
  'priority',
  'message',
  'key',
  'event_definition_id',
  'event_definition_type',
  'alert',
] as const;

/** `POST /events/search` */
export const eventSearchRequestSchema = z
  .looseObject({
    query: z.string().max(10_000).nullable().optional(),
    page: z.int().min(1).max(10_000).default(1),
    per_page: z.int().min(1).max(1000).default(25),
    timerange: timeRangeSchema.default({ type: 'relative', range: 86_400 }),
    filter: z
      .looseObject({
        alerts: z.enum(['include', 'exclude', 'only']).default('include'),
        event_definitions: z.array(z.string().max(100)).max(1000).default([]),
      })
      .default({ alerts: 'include', event_definitions: [] }),
    sort_by: z.enum(EVENT_SORT_FIELDS).default('timestamp'),
    sort_direction: z.enum(['asc', 'desc']).default('desc'),
  })
  .meta({ id: 'EventSearchRequest' });
export type EventSearchRequest = z.infer<typeof eventSearchRequestSchema>;

const contextEntry = z.object({ id: z.string(), title: z.string(), description: z.string() });

export const eventSearchSchema = z
  .object({
    events: z.array(eventAnswerSchema),
    used_indices: z.array(z.string()),
    parameters: anyObject,
    total_events: z.int().min(0),
    duration: z.number().describe('Milliseconds.'),
    context: z.object({
      event_definitions: z.record(z.string(), contextEntry),
      streams: z.record(z.string(), contextEntry),
    }),
  })
  .meta({ id: 'EventSearch' });
export type EventSearch = z.infer<typeof eventSearchSchema>;

/** `POST /streams/{id}/alerts/conditions/preview` */
export const conditionPreviewRequestSchema = z
  .looseObject({
    type: z.string().min(1).max(200),
    parameters: anyObject,
    hours: z
      .number()
      .min(0.1)
      .max(31 * 24)
      .default(24),
  })
  .meta({ id: 'AlertConditionPreviewRequest' });
export type ConditionPreviewRequest = z.infer<typeof conditionPreviewRequestSchema>;

export const conditionPreviewSchema = z
  .object({
    points: z
      .array(z.tuple([z.number(), z.number().nullable()]))
      .describe('Time in milliseconds and value; for a condition with groups, how many of them are true.'),
    threshold: z.number().nullable(),
    periods: z
      .array(z.object({ from: z.number(), to: z.number().nullable(), key: z.array(z.string()) }))
      .describe('When it would have been an alert, in milliseconds; null: it still would be.'),
    notifications: z.int().min(0).describe('How many notices would have been sent.'),
    step_ms: z.number().describe('The time between two evaluations of this preview.'),
  })
  .meta({ id: 'AlertConditionPreview' });
export type ConditionPreview = z.infer<typeof conditionPreviewSchema>;
