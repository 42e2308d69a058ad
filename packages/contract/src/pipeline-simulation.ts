import { z } from 'zod';
import { MAX_PIPELINE_SOURCE_LENGTH } from './pipelines.ts';
import { foundMessageSchema, messageFieldsSchema, timeRangeSchema } from './search-messages.ts';
import { timestampSchema } from './time.ts';

export const MAX_PIPELINE_PREVIEW_SAMPLE = 10_000;
/** What answers show. Texts are counted in characters. */
export const MAX_SIMULATED_MESSAGES = 100;
export const MAX_SIMULATED_TEXT = 32_768;
export const MAX_PREVIEWED_CREATED = 10;
export const MAX_PREVIEWED_TEXT = 2000;
const MAX_PREVIEW_EXAMPLES = 500;
const MAX_WITH_RULES = 20;
const MAX_STREAMS = 1000;

const id = z.string().min(1).max(100);
const source = z.string().max(MAX_PIPELINE_SOURCE_LENGTH);

/** What runs; without any of them the pipelines that are connected. */
const whatRunsShape = {
  rule_id: id.optional().describe('Only this rule runs.'),
  rule_source: source.optional().describe('Only this rule runs; it need not be stored.'),
  pipeline_id: id.optional().describe('Only this pipeline runs.'),
  pipeline_source: source.optional().describe('Only this pipeline runs; it need not be stored.'),
  with_rules: z
    .array(source)
    .max(MAX_WITH_RULES)
    .default([])
    .describe('Rules that need not be stored: they run instead of stored ones with the same names.'),
};

/** `POST /system/pipelines/simulate` */
export const simulateRequestSchema = z
  .looseObject({
    stream_id: id
      .nullable()
      .optional()
      .describe('The stream that the message is in; for a stored message its own streams without.'),
    message: messageFieldsSchema.nullable().optional(),
    index: id.nullable().optional().describe('With `message_id` instead of `message`: a stored message.'),
    message_id: id.nullable().optional(),
    input_id: z.string().max(100).nullable().optional().describe('The input that the message comes from.'),
    ...whatRunsShape,
  })
  .meta({ id: 'SimulateRequest' });
export type SimulateRequest = z.infer<typeof simulateRequestSchema>;

/** One field of a message that was tried. */
export const fieldChangeSchema = z.object({
  field: z.string(),
  before: z.unknown().describe('Null: the field was not there.'),
  after: z.unknown().describe('Null: the field is gone.'),
});

const count = z.int().min(0);

export const ruleTraceSchema = z
  .object({
    pipeline: z.string(),
    stage: z.int(),
    rule: z.string(),
    message: count.describe('0 for the message itself, from 1 for those that rules made of it.'),
    matched: z.boolean(),
    took_us: count.describe('Microseconds for the condition and the actions.'),
    changes: z.array(fieldChangeSchema).describe('What the actions changed, `streams` included.'),
    dropped: z.boolean(),
    error: z.string().optional(),
  })
  .meta({ id: 'RuleTrace' });

export const simulationSchema = z
  .object({
    messages: z
      .array(foundMessageSchema)
      .describe(
        `What would be stored: the message unless it is dropped, then those that rules made of it. At most ${MAX_SIMULATED_MESSAGES} are shown, and texts of more than ${MAX_SIMULATED_TEXT} characters are cut.`,
      ),
    message_count: count.describe('How many messages would be stored.'),
    simulation_trace: z
      .array(z.object({ time: count.describe('Microseconds.'), message: z.string() }))
      .describe('For people.'),
    took_microseconds: count,
    trace: z.array(ruleTraceSchema),
    is_trace_complete: z
      .boolean()
      .describe(
        'Whether `trace` has all rules that were asked; it has a limit, and less room if messages are large.',
      ),
    errors: z.array(z.string()).describe('What went wrong, as `gl2_processing_error` of the message says.'),
  })
  .meta({ id: 'Simulation' });
export type SimulationView = z.infer<typeof simulationSchema>;

/** `POST /system/pipelines/preview` */
export const pipelinePreviewRequestSchema = z
  .strictObject({
    ...whatRunsShape,
    query: z.string().max(100_000).default('*').describe('Which messages to look at.'),
    streams: z
      .array(id)
      .max(MAX_STREAMS)
      .default([])
      .describe('Only messages of these streams, as if the rule or pipeline were connected to them.'),
    timerange: timeRangeSchema
      .default({ type: 'relative', range: 86_400 })
      .describe('Where to take the messages from; the last day by default.'),
    sample: z
      .int()
      .min(1)
      .max(MAX_PIPELINE_PREVIEW_SAMPLE)
      .default(1000)
      .describe('How many of the newest messages to look at.'),
    examples: z
      .int()
      .min(0)
      .max(MAX_PREVIEW_EXAMPLES)
      .default(50)
      .describe('How many of the messages to which something happens to return.'),
  })
  .meta({ id: 'PipelinePreviewRequest' });
export type PipelinePreviewRequest = z.infer<typeof pipelinePreviewRequestSchema>;

export const previewedMessageSchema = z
  .object({
    index: z.string(),
    id: z.string(),
    timestamp: timestampSchema,
    message: z.string(),
    rules: z.array(z.string()).describe('Names of the rules that matched.'),
    changes: z.array(fieldChangeSchema),
    dropped: z.boolean(),
    streams_added: z.array(z.string()),
    streams_removed: z.array(z.string()),
    created: z
      .array(messageFieldsSchema)
      .describe(`Messages that rules made of it; at most ${MAX_PREVIEWED_CREATED} are shown.`),
    created_count: count,
    errors: z.array(z.string()),
  })
  .meta({ id: 'PreviewedMessage' });
export type PreviewedMessageView = z.infer<typeof previewedMessageSchema>;

export const pipelinePreviewSchema = z
  .object({
    looked_at: count,
    is_complete: z
      .boolean()
      .describe(
        'Whether these are all messages that were found; false when there are more, or it took too long.',
      ),
    changed: count.describe('Messages of which a field would change.'),
    dropped: count,
    rerouted: count.describe('Messages whose streams would change.'),
    created: count.describe('Clones and created messages.'),
    failed: count.describe('Messages on which a rule failed or took too long.'),
    rules: z
      .array(z.object({ rule: z.string(), matched: count }))
      .describe('How many messages each rule matched; sorted by name, without those that matched none.'),
    disabled_rules: z
      .array(z.string())
      .describe('Rules that took too long more than `stream_processing_max_faults` times, and ran no more.'),
    lookup_tables_left_out: z
      .array(z.string())
      .describe(
        'Names of the lookup tables that rules look into and whose data is on another server (HTTP, DNS). A preview does not ask them: they answer with their defaults. A simulation of one message asks them.',
      ),
    messages: z
      .array(previewedMessageSchema)
      .describe(
        `Those to which something would happen, the newest first. Texts of more than ${MAX_PREVIEWED_TEXT} characters are cut, and fewer messages are returned if they are large.`,
      ),
  })
  .meta({ id: 'PipelinePreview' });
export type PipelinePreviewView = z.infer<typeof pipelinePreviewSchema>;
