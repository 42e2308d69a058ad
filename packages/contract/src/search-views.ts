import { z } from 'zod';
import { integerParameter } from './parameters.ts';
import { allowPartialSchema, missingServersSchema } from './partial-answers.ts';
import { timeRangeSchema } from './search-messages.ts';
import { sortDirectionSchema } from './search-scripting.ts';
import { fieldNameSchema, MAX_QUERY_TEXT_LENGTH, nullish } from './searched.ts';
import { timestampSchema } from './time.ts';

/**
 * `/views/search`: several queries in one request, as Graylog's web interface and scripts for Graylog 3.2 and later send
 * them. Objects are loose, because these scripts send many properties that have no effect here.
 */

const MAX_QUERIES = 10;
const MAX_SEARCH_TYPES = 30;
const MAX_GROUPS_OF_VIEW = 5;
const MAX_SERIES = 20;
const MAX_LIST_LENGTH = 1000;
const MAX_ID_LENGTH = 100;
/** In characters of JSON. */
export const MAX_VIEW_SEARCH_LENGTH = 1_000_000;
const MAX_SYNC_TIMEOUT_MS = 3_600_000;

const text = z.string().max(1000);

const backendQuerySchema = z.union([
  z.string().max(MAX_QUERY_TEXT_LENGTH),
  z.looseObject({ type: text.optional(), query_string: z.string().max(MAX_QUERY_TEXT_LENGTH).optional() }),
]);

/** A stream, or several in a list. */
export const viewFilterSchema = z.looseObject({
  type: z
    .enum(['stream', 'or', 'and'])
    .describe('`or`: messages of any of the streams. `and` can have only one stream.'),
  id: text.optional(),
  stream_id: text.optional(),
  filters: z
    .array(z.looseObject({ type: z.enum(['stream']), id: text.optional(), stream_id: text.optional() }))
    .max(MAX_LIST_LENGTH)
    .nullish(),
});
export type ViewFilter = z.infer<typeof viewFilterSchema>;

/** Graylog's clients may leave ids out; answers are found by them, so each gets one. */
const ownId = nullish(text.min(1))
  .transform((id) => id ?? globalThis.crypto.randomUUID())
  .describe('One is made up without it.');

/** What a part of a view may override from its query. */
const ownSearch = {
  id: ownId,
  name: nullish(text),
  timerange: nullish(timeRangeSchema),
  query: nullish(backendQuerySchema),
  streams: nullish(z.array(text).max(MAX_LIST_LENGTH)),
};

export const viewMessagesSchema = z.looseObject({
  ...ownSearch,
  type: z.literal('messages'),
  limit: nullish(z.int().max(10_000)).describe('150 by default.'),
  offset: nullish(z.int().min(0)),
  fields: nullish(z.array(fieldNameSchema).max(MAX_LIST_LENGTH)).describe('All by default.'),
  sort: nullish(
    z.array(z.looseObject({ field: fieldNameSchema, order: sortDirectionSchema.optional() })).max(MAX_SERIES),
  ).describe('Only the first one is used; newest first by default.'),
});
export type ViewMessages = z.infer<typeof viewMessagesSchema>;

const intervalSchema = z.union([
  text,
  z.looseObject({
    type: text.optional(),
    timeunit: text.optional().describe('`1h`, `5m`, `1d`, …'),
    value: z.number().optional(),
    unit: text.optional(),
    scaling: z.number().positive().max(1000).optional(),
  }),
]);

export const viewGroupSchema = z.looseObject({
  type: z.enum(['values', 'time']),
  field: nullish(fieldNameSchema),
  fields: nullish(z.array(fieldNameSchema).max(MAX_GROUPS_OF_VIEW)),
  limit: nullish(z.int().max(10_000)).describe(
    '15 by default. Messages without the field are one more group.',
  ),
  skip_empty_values: nullish(z.boolean()).describe('Leaves out the messages without the field.'),
  interval: nullish(intervalSchema),
});
export type ViewGroup = z.infer<typeof viewGroupSchema>;

