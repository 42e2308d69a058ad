import { z } from 'zod';
import { timeRangeSchema } from './search-messages.ts';
import { MAX_FIELD_NAME_LENGTH, MAX_QUERY_TEXT_LENGTH, streamIdsSchema } from './searched.ts';

/** A larger size counts as this. */
export const MAX_SUGGESTIONS = 100;
const DEFAULT_SUGGESTIONS = 10;

const streamIds = streamIdsSchema.nullish().describe('Ids; all readable streams by default.');
const timeRange = timeRangeSchema.nullish().describe('The last 5 minutes by default.');
const size = z
  .int()
  .min(1)
  .default(DEFAULT_SUGGESTIONS)
  .describe(`The most suggestions; values above ${MAX_SUGGESTIONS} count as ${MAX_SUGGESTIONS}.`);

/** `POST /search/validate` */
export const validateQueryRequestSchema = z
  .looseObject({
    query: z
      .union([
        z.string().max(MAX_QUERY_TEXT_LENGTH),
        z.looseObject({ query_string: z.string().max(MAX_QUERY_TEXT_LENGTH).default('') }),
      ])
      .nullish()
      .describe('The text, or as Graylog writes it `{"type":"elasticsearch","query_string":"…"}`.'),
    streams: streamIds,
    time_zone: z
      .string()
      .max(100)
      .optional()
      .describe('For times in the query without a zone; UTC by default.'),
  })
  .meta({
    id: 'ValidateQueryRequest',
    description:
      'Other properties of Graylog (timerange, parameters, filters, validation_mode) have no effect.',
  });
export type ValidateQueryRequest = z.infer<typeof validateQueryRequestSchema>;

export const queryExplanationSchema = z
  .object({
    error_type: z.enum([
      'QUERY_PARSING_ERROR',
      'INVALID_OPERATOR',
      'INVALID_VALUE_TYPE',
      'UNKNOWN_FIELD',
      'QUERY_WARNING',
    ]),
    error_title: z.string(),
    error_message: z.string(),
    severity: z.enum(['ERROR', 'WARNING']),
    begin_line: z.int().min(1).describe('From 1.'),
    begin_column: z.int().min(0).describe('From 0, in UTF-16 units.'),
    end_line: z.int().min(1),
    end_column: z.int().min(0).describe('Exclusive.'),
    related_property: z.string().optional().describe('The field or word that caused it.'),
    suggestion: z.string().optional().describe('What to do instead.'),
    replacement: z.string().optional().describe('The whole query with this problem corrected.'),
  })
  .meta({ id: 'QueryExplanation' });
export type QueryExplanation = z.infer<typeof queryExplanationSchema>;

export const queryValidationSchema = z
  .object({
    status: z.enum(['OK', 'WARNING', 'ERROR']),
    explanations: z.array(queryExplanationSchema).describe('Errors first.'),
    meaning: z.string().optional().describe('What the query finds, in words; missing if there are errors.'),
    normalized_query: z.string().optional().describe('The query in canonical form, with all operators.'),
  })
  .meta({ id: 'QueryValidation' });
export type QueryValidation = z.infer<typeof queryValidationSchema>;

/** `POST /search/suggest` */
export const suggestRequestSchema = z
  .looseObject({
    field: z.string().min(1).max(MAX_FIELD_NAME_LENGTH),
    input: z
      .string()
      .max(MAX_FIELD_NAME_LENGTH)
      .default('')
      .describe('The part of the value that is already written.'),
    streams: streamIds,
    timerange: timeRange,
    size,
    filtering_query: z
      .string()
      .max(MAX_QUERY_TEXT_LENGTH)
      .nullish()
      .describe('Only values of messages that this query finds.'),
  })
  .meta({ id: 'SuggestRequest' });
export type SuggestRequest = z.infer<typeof suggestRequestSchema>;

export const suggestResponseSchema = z
  .object({
    field: z.string(),
    input: z.string(),
    suggestions: z.array(
      z.object({
        value: z.string(),
        occurrence: z.int().min(0).describe('Messages with it.'),
        title: z.string().optional().describe('Of a stream, an input or a node.'),
      }),
    ),
    sum_other_docs_count: z.int().min(0).describe('Messages with other values that match.'),
    error: z
      .object({ type: z.string(), reason: z.string() })
      .optional()
      .describe('Why there are no values, for example because the search took too long.'),
  })
  .meta({ id: 'SuggestResponse' });
export type SuggestResponse = z.infer<typeof suggestResponseSchema>;

/** `POST /search/complete` */
export const completeRequestSchema = z
  .strictObject({
    query: z.string().max(MAX_QUERY_TEXT_LENGTH),
    cursor: z.int().min(0).optional().describe('In UTF-16 units; the end of the query by default.'),
    streams: streamIds,
    timerange: timeRange,
    size: size.default(20),
  })
  .meta({ id: 'CompleteRequest' });
export type CompleteRequest = z.infer<typeof completeRequestSchema>;

export const completeResponseSchema = z
  .object({
    items: z
      .array(
        z.object({
          kind: z.enum(['field', 'value', 'operator']),
          text: z.string().describe('Replaces the query from `from` to `to`.'),
          label: z.string().describe('What to show.'),
          detail: z.string().describe('The types of a field, or the number of messages with a value.'),
          from: z.int().min(0),
          to: z.int().min(0),
        }),
      )
      .describe('The most likely first.'),
  })
  .meta({ id: 'CompleteResponse' });
export type CompleteResponse = z.infer<typeof completeResponseSchema>;
export type CompletionItem = CompleteResponse['items'][number];
