import { z } from 'zod';
import { outputSchema } from './outputs.ts';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { listParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';
import { lineOfText } from './users.ts';

export const MAX_STREAM_TITLE_LENGTH = 200;
export const MAX_STREAM_DESCRIPTION_LENGTH = 2000;
export const MAX_STREAM_RULES = 500;

export const matchingTypeSchema = z
  .enum(['AND', 'OR'])
  .meta({ description: 'Whether all rules must match, or at least one' });

export const streamStateSchema = z.enum(['running', 'paused', 'disabled']).meta({
  description:
    '`disabled`: its rules exceeded their time limit too often; it stays disabled until it is resumed',
});
export type StreamStateName = z.infer<typeof streamStateSchema>;

const ruleTypeSchema = z.int().meta({
  description:
    '1 exact, 2 regular expression, 3 greater, 4 smaller, 5 presence, 6 contains, 7 always match, 8 match input; from 128 on, types of plugins',
});

export const streamRuleSchema = z
  .object({
    id: z.string(),
    stream_id: z.string(),
    type: ruleTypeSchema,
    field: z.string(),
    value: z.string(),
    inverted: z.boolean(),
    description: z.string().nullable(),
    content_pack: z.string().nullable(),
  })
  .meta({ id: 'StreamRule' });
export type StreamRuleView = z.infer<typeof streamRuleSchema>;

export const streamSchema = z
  .object({
    id: z.string(),
    creator_user_id: z.string(),
    outputs: z.array(outputSchema).describe('Empty for users without stream_outputs:read.'),
    matching_type: matchingTypeSchema,
    description: z.string().nullable(),
    created_at: timestampSchema,
    disabled: z.boolean().describe('True if it receives no messages: `state` is paused or disabled.'),
    state: streamStateSchema,
    state_reason: z.string().nullable().describe('Why it is disabled.'),
    rules: z.array(streamRuleSchema),
    alert_conditions: z.array(z.record(z.string(), z.unknown())),
    alert_receivers: z.object({ emails: z.array(z.string()), users: z.array(z.string()) }),
    title: z.string(),
    content_pack: z.string().nullable(),
    is_default: z.boolean(),
    is_editable: z.boolean().describe('False for built-in streams.'),
    remove_matches_from_default_stream: z.boolean(),
    index_set_id: z.string(),
    revision: revisionSchema,
  })
  .meta({ id: 'Stream' });
export type Stream = z.infer<typeof streamSchema>;

/** `GET /streams`, `GET /streams/enabled` */
export const streamListSchema = z
  .object({ total: z.int().min(0), streams: z.array(streamSchema) })
  .meta({ id: 'StreamList' });
export type StreamList = z.infer<typeof streamListSchema>;

export const STREAM_SORT_FIELDS = [
  'title',
  'description',
  'created_at',
  'disabled',
  'state',
  'index_set_title',
] as const;

/** What a user can be allowed to do with single streams that they choose from a list. */
export const STREAM_CHOICE_PERMISSIONS = ['streams:edit', 'pipeline_connection:edit'] as const;
export type StreamChoicePermission = (typeof STREAM_CHOICE_PERMISSIONS)[number];

export const streamPageQuerySchema = z.object({
  ...pagingQueryShape,
  sort: z.enum(STREAM_SORT_FIELDS).default('title').describe('Field to sort by.'),
  ids: listParameter().optional().describe('Only the streams with these ids.'),
  index_set_id: z.string().max(100).optional().describe('Only the streams of this index set.'),
  permission: z
    .enum(STREAM_CHOICE_PERMISSIONS)
    .optional()
    .describe('Only the streams for which the user has this permission.'),
});
export type StreamPageQuery = z.infer<typeof streamPageQuerySchema>;

/** `GET /streams/paginated` */
export const streamPageSchema = z
  .object({
    query: z.string(),
    sort: z.string(),
    order: z.enum(['asc', 'desc']),
    ...pagingResponseShape,
    pagination: z.object(pagingResponseShape),
    elements: z.array(streamSchema),
  })
  .meta({ id: 'StreamPage' });
export type StreamPage = z.infer<typeof streamPageSchema>;

const text = z.string().nullable().default('');

/** A rule in a request. Properties that its type does not need may be empty or missing. */
export const streamRuleRequestSchema = z
  .strictObject({
    type: ruleTypeSchema,
    field: text,
    value: text,
    inverted: z.boolean().nullable().default(false),
    description: z.string().max(MAX_STREAM_DESCRIPTION_LENGTH).nullable().default(''),
  })
  .meta({ id: 'StreamRuleRequest' });
export type StreamRuleRequest = z.infer<typeof streamRuleRequestSchema>;

const titleSchema = lineOfText(1, MAX_STREAM_TITLE_LENGTH).refine((title) => title.trim() !== '', {
  error: 'a title cannot be blank',
});
const descriptionSchema = z.string().max(MAX_STREAM_DESCRIPTION_LENGTH).nullable().optional();
const indexSetIdSchema = z
  .string()
  .max(100)
  .nullable()
  .optional()
  .meta({ description: 'The default index set if missing' });
/** Clients send an empty text for "unchanged". */
const optionalMatchingType = z
  .union([matchingTypeSchema, z.literal('')])
  .nullable()
  .optional();

/** `POST /streams` */
export const createStreamRequestSchema = z
  .strictObject({
    title: titleSchema,
    description: descriptionSchema,
    rules: z.array(streamRuleRequestSchema).max(MAX_STREAM_RULES).nullable().optional(),
    content_pack: z.string().max(100).nullable().optional(),
    matching_type: optionalMatchingType,
    remove_matches_from_default_stream: z.boolean().nullable().optional(),
    index_set_id: indexSetIdSchema,
  })
  .meta({ id: 'CreateStreamRequest' });
export type CreateStreamRequest = z.infer<typeof createStreamRequestSchema>;

export const streamCreatedSchema = z.object({ stream_id: z.string() }).meta({ id: 'StreamCreated' });

/** `PUT /streams/{id}`: missing, null or empty properties stay unchanged. */
export const updateStreamRequestSchema = z
  .strictObject({
    title: z
      .union([titleSchema, z.literal('')])
      .nullable()
      .optional(),
    description: descriptionSchema,
    matching_type: optionalMatchingType,
    remove_matches_from_default_stream: z.boolean().nullable().optional(),
    index_set_id: indexSetIdSchema,
    rules: z.array(z.unknown()).nullable().optional().describe('Ignored: rules have their own endpoints.'),
    content_pack: z.string().nullable().optional().describe('Ignored.'),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'UpdateStreamRequest' });
export type UpdateStreamRequest = z.infer<typeof updateStreamRequestSchema>;

/** `POST /streams/{id}/clone` */
export const cloneStreamRequestSchema = z
  .strictObject({
    title: titleSchema,
    description: descriptionSchema,
    remove_matches_from_default_stream: z.boolean().nullable().optional(),
    index_set_id: indexSetIdSchema,
  })
  .meta({ id: 'CloneStreamRequest' });
export type CloneStreamRequest = z.infer<typeof cloneStreamRequestSchema>;

/** `POST /streams/{id}/testMatch` */
export const testMatchRequestSchema = z
  .strictObject({
    message: z
      .record(z.string(), z.unknown())
      .describe('Fields by name, as in a stored message: message, source, level, …'),
  })
  .meta({ id: 'TestMatchRequest' });

export const testMatchResponseSchema = z
  .object({
    matches: z.boolean(),
    rules: z.record(z.string(), z.boolean()).describe('The result of each rule, by its id.'),
    timed_out: z
      .boolean()
      .optional()
      .describe('The rules exceeded their time limit on this message, so it does not match.'),
  })
  .meta({ id: 'TestMatchResponse' });
export type TestMatchResponse = z.infer<typeof testMatchResponseSchema>;

/** `GET /streams/{id}/rules` */
export const streamRuleListSchema = z
  .object({ total: z.int().min(0), stream_rules: z.array(streamRuleSchema) })
  .meta({ id: 'StreamRuleList' });
export type StreamRuleList = z.infer<typeof streamRuleListSchema>;

/** `PUT /streams/{id}/rules` */
export const replaceRulesRequestSchema = z
  .strictObject({
    matching_type: matchingTypeSchema.optional().describe('Unchanged if missing.'),
    rules: z
      .array(
        streamRuleRequestSchema.extend({
          id: z.string().max(100).optional().describe('Of the rule that it replaces; a new rule without.'),
        }),
      )
      .max(MAX_STREAM_RULES),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'ReplaceStreamRulesRequest' });
export type ReplaceRulesRequest = z.infer<typeof replaceRulesRequestSchema>;

export const streamRuleCreatedSchema = z
  .object({ streamrule_id: z.string() })
  .meta({ id: 'StreamRuleCreated' });

/** `GET /streams/{id}/rules/types` */
export const streamRuleTypesSchema = z.array(
  z
    .object({
      id: z.int(),
      name: z.string(),
      short_desc: z.string(),
      long_desc: z.string(),
      needs_field: z.boolean(),
      needs_value: z.boolean(),
    })
    .meta({ id: 'StreamRuleType' }),
);
export type StreamRuleTypeView = z.infer<typeof streamRuleTypesSchema>[number];

/** `POST /streams/bulk_delete`, `bulk_pause`, `bulk_resume` */
export const bulkRequestSchema = z
  .strictObject({ entity_ids: z.array(z.string().max(100)).min(1).max(1000) })
  .meta({ id: 'BulkRequest' });

export const bulkResultSchema = z
  .object({
    successfully_performed: z.int().min(0),
    failures: z.array(z.object({ entity_id: z.string(), failure_explanation: z.string() })),
    errors: z.array(z.string()),
  })
  .meta({ id: 'BulkResult' });
export type BulkResult = z.infer<typeof bulkResultSchema>;

/** `PUT /streams/indexSet/{id}`: the ids of the streams. */
export const streamIdListSchema = z.array(z.string().max(100)).max(1000);
