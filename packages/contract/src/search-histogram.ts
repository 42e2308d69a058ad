import { z } from 'zod';
import { missingServersSchema } from './partial-answers.ts';
import { fieldNameSchema, searchedShape } from './searched.ts';
import { timestampSchema } from './time.ts';

export const MAX_HISTOGRAM_BUCKETS = 1000;
const DEFAULT_HISTOGRAM_BUCKETS = 120;
export const MAX_HISTOGRAM_GROUPS = 50;
const DEFAULT_HISTOGRAM_GROUPS = 10;

/** `POST /search/histogram` */
export const searchHistogramRequestSchema = z
  .strictObject({
    ...searchedShape,
    by: fieldNameSchema
      .nullish()
      .describe('A field whose most frequent values become groups; one group without it.'),
    buckets: z
      .int()
      .min(1)
      .max(MAX_HISTOGRAM_BUCKETS)
      .default(DEFAULT_HISTOGRAM_BUCKETS)
      .describe(
        'The most buckets. All have the same length: the shortest of a list of round ones that fits, and its start is round in `time_zone`.',
      ),
    size: z
      .int()
      .min(1)
      .max(MAX_HISTOGRAM_GROUPS)
      .default(DEFAULT_HISTOGRAM_GROUPS)
      .describe('The most groups.'),
  })
  .meta({ id: 'SearchHistogramRequest' });
export type SearchHistogramRequest = z.infer<typeof searchHistogramRequestSchema>;

const counts = z.array(z.int().min(0)).describe('Messages in each bucket.');

export const searchHistogramSchema = z
  .object({
    from: timestampSchema,
    to: timestampSchema,
    interval_ms: z.int().min(1).describe('The length of each bucket.'),
    starts: z.array(timestampSchema).describe('Of all buckets, also of the empty ones.'),
    groups: z
      .array(
        z.object({
          key: z.string().nullable().describe('A value of `by`; null for messages without it.'),
          total: z.int().min(0),
          counts,
        }),
      )
      .describe('The most frequent first. Without `by`, one group with the key null.'),
    other: z
      .object({ total: z.int().min(0), counts })
      .describe('Messages whose values are not among the groups.'),
    total: z.int().min(0).describe('Messages found.'),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'SearchHistogram' });
export type SearchHistogram = z.infer<typeof searchHistogramSchema>;
