import { z } from 'zod';
import { foundMessageSchema, timeRangeSchema } from './search-messages.ts';
import { MAX_STREAM_RULES, matchingTypeSchema, streamRuleRequestSchema } from './streams.ts';
import { timestampSchema } from './time.ts';

export const MAX_PREVIEW_SAMPLE = 100_000;

/** `POST /streams/preview` */
export const streamPreviewRequestSchema = z
  .strictObject({
    rules: z.array(streamRuleRequestSchema).max(MAX_STREAM_RULES),
    matching_type: matchingTypeSchema.default('AND'),
    timerange: timeRangeSchema
      .default({ type: 'relative', range: 86_400 })
      .describe('Where to take the messages from; the last day by default.'),
    sample: z
      .int()
      .min(0)
      .max(MAX_PREVIEW_SAMPLE)
      .default(10_000)
      .describe('How many of the newest messages to look at; 0 for none.'),
    examples: z.int().min(0).max(100).default(20).describe('How many messages of each kind to return.'),
    message: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('One more message to try, by the names of its fields.'),
  })
  .meta({ id: 'StreamPreviewRequest' });
export type StreamPreviewRequest = z.infer<typeof streamPreviewRequestSchema>;

const count = z.int().min(0);
const ruleResults = (description: string) =>
  z.array(z.object({ matched: z.boolean() })).describe(description);

export const streamPreviewSchema = z
  .object({
    looked_at: count,
    matched: count,
    is_complete: z
      .boolean()
      .describe('Whether these are all messages of the time range that the user may read.'),
    timed_out: count.describe(
      'Messages on which the rules took longer than `stream_processing_timeout`; they do not match.',
    ),
    would_be_disabled: z
      .boolean()
      .describe('The rules took too long more than `stream_processing_max_faults` times. It stopped there.'),
    rules: z
      .array(z.object({ matched: count }))
      .describe('How many messages each rule matches, in the order of the request.'),
    histogram: z
      .object({
        from: timestampSchema,
        to: timestampSchema,
        interval_ms: z.int().min(1),
        looked_at: z.array(count),
        matched: z.array(count),
      })
      .nullable()
      .describe('From the oldest to the newest message; null when there is none.'),
    examples: z.object({ matched: z.array(foundMessageSchema), missed: z.array(foundMessageSchema) }),
    message: z
      .object({
        matches: z.boolean(),
        rules: ruleResults('In the order of the request.'),
        timed_out: z.boolean(),
      })
      .optional()
      .describe('The result for the message of the request.'),
  })
  .meta({ id: 'StreamPreview' });
export type StreamPreviewView = z.infer<typeof streamPreviewSchema>;
