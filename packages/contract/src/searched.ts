import { z } from 'zod';
import { allowPartialSchema } from './partial-answers.ts';
import { timeRangeSchema } from './search-messages.ts';

/** The properties of requests that select messages. */

/** Larger than the limit of the query language, which has its own error message. */
export const MAX_QUERY_TEXT_LENGTH = 65_536;
export const MAX_FIELD_NAME_LENGTH = 1000;
const MAX_STREAMS = 1000;

export const fieldNameSchema = z.string().trim().min(1).max(MAX_FIELD_NAME_LENGTH);

export const streamIdsSchema = z.array(z.string().max(100)).max(MAX_STREAMS);

/** Null counts as missing: many clients send every key. */
export function nullish<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** The body of a search: by default the last five minutes of all that the user may read. */
export const searchedShape = {
  query: z.string().max(MAX_QUERY_TEXT_LENGTH).default('*'),
  streams: streamIdsSchema.default([]).describe('Ids; all readable streams by default.'),
  timerange: timeRangeSchema.default({ type: 'relative', range: 300 }),
  time_zone: z.string().max(100).optional().describe('For times without a zone; UTC by default.'),
  allow_partial: allowPartialSchema,
};
