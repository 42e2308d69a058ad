import { z } from 'zod';
import { configurationFieldSchema } from './inputs.ts';
import { pagingResponseShape } from './paging.ts';
import { integerParameter, listParameter, secondsParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

/** The most alerts in one answer. */
export const MAX_ALERTS = 300;
export const MAX_RULE_TITLE_LENGTH = 500;
const MAX_MUTE_MINUTES = 31 * 24 * 60;

export const ruleStateSchema = z
  .object({
    enabled: z.boolean(),
    evaluated_until: timestampSchema.describe('The end of the last messages that were looked at.'),
    failures: z.int().min(0).describe('Failed evaluations in a row.'),
    last_error: z.string().nullable().describe('Why the last evaluation failed.'),
    muted_until: timestampSchema.nullable().describe('No notifications until then.'),
  })
  .meta({ id: 'AlertRuleState' });
export type RuleStateView = z.infer<typeof ruleStateSchema>;

const parametersSchema = z
  .record(z.string(), z.unknown())
  .describe('See /alerts/conditions/types for the parameters of each type.');

export const alertConditionSchema = z
  .object({
    id: z.string().describe('A UUID.'),
    type: z.string(),
    title: z.string().nullable(),
    creator_user_id: z.string(),
    created_at: timestampSchema,
    parameters: parametersSchema,
    in_grace: z.boolean().describe('Whether its last alert was resolved less than the grace time ago.'),
    grace: z.number().describe('Minutes.'),
    backlog: z.int(),
    description: z.string().describe('What it is configured to do.'),
    stream_id: z.string(),
    state: ruleStateSchema,
    revision: revisionSchema,
  })
  .meta({ id: 'AlertCondition' });
export type AlertConditionView = z.infer<typeof alertConditionSchema>;

/** `GET /streams/{id}/alerts/conditions`, `GET /alerts/conditions` */
export const alertConditionListSchema = z
  .object({ total: z.int().min(0), conditions: z.array(alertConditionSchema) })
  .meta({ id: 'AlertConditionList' });
export type AlertConditionList = z.infer<typeof alertConditionListSchema>;

export const CONDITION_SORT_FIELDS = ['title', 'stream', 'created_at'] as const;

/** `GET /alerts/conditions/paginated` */
export const conditionsPageQuerySchema = z.object({
  page: integerParameter({ min: 1 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 }).default(50).describe('Elements per page.'),
  query: z.string().max(1000).default('').describe('Text to look for in titles and in titles of streams.'),
  stream_id: z.string().max(100).optional().describe('Only those of this stream.'),
  ids: listParameter().optional().describe('Only those with these ids.'),
  sort: z.enum(CONDITION_SORT_FIELDS).default('stream').describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the sort.'),
});
export type ConditionsPageQuery = z.infer<typeof conditionsPageQuerySchema>;
export const conditionPageSchema = z
  .object({ ...pagingResponseShape, conditions: z.array(alertConditionSchema) })
  .meta({ id: 'AlertConditionPage' });
export type ConditionPage = z.infer<typeof conditionPageSchema>;

const titleSchema = z.string().max(MAX_RULE_TITLE_LENGTH).nullable().optional();

/** Keys that we do not know are ignored: clients send back what they got. */
export const createConditionRequestSchema = z
  .looseObject({
    type: z.string().min(1).max(200),
    title: titleSchema,
    parameters: parametersSchema,
  })
  .meta({ id: 'CreateAlertCondition' });
export type CreateConditionRequest = z.infer<typeof createConditionRequestSchema>;

export const updateConditionRequestSchema = z
  .looseObject({
    type: z.string().max(200).nullable().optional().describe('Cannot be changed.'),
    title: titleSchema,
    parameters: parametersSchema.optional().describe('Those that are given replace the stored ones.'),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'UpdateAlertCondition' });
export type UpdateConditionRequest = z.infer<typeof updateConditionRequestSchema>;

export const conditionCreatedSchema = z
  .object({ alert_condition_id: z.string() })
  .meta({ id: 'AlertConditionCreated' });

/** `POST /streams/{id}/alerts/conditions/test` */
export const conditionTestSchema = z
  .object({
    triggered: z.boolean(),
    description: z.string().optional().describe('What was found.'),
    error: z.boolean(),
    error_messages: z.array(z.object({ type: z.string(), message: z.string() })),
  })
  .meta({ id: 'AlertConditionTest' });
export type ConditionTest = z.infer<typeof conditionTestSchema>;

/** `GET /alerts/conditions/types` */
export const conditionTypesSchema = z
  .record(
    z.string(),
    z.object({
      type: z.string(),
      name: z.string(),
      human_name: z.string(),
      description: z.string(),
      requested_configuration: z.record(z.string(), configurationFieldSchema),
      link_to_docs: z.string(),
    }),
  )
  .meta({ id: 'AlertConditionTypes' });
export type ConditionTypes = z.infer<typeof conditionTypesSchema>;

/** `GET /streams/{id}/alerts/check` */
export const alertCheckSchema = z
  .object({
    total_triggered: z.int().min(0),
    results: z.array(
      z.object({
        condition: alertConditionSchema,
        triggered: z.boolean(),
        alert_description: z.string().optional().describe('What was found, if it triggered.'),
        error: z.string().optional().describe('Why it could not be evaluated.'),
      }),
    ),
    calculated_at: timestampSchema,
  })
  .meta({ id: 'AlertCheck' });
export type AlertCheck = z.infer<typeof alertCheckSchema>;

export const triggeredAlertSchema = z
  .object({
    id: z.string(),
    condition_id: z.string().describe('A UUID.'),
    stream_id: z.string(),
    description: z.string(),
    condition_parameters: parametersSchema,
    triggered_at: timestampSchema,
    resolved_at: timestampSchema.nullable(),
    is_interval: z.boolean().describe('Always true: an alert lasts until it is resolved.'),
    title: z.string().describe('The title of the condition at that time.'),
    key: z.record(z.string(), z.string()).describe('The values of the fields that it was grouped by.'),
    condition_type: z.string(),
    stream_ids: z.array(z.string()).describe('All streams whose messages counted; empty for all messages.'),
    window: z
      .object({ from: timestampSchema, to: timestampSchema })
      .describe('The time of the messages that triggered it.'),
  })
  .meta({ id: 'TriggeredAlert' });
export type TriggeredAlert = z.infer<typeof triggeredAlertSchema>;

/** `GET /streams/{id}/alerts` */
export const triggeredAlertListSchema = z
  .object({ total: z.int().min(0), alerts: z.array(triggeredAlertSchema) })
  .meta({ id: 'TriggeredAlertList' });
export type TriggeredAlertList = z.infer<typeof triggeredAlertListSchema>;

const limitParameter = integerParameter({ min: 1 })
  .default(MAX_ALERTS)
  .describe(`The most alerts; never more than ${MAX_ALERTS}.`);

export const alertsQuerySchema = z.object({
  since: secondsParameter()
    .default(0)
    .describe('Only alerts triggered at this time or later, in seconds since the epoch.'),
  limit: limitParameter,
});
export type AlertsQuery = z.infer<typeof alertsQuerySchema>;

export const ALERT_SORT_FIELDS = ['triggered_at', 'resolved_at', 'title'] as const;

export const alertsPageQuerySchema = z.object({
  skip: integerParameter({ min: 0 }).default(0).describe('How many to leave out.'),
  limit: limitParameter,
  state: z.string().max(50).default('any').describe('`resolved`, `unresolved`, or any other word for both.'),
  query: z.string().max(1000).default('').describe('Text to look for in titles and descriptions.'),
  condition_id: z.string().max(100).optional().describe('Only those of this condition.'),
  sort: z.enum(ALERT_SORT_FIELDS).default('triggered_at').describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Direction of the sort.'),
});
export type AlertsPageQuery = z.infer<typeof alertsPageQuerySchema>;

/** `GET /streams/alerts/paginated` */
export const allAlertsPageQuerySchema = alertsPageQuerySchema.extend({
  stream_id: z.string().max(100).optional().describe('Only those of this stream.'),
});
export type AllAlertsPageQuery = z.infer<typeof allAlertsPageQuerySchema>;

/** `PUT …/mute` */
export const muteRequestSchema = z
  .strictObject({
    minutes: z
      .number()
      .min(0)
      .max(MAX_MUTE_MINUTES)
      .describe('No notifications for so long; 0 ends it. Alerts are still recorded.'),
  })
  .meta({ id: 'MuteAlertRule' });
export type MuteRequest = z.infer<typeof muteRequestSchema>;
