import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter, wholeSecondsParameter } from './parameters.ts';
import { allowPartialSchema, missingServersSchema } from './partial-answers.ts';
import { exportQuerySchema, MAX_MESSAGE_LIMIT, MAX_MESSAGE_OFFSET } from './search-messages.ts';
import { fieldNameSchema, MAX_FIELD_NAME_LENGTH, MAX_QUERY_TEXT_LENGTH } from './searched.ts';
import { timestampSchema } from './time.ts';

/** In one answer. */
export const MAX_TERMS = 10_000;
/** Fields whose values form a term. */
export const MAX_STACKED_FIELDS = 5;

/** A parameter without a value (`limit=`) counts as missing. */
function optionalText<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema);
}

function optionalInteger(limits: { readonly min?: number; readonly max?: number }, otherwise: number) {
  return optionalText(integerParameter(limits).default(otherwise)).meta({
    type: 'integer',
    default: otherwise,
    ...(limits.min === undefined ? {} : { minimum: limits.min }),
    ...(limits.max === undefined ? {} : { maximum: limits.max }),
  });
}

const secondsBeforeNow = optionalText(wholeSecondsParameter().default(0))
  .meta({ type: 'integer', default: 0 })
  .describe('Seconds before now; 0 means all time.');

const queryText = z
  .string()
  .max(MAX_QUERY_TEXT_LENGTH)
  .default('*')
  .describe('The query; `*` and an empty query mean all messages.');

const filter = z
  .string()
  .max(MAX_QUERY_TEXT_LENGTH)
  .optional()
  .describe('`streams:<id>[,<id>…]`: only messages of these streams.');

const timeZone = z
  .string()
  .max(100)
  .optional()
  .describe('Name of a time zone, for times without one and for days and longer intervals; UTC by default.');

/** The time parameters of each kind of search. */
export const UNIVERSAL_TIME = {
  relative: {
    range: secondsBeforeNow,
  },
  absolute: {
    from: z.string().min(1).max(100).describe('ISO 8601, or `yyyy-MM-dd HH:mm:ss[.SSS]` in UTC.'),
    to: z.string().min(1).max(100).describe('The same; inclusive.'),
  },
  keyword: {
    keyword: z.string().min(1).max(MAX_FIELD_NAME_LENGTH).describe('For example `last 5 minutes`.'),
  },
} as const;
export type UniversalKind = keyof typeof UNIVERSAL_TIME;

const order = z
  .string()
  .max(MAX_FIELD_NAME_LENGTH)
  .optional()
  .describe('`desc` (the most frequent first) or `asc`, also as `field:desc`.');

const interval = z
  .string()
  .max(50)
  .default('auto')
  .describe(
    '`year`, `quarter`, `month`, `week`, `day`, `hour`, `minute`, `second`, a number of these (`5m`, `12h`), or `auto`.',
  );

const allowPartial = optionalText(booleanParameter().optional())
  .meta({ type: 'boolean' })
  .describe(allowPartialSchema.description ?? '');

const searched = { query: queryText, filter, timezone: timeZone, allow_partial: allowPartial };

const termsShape = {
  ...searched,
  field: fieldNameSchema.describe('The field whose values are counted.'),
  stacked_fields: listParameter()
    .default([])
    .describe('Further fields: counts combinations of their values.'),
  order,
};

/** The query parameters of each endpoint, without those for the time. */
export const UNIVERSAL_PARAMETERS = {
  messages: {
    ...searched,
    limit: optionalInteger({ max: MAX_MESSAGE_LIMIT }, 0).describe('The most messages; 0 means 150.'),
    offset: optionalInteger({ min: 0, max: MAX_MESSAGE_OFFSET }, 0).describe('Messages to skip.'),
    cursor: z.string().max(MAX_QUERY_TEXT_LENGTH).optional().describe('The cursor of the previous page.'),
    fields: listParameter()
      .default([])
      .describe('The fields to return; all by default and for `*`. `timestamp` is always included.'),
    sort: z
      .string()
      .max(MAX_FIELD_NAME_LENGTH)
      .optional()
      .describe('`field:asc` or `field:desc`; `timestamp:desc` by default and for an invalid value.'),
    decorate: booleanParameter().default(true).describe('No effect: there are no decorators.'),
    batch_size: optionalInteger({}, 500).describe('No effect: exports are streamed.'),
    ...exportQuerySchema.shape,
  },
  export: {
    ...searched,
    limit: optionalInteger({}, 0).describe('The most messages; 0 means all.'),
    offset: optionalInteger({ min: 0 }, 0),
    fields: listParameter().default([]).describe('The columns; required.'),
    sort: z.string().max(MAX_FIELD_NAME_LENGTH).optional().describe('`field:asc` or `field:desc`.'),
    batch_size: optionalInteger({}, 500).describe('No effect: exports are streamed.'),
    ...exportQuerySchema.shape,
  },
  terms: {
    ...termsShape,
    size: optionalInteger({ max: MAX_TERMS }, 0).describe('The most terms; 0 means 50.'),
  },
  'terms-histogram': {
    ...termsShape,
    size: optionalInteger({ min: 1, max: MAX_TERMS }, 50).describe('The most terms in a bucket.'),
    interval,
  },
  termsstats: {
    ...searched,
    key_field: fieldNameSchema.describe('The field whose values form the groups.'),
    value_field: fieldNameSchema.describe('The field whose numbers are aggregated.'),
    order: z
      .string()
      .max(50)
      .default('REVERSE_COUNT')
      .describe(
        '`TERM`, `COUNT`, `TOTAL`, `MIN`, `MAX`, `MEAN`: ascending; with the prefix `REVERSE_`: descending.',
      ),
    size: optionalInteger({ max: MAX_TERMS }, 0).describe('The most groups; 0 means 50.'),
  },
  stats: { ...searched, field: fieldNameSchema },
  histogram: { ...searched, interval },
  fieldhistogram: {
    ...searched,
    field: fieldNameSchema,
    interval,
    cardinality: optionalText(booleanParameter().default(false))
      .meta({ type: 'boolean', default: false })
      .describe('Also count the distinct values of each bucket.'),
  },
} as const;
export type UniversalEndpoint = keyof typeof UNIVERSAL_PARAMETERS;

