import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter } from './parameters.ts';
import { allowPartialSchema, missingServersSchema } from './partial-answers.ts';
import { timestampSchema } from './time.ts';

/** Per answer; use a cursor or an export for more. */
export const MAX_MESSAGE_LIMIT = 10_000;
/** Use a cursor to go further. */
export const MAX_MESSAGE_OFFSET = 100_000;
const MAX_TEXT_LENGTH = 65_536;
const MAX_NAME_LENGTH = 1000;
const MAX_LIST_LENGTH = 1000;

const seconds = z.number().min(0);

/** A time range in the body of a request. */
export const timeRangeSchema = z
  .union([
    z.strictObject({
      type: z.literal('relative'),
      range: seconds.describe('The last seconds; 0 means all time.'),
    }),
    z.strictObject({
      type: z.literal('relative'),
      from: seconds.describe('Seconds ago.'),
      to: seconds.optional().describe('Seconds ago; now by default.'),
    }),
    z.strictObject({
      type: z.literal('absolute'),
      from: z.string().min(1).max(100).describe('ISO 8601, or `yyyy-MM-dd HH:mm:ss[.SSS]`.'),
      to: z.string().min(1).max(100).describe('The same; inclusive.'),
    }),
    z.strictObject({
      type: z.literal('keyword'),
      keyword: z.string().min(1).max(MAX_NAME_LENGTH).describe('For example `last 5 minutes`.'),
      timezone: z.string().max(100).optional(),
    }),
  ])
  .meta({ id: 'TimeRange', description: 'Relative, absolute or as keywords.' });
export type TimeRangeRequest = z.infer<typeof timeRangeSchema>;

const highlightRanges = z
  .record(z.string(), z.array(z.object({ start: z.int().min(0), length: z.int().min(1) })))
  .describe('By field: the matching ranges of its text, in UTF-16 units.');

export const messageFieldsSchema = z
  .record(z.string(), z.unknown())
  .describe('All fields in one object: `_id`, `timestamp`, `source`, `message`, `streams`, …');

export const foundMessageSchema = z
  .object({
    highlight_ranges: highlightRanges.optional(),
    message: messageFieldsSchema,
    index: z.string(),
  })
  .meta({ id: 'FoundMessage' });
export type FoundMessageView = z.infer<typeof foundMessageSchema>;

export const usedIndexSchema = z.object({
  index_name: z.string(),
  begin: timestampSchema,
  end: timestampSchema,
  calculated_at: timestampSchema,
  took_ms: z.int().min(0),
});

/** The answer of a search for messages in the shape of `/search/universal`. */
export const messageSearchResultSchema = z
  .object({
    query: z.string(),
    built_query: z.string().describe('The query in canonical form.'),
    used_indices: z.array(usedIndexSchema),
    messages: z.array(foundMessageSchema),
    fields: z.array(z.string()).describe('The names of all fields of these messages.'),
    time: z.int().min(0).describe('Milliseconds.'),
    total_results: z.int().min(0).describe('The exact number of matching messages.'),
    from: timestampSchema,
    to: timestampSchema,
    cursor: z
      .string()
      .optional()
      .describe(
        'For the next page: send the same request with this cursor and without offset. Missing on the last page.',
      ),
    warnings: z.array(z.unknown()).optional(),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'MessageSearchResult' });
export type MessageSearchResultView = z.infer<typeof messageSearchResultSchema>;

/** `GET /messages/{index}/{id}` */
export const messageResultSchema = z
  .object({
    message: z.object({
      id: z.string(),
      timestamp: timestampSchema,
      source: z.string(),
      message: z.string(),
      fields: messageFieldsSchema.describe('All fields except `_id`, by name.'),
      streams: z.array(z.string()),
      stream_ids: z.array(z.string()),
    }),
    index: z.string(),
    highlight_ranges: highlightRanges.optional(),
  })
  .meta({ id: 'MessageResult' });
export type MessageResultView = z.infer<typeof messageResultSchema>;

const MAX_SURROUNDING = 1000;
const MAX_SURROUNDING_SECONDS = 24 * 3600;

export const surroundingQuerySchema = z.object({
  before: integerParameter({ min: 0, max: MAX_SURROUNDING })
    .default(10)
    .describe('The most messages before it.'),
  after: integerParameter({ min: 0, max: MAX_SURROUNDING })
    .default(10)
    .describe('The most messages after it.'),
  seconds: integerParameter({ min: 1, max: MAX_SURROUNDING_SECONDS })
    .optional()
    .describe('Only messages within this many seconds.'),
  fields: listParameter()
    .default(['source'])
    .describe('Only messages with the same values in these fields; empty for any message.'),
});
export type SurroundingQuery = z.infer<typeof surroundingQuerySchema>;

export const surroundingMessagesSchema = z
  .object({
    index: z.string(),
    id: z.string(),
    fields: z.record(z.string(), z.unknown()).describe('The values that all these messages share.'),
    messages: z.array(foundMessageSchema).describe('The oldest first, including the message itself.'),
    position: z.int().min(0).describe('The position of the message itself.'),
  })
  .meta({ id: 'SurroundingMessages' });
