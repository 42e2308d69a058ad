import { z } from 'zod';
import { fieldNameSchema, searchedShape } from './searched.ts';
import { timestampSchema } from './time.ts';

/** Messages that are looked at of a longer result. */
export const MAX_PATTERN_SAMPLE = 100_000;
const DEFAULT_PATTERN_SAMPLE = 10_000;
export const MAX_PATTERNS = 1000;
const DEFAULT_PATTERNS = 50;
const MAX_VARIABLE_VALUES = 100;
const DEFAULT_VARIABLE_VALUES = 10;

/** `POST /search/patterns` */
export const patternRequestSchema = z
  .strictObject({
    ...searchedShape,
    field: fieldNameSchema.default('message').describe('The field whose text is looked at.'),
    sample: z
      .int()
      .min(1)
      .max(MAX_PATTERN_SAMPLE)
      .default(DEFAULT_PATTERN_SAMPLE)
      .describe('Messages to look at; of more a part is taken by chance, and counts are estimated.'),
    size: z.int().min(1).max(MAX_PATTERNS).default(DEFAULT_PATTERNS).describe('Patterns in the answer.'),
    values: z
      .int()
      .min(0)
      .max(MAX_VARIABLE_VALUES)
      .default(DEFAULT_VARIABLE_VALUES)
      .describe('Most frequent values of each variable.'),
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
        .describe(
          'What stands there; `any`: of no common kind; `rest`: what is not looked at of long messages.',
        ),
      values: z.array(countedValueSchema).describe('The most frequent first, counted in the sample.'),
      distinct: z.int().min(0).describe('Different values in the sample.'),
      more: z.boolean().describe('There are more different values than were counted.'),
    }),
  ])
  .meta({ id: 'PatternPart' });

export const patternSchema = z
  .object({
    pattern: z.string().describe('In one line, with `<kind>` and `<*>` for what varies.'),
    template: z.array(templatePartSchema),
    count: z.int().min(1).describe('Messages; estimated when `sampled`.'),
    sample_count: z.int().min(1).describe('Messages of the sample.'),
    share: z.number().min(0).max(1).describe('Of all messages looked at.'),
    first_seen: timestampSchema,
    last_seen: timestampSchema,
    levels: z
      .array(z.object({ level: z.int(), count: z.int().min(1) }))
      .describe('How many messages of the sample have which level, the most severe first.'),
    example: z
      .object({
        id: z.string(),
        index: z.string(),
        timestamp: timestampSchema,
        source: z.string(),
        message: z.string().describe('The text of the field, its first 4096 characters.'),
      })
      .describe('The newest message of the sample.'),
    query: z
      .string()
      .nullable()
      .describe('Finds the messages of the pattern, perhaps some others; null when they share no word.'),
  })
  .meta({ id: 'MessagePattern' });
export type MessagePattern = z.infer<typeof patternSchema>;

export const patternResponseSchema = z
  .object({
    patterns: z.array(patternSchema).describe('The most frequent first.'),
    total: z.int().min(0).describe('Messages of the result that have the field.'),
    sample_size: z.int().min(0).describe('Messages that were looked at.'),
    sampled: z.boolean().describe('Not all messages were looked at.'),
    total_patterns: z.int().min(0).describe('All that were found.'),
    unmatched: z.int().min(0).describe('Messages of the sample that were too different to find a pattern.'),
    effective_timerange: z.object({ from: timestampSchema, to: timestampSchema }),
    time: z.int().min(0).describe('Milliseconds.'),
  })
  .meta({ id: 'PatternResponse' });
export type PatternResponse = z.infer<typeof patternResponseSchema>;
