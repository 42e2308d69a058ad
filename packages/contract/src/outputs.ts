import { z } from 'zod';
import { configurationFieldSchema } from './inputs.ts';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

export const MAX_OUTPUT_TITLE_LENGTH = 200;
const MAX_ATTACHED = 500;

export const outputSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    type: z.string().describe('The class name of its type.'),
    creator_user_id: z.string(),
    created_at: timestampSchema,
    configuration: z
      .record(z.string(), z.unknown())
      .describe(
        'The configuration as it was sent. Passwords and other secrets show as <password set>; send that to keep them.',
      ),
    effective_configuration: z
      .record(z.string(), z.unknown())
      .describe(
        'The configuration as it runs: with the defaults of what was not sent, without what outputs of this type do not have.',
      ),
    content_pack: z.string().nullable(),
    revision: revisionSchema,
  })
  .meta({ id: 'Output' });
export type Output = z.infer<typeof outputSchema>;

/** `GET /system/outputs`, `GET /streams/{id}/outputs` */
export const outputListSchema = z
  .object({ total: z.int().min(0), outputs: z.array(outputSchema) })
  .meta({ id: 'OutputList' });
export type OutputList = z.infer<typeof outputListSchema>;

/** `GET /system/outputs/paginated` */
export const outputPageQuerySchema = z.object({
  ...pagingQueryShape,
  sort: z
    .enum(['state', 'title', 'type', 'queue', 'used_by'])
    .default('state')
    .describe('By state: those that fail first, then by title.'),
});
export const outputPageSchema = z
  .object({ ...pagingResponseShape, outputs: z.array(outputSchema) })
  .meta({ id: 'OutputPage' });
export type OutputPage = z.infer<typeof outputPageSchema>;

const titleSchema = z.string().trim().min(1).max(MAX_OUTPUT_TITLE_LENGTH);
const configurationSchema = z
  .record(z.string(), z.unknown())
  .describe('Fields as the type asks for them; those left out have their defaults.');

/** `POST /system/outputs` */
export const outputRequestSchema = z
  .looseObject({
    title: titleSchema,
    type: z
      .string()
      .min(1)
      .max(200)
      .describe('Class name or short id of the type, see /system/outputs/available.')
      .meta({ example: 'org.graylog2.outputs.GelfOutput' }),
    configuration: configurationSchema,
    streams: z
      .array(z.string().max(100))
      .max(MAX_ATTACHED)
      .nullable()
      .optional()
      .describe('Accepted for Graylog clients. Attach outputs with POST /streams/{id}/outputs.'),
  })
  .meta({ id: 'OutputRequest' });
export type OutputRequest = z.infer<typeof outputRequestSchema>;

/** `PUT /system/outputs/{id}` */
export const outputChangesSchema = z
  .looseObject({
    title: titleSchema.optional(),
    type: outputRequestSchema.shape.type.optional().describe('The type of an output cannot change.'),
    configuration: configurationSchema.optional().describe('Replaces the whole configuration.'),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'OutputChanges' });
export type OutputChanges = z.infer<typeof outputChangesSchema>;

export const outputTypeSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    human_name: z.string(),
    link_to_docs: z.string(),
    description: z.string().describe('What it does and when to choose it.'),
    requested_configuration: z.record(z.string(), configurationFieldSchema),
  })
  .meta({ id: 'OutputType' });
export type OutputTypeView = z.infer<typeof outputTypeSchema>;

/** `GET /system/outputs/available` */
export const outputTypeListSchema = z
  .object({ types: z.record(z.string(), outputTypeSchema).describe('Types by class name.') })
  .meta({ id: 'OutputTypeList' });

/** `POST /streams/{id}/outputs` */
export const attachOutputsRequestSchema = z
  .looseObject({
    outputs: z.array(z.string().min(1).max(100)).min(1).max(MAX_ATTACHED).describe('Ids of outputs.'),
  })
  .meta({ id: 'AttachOutputsRequest' });

/** `GET /system/outputs/streams` */
export const outputStreamsSchema = z
  .object({
    streams: z
      .record(z.string(), z.array(z.object({ id: z.string(), title: z.string() })))
      .describe('By the id of the output, in the order of their titles.'),
  })
  .meta({ id: 'OutputStreams' });
export type OutputStreams = z.infer<typeof outputStreamsSchema>;

export const OUTPUT_STATES = ['STARTING', 'RUNNING', 'FAILED', 'PAUSED', 'INVALID_CONFIGURATION'] as const;

export const outputStateSchema = z
  .object({
    id: z.string(),
    node_id: z.string(),
    title: z.string(),
    state: z.enum(OUTPUT_STATES),
    detailed_message: z.string().nullable().describe('Why, when it is not running as it should.'),
    queued_messages: z.int().min(0).describe('Messages that are not delivered yet.'),
    queued_bytes: z.int().min(0).describe('What they take on disk.'),
    queue_max_bytes: z.int().min(0),
    oldest_message_at: timestampSchema
      .nullable()
      .describe('When the oldest message that is not delivered was received.'),
    oldest_message_age_ms: z.number().min(0).nullable(),
    sent_messages: z.int().min(0).describe('Since the node started, as are the other totals.'),
    messages_per_second: z.number().min(0).describe('Sent during the last second.'),
    dropped_messages: z.int().min(0).describe('Never sent: the queue was full, or its disk failed.'),
    refused_messages: z
      .int()
      .min(0)
      .describe('The destination does not take them; they are in the stream "Processing failures".'),
    last_error: z.object({ message: z.string(), at: timestampSchema }).nullable(),
  })
  .meta({ id: 'OutputState' });
export type OutputStateView = z.infer<typeof outputStateSchema>;

/** `GET /system/outputs/states` */
export const outputStateListSchema = z
  .object({
    states: z.array(outputStateSchema).describe('One for each output and node.'),
    missing_nodes: z.array(z.string()).describe('Ids of nodes that did not answer.'),
  })
  .meta({ id: 'OutputStateList' });
export type OutputStateList = z.infer<typeof outputStateListSchema>;

export const outputStatesQuerySchema = z.object({
  local: z.enum(['true', 'false']).default('false').describe('Only this node.'),
});