export type SurroundingMessagesView = z.infer<typeof surroundingMessagesSchema>;

export const parseMessageRequestSchema = z.strictObject({
  message: z.string().max(2 ** 21),
  remote_address: z.string().max(100).optional(),
  codec: z.string().max(100).describe('`gelf`'),
  configuration: z.record(z.string(), z.unknown()).optional(),
});

export type ParseMessageRequest = z.infer<typeof parseMessageRequestSchema>;

export const analyzeQuerySchema = z.object({
  string: z.string().min(1).max(MAX_TEXT_LENGTH),
  analyzer: z.string().max(100).optional().describe('No effect: there is only one analyzer.'),
});

export const analyzeResultSchema = z.object({ tokens: z.array(z.string()) }).meta({ id: 'MessageTokens' });

/** `POST /views/search/messages` */
export const exportRequestSchema = z
  .looseObject({
    timerange: timeRangeSchema.optional().describe('The last five minutes by default.'),
    query_string: z
      .union([
        z.string().max(MAX_TEXT_LENGTH),
        z.looseObject({ type: z.string().optional(), query_string: z.string().max(MAX_TEXT_LENGTH) }),
      ])
      .optional(),
    streams: z.array(z.string().max(100)).max(MAX_LIST_LENGTH).optional(),
    fields_in_order: z.array(z.string().max(MAX_NAME_LENGTH)).min(1).max(MAX_LIST_LENGTH).optional(),
    chunk_size: z.int().min(1).optional().describe('No effect: exports are streamed.'),
    time_zone: z.string().max(100).optional(),
    limit: z.int().min(1).optional(),
    sort: z.string().max(MAX_NAME_LENGTH).optional().describe('`field:asc` or `field:desc`.'),
    allow_partial: allowPartialSchema,
  })
  .meta({ id: 'ExportRequest' });
export type ExportRequest = z.infer<typeof exportRequestSchema>;

export const exportQuerySchema = z.object({
  escape_formulas: booleanParameter()
    .default(false)
    .describe('CSV: put an apostrophe in front of cells that a spreadsheet would run as a formula.'),
});

export const exportFormatSchema = z.enum(['csv', 'json', 'ndjson', 'text']);
export type ExportFormatName = z.infer<typeof exportFormatSchema>;

/** `POST /views/export` */
export const exportJobRequestSchema = exportRequestSchema
  .extend({ format: exportFormatSchema.default('csv') })
  .meta({ id: 'ExportJobRequest' });
export type ExportJobRequest = z.infer<typeof exportJobRequestSchema>;

export const exportJobCreatedSchema = z
  .object({ id: z.string(), total: z.int().min(0).describe('The messages that the file will have.') })
  .meta({ id: 'ExportJobCreated' });
export type ExportJobCreated = z.infer<typeof exportJobCreatedSchema>;

/** `GET /views/export/{id}` */
export const exportJobSchema = z
  .object({
    id: z.string(),
    state: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
      .describe('`waiting` until the file is downloaded.'),
    format: exportFormatSchema,
    total: z.int().min(0),
    rows: z.int().min(0).describe('The messages that were sent.'),
    bytes: z.int().min(0),
    message: z.string().optional().describe('Why it failed.'),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'ExportJob' });
export type ExportJob = z.infer<typeof exportJobSchema>;

export const sqlExplanationSchema = z
  .object({
    statements: z.array(
      z.object({ purpose: z.string(), sql: z.string(), parameters: z.record(z.string(), z.unknown()) }),
    ),
    query: z.string().describe('The query in words.'),
    from: timestampSchema,
    to: timestampSchema,
  })
  .meta({ id: 'SearchSql' });
export type SqlExplanation = z.infer<typeof sqlExplanationSchema>;

export const messageSearchBodySchema = z.strictObject({
  query: z.string().max(MAX_TEXT_LENGTH).default('*'),
  timerange: timeRangeSchema.default({ type: 'relative', range: 300 }),
  streams: z.array(z.string().max(100)).max(MAX_LIST_LENGTH).default([]),
  time_zone: z.string().max(100).optional(),
  fields: z
    .array(z.string().max(MAX_NAME_LENGTH))
    .max(MAX_LIST_LENGTH)
    .optional()
    .describe('All by default.'),
  limit: z.int().min(0).max(MAX_MESSAGE_LIMIT).default(150),
  offset: z.int().min(0).max(MAX_MESSAGE_OFFSET).default(0),
  sort: z
    .string()
    .max(MAX_NAME_LENGTH)
    .optional()
    .describe('`field:asc` or `field:desc`; newest first by default.'),
  cursor: z.string().max(10_000).optional(),
  allow_partial: allowPartialSchema,
});
export type MessageSearchBody = z.infer<typeof messageSearchBodySchema>;
