import { z } from 'zod';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { integerParameter } from './parameters.ts';
import { timeRangeSchema } from './search-messages.ts';
import { timestampSchema } from './time.ts';
import { lineOfText } from './users.ts';

export const MAX_SAVED_SEARCH_TITLE_LENGTH = 200;
export const MAX_SAVED_SEARCH_LENGTH = 65_536;
/** Queries in the history of one user. */
export const MAX_SEARCH_HISTORY = 50;
/** Characters of JSON. */
export const MAX_SAVED_SEARCH_STATE_LENGTH = 16_384;
const MAX_DESCRIPTION_LENGTH = 2000;
const MAX_LIST_LENGTH = 1000;

const textList = z.array(z.string().max(1000)).max(MAX_LIST_LENGTH);

/** The search as it was sent, without defaults. */
const savedSearchShape = {
  query: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: "The query, or Graylog's object of query, time range and fields." }),
  timerange: timeRangeSchema.optional(),
  streams: textList.optional().describe('Ids; all readable streams by default.'),
  fields: textList.optional().describe('The columns to show.'),
  sort: z
    .union([
      z.string().max(1000),
      z.array(z.strictObject({ field: z.string().max(1000), order: z.enum(['asc', 'desc']) })).max(10),
    ])
    .optional(),
  state: z
    .record(z.string().max(100), z.unknown())
    .refine((state) => JSON.stringify(state).length <= MAX_SAVED_SEARCH_STATE_LENGTH, {
      error: `the state cannot be larger than ${MAX_SAVED_SEARCH_STATE_LENGTH} characters of JSON`,
    })
    .optional()
    .describe('How the web interface showed the search; stored as it is.'),
};

/** `POST /search/saved`, `PUT /search/saved/{id}` */
export const savedSearchRequestSchema = z
  .strictObject({
    title: lineOfText(1, MAX_SAVED_SEARCH_TITLE_LENGTH).refine((title) => title.trim() !== '', {
      error: 'a title cannot be blank',
    }),
    description: z.string().max(MAX_DESCRIPTION_LENGTH).nullable().optional(),
    ...savedSearchShape,
  })
  .refine((search) => JSON.stringify(search).length <= MAX_SAVED_SEARCH_LENGTH, {
    error: `a saved search cannot be larger than ${MAX_SAVED_SEARCH_LENGTH} characters of JSON`,
  })
  .meta({ id: 'SavedSearchRequest' });
export type SavedSearchRequest = z.infer<typeof savedSearchRequestSchema>;

export const savedSearchCreatedSchema = z
  .object({ search_id: z.string() })
  .meta({ id: 'SavedSearchCreated' });

export const savedSearchSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    ...savedSearchShape,
    created_at: timestampSchema,
    last_updated_at: timestampSchema,
    creator_user_id: z.string().describe('The name of the user who saved it.'),
  })
  .meta({ id: 'SavedSearch' });
export type SavedSearch = z.infer<typeof savedSearchSchema>;

/** So that clients that know no pages get all. */
const MAX_SAVED_SEARCHES = 10_000;

export const savedSearchPageQuerySchema = z.object({
  ...pagingQueryShape,
  per_page: integerParameter({ min: 1, max: MAX_SAVED_SEARCHES })
    .default(MAX_SAVED_SEARCHES)
    .describe('Elements per page.'),
});
export type SavedSearchPageQuery = z.infer<typeof savedSearchPageQuerySchema>;

/** `GET /search/saved` */
export const savedSearchListSchema = z
  .object({
    ...pagingResponseShape,
    searches: z.array(savedSearchSchema),
    elements: z.array(savedSearchSchema).describe('The same, as newer clients expect them.'),
    pagination: z.object(pagingResponseShape),
  })
  .meta({ id: 'SavedSearchList' });
export type SavedSearchList = z.infer<typeof savedSearchListSchema>;

const queryText = z.string().max(MAX_SAVED_SEARCH_LENGTH);

/** `POST /search/history` */
export const usedQueryScopeSchema = z.object({
  timerange: timeRangeSchema.optional().describe('Where it was used.'),
  streams: textList.optional().describe('Ids; all readable streams by default.'),
});

export const usedQueryRequestSchema = z
  .strictObject({ query: queryText, ...usedQueryScopeSchema.shape })
  .meta({ id: 'UsedQueryRequest' });
export type UsedQueryRequest = z.infer<typeof usedQueryRequestSchema>;

export const searchHistoryQuerySchema = z.object({
  limit: integerParameter({ min: 1, max: MAX_SEARCH_HISTORY }).default(MAX_SEARCH_HISTORY),
});

export const forgetQuerySchema = z.object({
  query: queryText.optional().describe('Only this query; all by default.'),
});

/** `GET /search/history` */
export const searchHistorySchema = z
  .object({
    queries: z
      .array(
        z.object({
          query: z.string(),
          used_at: timestampSchema,
          uses: z.int().min(1),
          ...usedQueryScopeSchema.shape,
        }),
      )
      .describe('The last used query first, each query once.'),
  })
  .meta({ id: 'SearchHistory' });
export type SearchHistory = z.infer<typeof searchHistorySchema>;