export const viewSeriesSchema = z.looseObject({
  type: z.string().min(1).max(50).describe('A function: count, avg, card, …'),
  id: nullish(text).describe('The name of its values; `count()` by default.'),
  field: nullish(fieldNameSchema),
  percentile: nullish(z.number().min(0).max(100)),
  strategy: nullish(text),
});
export type ViewSeries = z.infer<typeof viewSeriesSchema>;

export const viewPivotSchema = z.looseObject({
  ...ownSearch,
  type: z.literal('pivot'),
  row_groups: nullish(z.array(viewGroupSchema).max(MAX_GROUPS_OF_VIEW)),
  column_groups: nullish(z.array(viewGroupSchema).max(MAX_GROUPS_OF_VIEW)),
  series: z.array(viewSeriesSchema).max(MAX_SERIES),
  sort: nullish(
    z
      .array(z.looseObject({ type: text.optional(), field: text, direction: sortDirectionSchema.optional() }))
      .max(MAX_SERIES),
  ),
  rollup: nullish(z.boolean()).describe(
    'Also returns the values over all messages. `false`: no values of a row over all its columns.',
  ),
});
export type ViewPivot = z.infer<typeof viewPivotSchema>;

export const viewQuerySchema = z.looseObject({
  id: ownId,
  timerange: nullish(timeRangeSchema).describe('The last five minutes by default.'),
  query: nullish(backendQuerySchema),
  streams: nullish(z.array(text).max(MAX_LIST_LENGTH)).describe('Ids; all readable streams by default.'),
  filter: nullish(viewFilterSchema).describe('The streams, as older clients send them.'),
  allow_partial: nullish(z.boolean()).describe(allowPartialSchema.description ?? ''),
  search_types: nullish(
    z.array(z.discriminatedUnion('type', [viewMessagesSchema, viewPivotSchema])).max(MAX_SEARCH_TYPES),
  ),
});
export type ViewQuery = z.infer<typeof viewQuerySchema>;

export const viewSearchRequestSchema = z
  .looseObject({
    id: nullish(text.min(1).max(MAX_ID_LENGTH)),
    queries: z.array(viewQuerySchema).min(1).max(MAX_QUERIES),
  })
  .meta({ id: 'ViewSearchRequest' });
export type ViewSearchRequest = z.infer<typeof viewSearchRequestSchema>;

/** `POST /views/search`: the same, stored to be executed later. */
export const storedViewSearchRequestSchema = viewSearchRequestSchema.refine(
  (search) => JSON.stringify(search).length <= MAX_VIEW_SEARCH_LENGTH,
  { error: `a search cannot be larger than ${MAX_VIEW_SEARCH_LENGTH} characters of JSON` },
);

export const storedViewSearchSchema = z
  .object({
    id: z.string(),
    queries: z.array(z.record(z.string(), z.unknown())).describe('As they were sent.'),
    parameters: z.array(z.never()),
    requires: z.object({}),
    owner: z.string(),
    created_at: timestampSchema.describe('When it was last stored.'),
  })
  .meta({ id: 'StoredViewSearch' });
export type StoredViewSearch = z.infer<typeof storedViewSearchSchema>;

/** `/views/search/metadata` */
export const viewMetadataSchema = z
  .object({
    query_metadata: z.record(z.string(), z.object({ used_parameters_names: z.array(z.string()) })),
    declared_parameters: z.record(z.string(), z.never()).describe('Empty: queries cannot have parameters.'),
  })
  .meta({ id: 'ViewSearchMetadata' });
export type ViewMetadata = z.infer<typeof viewMetadataSchema>;

export const viewSyncQuerySchema = z.object({
  timeout: integerParameter({ min: 1, max: MAX_SYNC_TIMEOUT_MS })
    .default(60_000)
    .describe(
      'Milliseconds to wait for the results. After that, the search continues as a job; see its status.',
    ),
});

