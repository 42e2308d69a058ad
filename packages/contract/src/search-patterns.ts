import { z } from 'zod';
import { missingServersSchema } from './partial-answers.ts';
import { fieldNameSchema, searchedShape } from './searched.ts';
import { timestampSchema } from './time.ts';

/** Messages in a sample. */
export const MAX_PATTERN_SAMPLE = 100_000;
const DEFAULT_PATTERN_SAMPLE = 10_000;
export const MAX_PATTERNS = 1000;
const DEFAULT_PATTERNS = 50;
const MAX_VARIABLE_VALUES = 100;
const DEFAULT_VARIABLE_VALUES = 10;
/** Parts of the time range in `trend`. */
export const PATTERN_TREND_PARTS = 24;

/** `POST /search/patterns` */
export const patternRequestSchema = z
  .strictObject({
    ...searchedShape,
    field: fieldNameSchema.default('message').describe('The field whose text is grouped.'),
    sample: z
      .int()
      .min(1)
      .max(MAX_PATTERN_SAMPLE)
      .default(DEFAULT_PATTERN_SAMPLE)
      .describe('The most messages to read. Beyond that, a random sample is used and counts are estimates.'),
    size: z.int().min(1).max(MAX_PATTERNS).default(DEFAULT_PATTERNS).describe('Patterns in the answer.'),
    values: z
      .int()
      .min(0)
      .max(MAX_VARIABLE_VALUES)
      .default(DEFAULT_VARIABLE_VALUES)
      .describe('The most frequent values of each variable.'),
  })
  .meta({ id: 'PatternRequest' });
export type PatternRequest = z.infer<typeof patternRequestSchema>;

const countedValueSchema = z.object({ value: z.string(), count: z.int().min(1) });

export const templatePartSchema = z
  .union([
    z.object({ text: z.string() }),
    z.object({
      variable: z
        .enum(['number', 'id', 'address', 'time', 'path', 'url', 'email', 'any', 'rest'])
        .describe('The kind of its values; `any`: no common kind; `rest`: the end of long messages.'),
      values: z.array(countedValueSchema).describe('The most frequent first, counted in the sample.'),
      distinct: z.int().min(0).describe('Distinct values in the sample.'),
      more: z.boolean().describe('Whether there are more distinct values than were counted.'),
    }),
  ])
  .meta({ id: 'PatternPart' });

export const patternSchema = z
  .object({
    pattern: z.string().describe('On one line, with `<kind>` and `<*>` for variables.'),
    template: z.array(templatePartSchema),
    count: z.int().min(1).describe('The number of messages; an estimate if `sampled`.'),
    sample_count: z.int().min(1).describe('Messages in the sample.'),
    share: z.number().min(0).max(1).describe('The share of the sample.'),
    first_seen: timestampSchema,
    last_seen: timestampSchema,
    trend: z
      .array(z.int().min(0))
      .length(PATTERN_TREND_PARTS)
      .describe('Messages in the sample in equal parts of the time range, the oldest first.'),
    levels: z
      .array(z.object({ level: z.int(), count: z.int().min(1) }))
      .describe('Messages in the sample by level, the most severe first.'),
    example: z
      .object({
        id: z.string(),
        index: z.string(),
        timestamp: timestampSchema,
        source: z.string(),
        message: z.string().describe('The text of the field, its first 4096 characters.'),
      })
      .describe('The newest message in the sample.'),
    query: z
      .string()
      .nullable()
      .describe(
        'A query that finds the messages of the pattern, and possibly others; null if they share no word.',
      ),
  })
  .meta({ id: 'MessagePattern' });
export type MessagePattern = z.infer<typeof patternSchema>;

export const patternResponseSchema = z
  .object({
    patterns: z.array(patternSchema).describe('The most frequent first.'),
    total: z.int().min(0).describe('Messages found that have the field.'),
    sample_size: z.int().min(0).describe('Messages that were read.'),
    sampled: z.boolean().describe('Whether only a sample was read.'),
    total_patterns: z.int().min(0).describe('The number of patterns found.'),
    unmatched: z.int().min(0).describe('Messages in the sample without a pattern.'),
    effective_timerange: z.object({ from: timestampSchema, to: timestampSchema }),
    missing_servers: missingServersSchema,
    time: z.int().min(0).describe('Milliseconds.'),
  })
  .meta({ id: 'PatternResponse' });
export type PatternResponse = z.infer<typeof patternResponseSchema>;
