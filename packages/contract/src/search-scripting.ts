import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter } from './parameters.ts';
import { allowPartialSchema, missingServersSchema } from './partial-answers.ts';
import {
  exportQuerySchema,
  MAX_MESSAGE_LIMIT,
  type TimeRangeRequest,
  timeRangeSchema,
} from './search-messages.ts';
import { fieldNameSchema, MAX_QUERY_TEXT_LENGTH, nullish } from './searched.ts';
import { timestampSchema } from './time.ts';

export const METRIC_FUNCTIONS = [
  'avg',
  'card',
  'count',
  'latest',
  'max',
  'min',
  'percentage',
  'percentile',
  'stddev',
  'sum',
  'sumofsquares',
  'variance',
] as const;
export type MetricFunction = (typeof METRIC_FUNCTIONS)[number];

export const MAX_GROUPINGS = 5;
export const MAX_METRICS = 20;
/** The most groups of one level, and the most rows of all levels together. */
export const MAX_GROUPS = 10_000;
const MAX_FIELDS = 200;
const MAX_STREAMS = 10_000;
const DAY_SECONDS = 86_400;

/** `asc`, `Ascending`, `DESC`, …: all spellings that Graylog's versions print. */
export const sortDirectionSchema = z
  .preprocess(
    (value) => {
      if (typeof value !== 'string') return value;
      const text = value.trim().toLowerCase();
      if (text === 'asc' || text === 'ascending') return 'asc';
      return text === 'desc' || text === 'descending' ? 'desc' : value;
    },
    z.enum(['asc', 'desc']),
  )
  .meta({ type: 'string', description: '`asc` or `desc`, also written out and in any case' });

const whatIsSearched = {
  query: nullish(z.string().max(MAX_QUERY_TEXT_LENGTH)).describe('`*` by default.'),
  streams: nullish(z.array(z.string().max(100)).max(MAX_STREAMS)).describe(
    'Ids; all readable streams by default.',
  ),
  stream_categories: nullish(z.array(z.string().max(100)).max(MAX_STREAMS)).describe(
    'Must be empty: streams have no categories.',
  ),
  timerange: nullish(timeRangeSchema).describe(`The last ${DAY_SECONDS} seconds by default.`),
  allow_partial: nullish(z.boolean()).describe(allowPartialSchema.description ?? ''),
};
export const DEFAULT_TIME_RANGE: TimeRangeRequest = { type: 'relative', range: DAY_SECONDS };
export const DEFAULT_MESSAGE_FIELDS: readonly string[] = ['source', 'timestamp'];
export const DEFAULT_MESSAGE_COUNT = 10;

export const messagesRequestSchema = z
  .strictObject({
    ...whatIsSearched,
    fields: nullish(z.array(fieldNameSchema).max(MAX_FIELDS)).describe(
      '`source` and `timestamp` by default.',
    ),
    from: nullish(z.int().min(0)).describe('Messages to skip; 0 by default.'),
    size: nullish(z.int().min(0).max(MAX_MESSAGE_LIMIT)).describe(
      'The most messages; 10 by default, and for 0.',
    ),
    sort: nullish(fieldNameSchema).describe('A field; `timestamp` by default.'),
    sort_order: nullish(sortDirectionSchema).describe('`desc` by default.'),
  })
  .meta({ id: 'ScriptingMessagesRequest' });
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

export const metricRequestSchema = z
  .strictObject({
    function: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .describe(`One of ${METRIC_FUNCTIONS.join(', ')}.`),
    field: nullish(fieldNameSchema).describe('Required except for count and percentage.'),
    sort: nullish(sortDirectionSchema).describe('The rows are sorted by this metric.'),
    configuration: nullish(
      z.strictObject({
        percentile: z.number().min(0).max(100).optional(),
        strategy: z
          .preprocess(
            (value) => (typeof value === 'string' ? value.toUpperCase() : value),
            z.enum(['COUNT', 'SUM']),
          )
          .optional()
          .meta({ type: 'string', description: 'For percentage: the share of the messages or of the sum' }),
      }),
    ),
  })
  .meta({ id: 'ScriptingMetric' });
export type MetricRequest = z.infer<typeof metricRequestSchema>;

const MAX_RANGES = 200;
const numberRangeSchema = z
  .strictObject({
    from: nullish(z.number()).describe('Included; without it, from the smallest number.'),
    to: nullish(z.number()).describe('Excluded; without it, up to the largest number.'),
  })
  .meta({ id: 'NumberRange' });