/** `POST /views/search/{id}/execute`: overrides for this execution. */
export const viewExecutionSchema = z
  .looseObject({
    parameter_bindings: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('Must be empty: queries cannot have parameters.'),
    global_override: nullish(
      z.strictObject({
        timerange: nullish(timeRangeSchema),
        query: nullish(backendQuerySchema),
        limit: nullish(z.int().max(10_000)).describe('For lists of messages.'),
        offset: nullish(z.int().min(0)).describe('For lists of messages.'),
        search_types: z
          .undefined('changing search types is not supported; store another search')
          .optional()
          .describe('Refused: it would change the search.'),
        keep_queries: nullish(z.array(text).max(MAX_LIST_LENGTH)).describe('Ids; all by default.'),
        keep_search_types: nullish(z.array(text).max(MAX_LIST_LENGTH)).describe('Ids; all by default.'),
      }),
    ).describe('Overrides for all queries and their parts.'),
  })
  .meta({ id: 'ViewExecution' });
export type ViewExecution = z.infer<typeof viewExecutionSchema>;

/** `POST /views/search/messages/{searchId}`: overrides for the export. */
export const storedExportRequestSchema = z
  .looseObject({
    fields_in_order: nullish(z.array(fieldNameSchema).min(1).max(MAX_LIST_LENGTH)),
    limit: nullish(z.int().min(1)),
    time_zone: nullish(text),
    allow_partial: nullish(z.boolean()).describe(allowPartialSchema.description ?? ''),
  })
  .meta({ id: 'StoredExportRequest' });
export type StoredExportRequest = z.infer<typeof storedExportRequestSchema>;

const effectiveTimeRange = z.object({
  type: z.literal('absolute'),
  from: timestampSchema,
  to: timestampSchema,
});

const errorSchema = z.object({
  type: z.string(),
  query_id: z.string(),
  search_type_id: z.string().optional(),
  description: z.string(),
});

export const viewMessagesResultSchema = z.object({
  id: z.string(),
  type: z.literal('messages'),
  name: z.string().nullable(),
  messages: z.array(
    z.object({
      highlight_ranges: z.record(z.string(), z.unknown()),
      message: z.record(z.string(), z.unknown()),
      index: z.string(),
      decoration_stats: z.null(),
    }),
  ),
  effective_timerange: effectiveTimeRange,
  total_results: z.int().min(0),
  missing_servers: missingServersSchema,
});
export type ViewMessagesResult = z.infer<typeof viewMessagesResultSchema>;

const pivotValue = z.union([z.number(), z.string(), z.boolean(), z.array(z.unknown()), z.null()]);

export const viewPivotResultSchema = z.object({
  id: z.string(),
  type: z.literal('pivot'),
  name: z.string().nullable(),
  rows: z.array(
    z.object({
      key: z.array(z.string()),
      values: z.array(
        z.object({
          key: z.array(z.string()),
          value: pivotValue,
          rollup: z.boolean(),
          source: z.enum(['row-leaf', 'col-leaf', 'row-inner']),
        }),
      ),
      source: z.enum(['leaf', 'non-leaf']),
    }),
  ),
  total: z.int().min(0).describe('Messages.'),
  column_names: z
    .array(z.string())
    .describe(
      'The fields of the row groups, then the series; with column groups, each of their keys with each series: `3, count()`.',
    ),
  effective_timerange: effectiveTimeRange,
  missing_servers: missingServersSchema,
});
export type ViewPivotResult = z.infer<typeof viewPivotResultSchema>;

export const viewSearchResultSchema = z
  .object({
    id: z.string(),
    search_id: z.string(),
    owner: z.string(),
    executing_node: z.string(),
    execution: z.object({
      done: z.boolean(),
      cancelled: z.boolean(),
      completed_exceptionally: z.boolean(),
    }),
    results: z.record(
      z.string(),
      z.object({
        query: z.record(z.string(), z.unknown()).describe('As it was sent.'),
        execution_stats: z.object({
          duration: z.int().min(0),
          timestamp: timestampSchema,
          effective_timerange: effectiveTimeRange.nullable(),
        }),
        search_types: z.record(
          z.string(),
          z.discriminatedUnion('type', [viewMessagesResultSchema, viewPivotResultSchema]),
        ),
        errors: z.array(errorSchema),
        state: z.enum(['COMPLETED', 'FAILED']),
      }),
    ),
  })
  .meta({ id: 'ViewSearchResult' });
export type ViewSearchResult = z.infer<typeof viewSearchResultSchema>;
export type ViewQueryResult = ViewSearchResult['results'][string];
