import { z } from 'zod';
import { timeRangeSchema } from './search-messages.ts';

/** What requests say about the messages they mean, in the words that all of them use. */

/** Characters that are read of a query; those that it may have are fewer, and its own error says so. */
export const MAX_QUERY_TEXT_LENGTH = 65_536;
export const MAX_FIELD_NAME_LENGTH = 1000;
const MAX_STREAMS = 1000;

export const fieldNameSchema = z.string().trim().min(1).max(MAX_FIELD_NAME_LENGTH);

export const streamIdsSchema = z.array(z.string().max(100)).max(MAX_STREAMS);

/** Null is as good as left out: many clients write every key. */
export function nullish<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** The body of a search of our own: the last five minutes of all that may be read unless it says otherwise. */
export const searchedShape = {
  query: z.string().max(MAX_QUERY_TEXT_LENGTH).default('*'),
  streams: streamIdsSchema.default([]).describe('Ids; all readable ones without.'),
  timerange: timeRangeSchema.default({ type: 'relative', range: 300 }),
  time_zone: z.string().max(100).optional().describe('For times that name none; UTC without.'),
};