export type NumberRange = { readonly from?: number | undefined; readonly to?: number | undefined };

export const groupingSchema = z
  .strictObject({
    field: fieldNameSchema,
    limit: nullish(z.int().min(0).max(MAX_GROUPS)).describe(
      'The most groups; 15 by default, and for 0. Messages without the field are one more group, the last one.',
    ),
    timeunit: nullish(z.string().max(50)).describe(
      'Groups a field with times by time: `5m`, `1h`, `1d`, `1M`, `auto`.',
    ),
    scaling: nullish(z.number().positive().max(1000)).describe(
      'The timeunit `auto`, for a time range that is so many times as long.',
    ),
    ranges: nullish(z.array(numberRangeSchema).min(1).max(MAX_RANGES)).describe(
      'Groups numbers by ranges, which may overlap. Ranges without messages are left out.',
    ),
    skip_empty_values: nullish(z.boolean()).describe('Leaves out the messages without the field.'),
    sort: nullish(sortDirectionSchema).describe('The rows are sorted by this field.'),
  })
  .meta({ id: 'ScriptingGrouping' });
export type GroupingRequest = z.infer<typeof groupingSchema>;

export const aggregateRequestSchema = z
  .strictObject({
    ...whatIsSearched,
    group_by: nullish(z.array(groupingSchema).max(MAX_GROUPINGS)).describe(
      'Without groups, there is one row.',
    ),
    metrics: z.array(metricRequestSchema).min(1).max(MAX_METRICS),
  })
  .meta({ id: 'ScriptingAggregateRequest' });
export type AggregateRequest = z.infer<typeof aggregateRequestSchema>;

const sharedQuery = {
  ...exportQuerySchema.shape,
  query: z.string().max(MAX_QUERY_TEXT_LENGTH).optional().describe('`*` by default.'),
  streams: listParameter().default([]).describe('Ids; all readable streams by default.'),
  timerange: z
    .string()
    .max(1000)
    .optional()
    .describe('`5m`, `2h`, `1d`, `1w`, `1M`, `1y`, or words; one day by default.'),
  allow_partial: booleanParameter()
    .optional()
    .describe(allowPartialSchema.description ?? ''),
};

export const messagesQuerySchema = z.object({
  ...sharedQuery,
  fields: listParameter().default([]).describe('`source` and `timestamp` by default.'),
  sort: z.string().max(1000).optional(),
  sortOrder: sortDirectionSchema.optional(),
  sort_order: sortDirectionSchema.optional(),
  from: integerParameter({ min: 0 }).default(0),
  size: integerParameter({ min: 0, max: MAX_MESSAGE_LIMIT }).default(0).describe('0 means 10.'),
});
export type MessagesQuery = z.infer<typeof messagesQuerySchema>;

export const aggregateQuerySchema = z.object({
  ...sharedQuery,
  groups: listParameter().default([]).describe('Fields; `field:5` for the 5 largest groups.'),
  metrics: listParameter()
    .default([])
    .describe(
      '`count`, `avg:took_ms`, `percentile:took_ms:95`; the rows are sorted by the first one. `count` by default.',
    ),
});
export type AggregateQuery = z.infer<typeof aggregateQuerySchema>;

export const tableColumnSchema = z
  .object({
    column_type: z.enum(['grouping', 'metric', 'field']),
    type: z.enum(['string', 'numeric', 'date', 'boolean', 'unknown']),
    function: z.string().optional(),
    field: z.string().optional(),
    name: z.string().describe('For people: `metric: count(source)`.'),
  })
  .meta({ id: 'ScriptingColumn' });
export type TableColumn = z.infer<typeof tableColumnSchema>;

export const tableCellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number(), z.boolean()])),
]);
export type TableCell = z.infer<typeof tableCellSchema>;

export const tableResponseSchema = z
  .object({
    schema: z.array(tableColumnSchema),
    datarows: z.array(z.array(tableCellSchema)).describe('A missing value is `-`.'),
    metadata: z.object({
      effective_timerange: z.object({
        type: z.literal('absolute'),
        from: timestampSchema,
        to: timestampSchema,
      }),
      missing_servers: missingServersSchema,
    }),
  })
  .meta({ id: 'ScriptingTable' });
export type TableResponse = z.infer<typeof tableResponseSchema>;