const took = z.int().min(0).describe('Milliseconds.');
const builtQuery = z.string().describe('The query in canonical form.');
const count = z.int().min(0);

/** A number, or the text `NaN` for a missing one: JSON has no NaN. */
const numberOrNaN = z.union([z.number(), z.literal('NaN')]);

const termsShapeOfAnswer = {
  time: took,
  terms: z.record(z.string(), count).describe('The number of messages with each value.'),
  terms_mapping: z
    .record(z.string(), z.array(z.object({ field: z.string(), value: z.string() })))
    .describe('The fields and values of each term.'),
  missing: count.describe('Messages without the field.'),
  other: count.describe('Messages with values that are not in `terms`.'),
  total: count.describe('All messages found.'),
  built_query: builtQuery,
  missing_servers: missingServersSchema,
};

export const termsResultSchema = z.object(termsShapeOfAnswer).meta({ id: 'TermsResult' });
export type TermsResult = z.infer<typeof termsResultSchema>;

/** An answer with a value for each time bucket. */
function overTime<Name extends string, Bucket extends z.ZodType>(name: Name, bucket: Bucket) {
  const buckets = z
    .record(z.string(), bucket)
    .describe('By the start of each bucket, in seconds since the epoch.');
  return {
    interval: z.string(),
    ...({ [name]: buckets } as { readonly [Key in Name]: typeof buckets }),
    time: took,
    built_query: builtQuery,
    queried_timerange: z.object({ from: timestampSchema, to: timestampSchema }),
    missing_servers: missingServersSchema,
  };
}

export const termsHistogramResultSchema = z
  .object({
    ...overTime('buckets', termsResultSchema),
    size: z.int(),
    terms: z.array(z.string()).describe('All terms of all buckets.'),
  })
  .meta({ id: 'TermsHistogramResult' });
export type TermsHistogramResult = z.infer<typeof termsHistogramResultSchema>;

export const termsStatsResultSchema = z
  .object({
    time: took,
    terms: z.array(
      z.object({
        key_field: z.string(),
        count: count.describe('Messages.'),
        min: numberOrNaN,
        max: numberOrNaN,
        total: numberOrNaN,
        total_count: count.describe('Messages in which the other field is a number.'),
        mean: numberOrNaN,
      }),
    ),
    built_query: builtQuery,
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'TermsStatsResult' });
export type TermsStatsResult = z.infer<typeof termsStatsResultSchema>;

export const fieldStatsResultSchema = z
  .object({
    time: took,
    count: count.describe('Messages with the field.'),
    sum: numberOrNaN,
    sum_of_squares: numberOrNaN,
    mean: numberOrNaN,
    min: numberOrNaN,
    max: numberOrNaN,
    variance: numberOrNaN.describe('Of the population.'),
    std_deviation: numberOrNaN.describe('Of the population.'),
    built_query: builtQuery,
    cardinality: count.describe('Distinct values; exact up to tens of thousands.'),
    missing_servers: missingServersSchema,
  })
  .meta({
    id: 'FieldStatsResult',
    description: 'For a field without numbers, all values except count and cardinality are NaN.',
  });
export type FieldStatsResult = z.infer<typeof fieldStatsResultSchema>;

export const histogramResultSchema = z.object(overTime('results', count)).meta({ id: 'HistogramResult' });
export type HistogramResult = z.infer<typeof histogramResultSchema>;

export const fieldHistogramBucketSchema = z
  .object({
    total_count: count.describe('Messages.'),
    count: count.describe('Messages in which the field is a number.'),
    min: z.number(),
    max: z.number(),
    total: z.number(),
    mean: z.number(),
    cardinality: count.describe('0 unless requested.'),
  })
  .meta({ id: 'FieldHistogramBucket' });
export type FieldHistogramBucket = z.infer<typeof fieldHistogramBucketSchema>;

export const fieldHistogramResultSchema = z
  .object(overTime('results', fieldHistogramBucketSchema))
  .meta({ id: 'FieldHistogramResult' });
export type FieldHistogramResult = z.infer<typeof fieldHistogramResultSchema>;

export const sourcesQuerySchema = z.object({
  range: secondsBeforeNow,
  allow_partial: allowPartial,
});

export const sourcesResultSchema = z
  .object({
    total: count.describe('The number of sources.'),
    sources: z.record(z.string(), count).describe('The number of messages of each source; the 5000 largest.'),
    took_ms: took,
    range: z.int(),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'Sources' });
export type SourcesResult = z.infer<typeof sourcesResultSchema>;
