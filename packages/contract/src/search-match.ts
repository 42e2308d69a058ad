import { z } from 'zod';
import { MAX_QUERY_TEXT_LENGTH } from './searched.ts';

export const MAX_MATCHED_QUERIES = 50;
export const MAX_MATCHED_MESSAGES = 500;

/** `POST /search/match` */
export const matchRequestSchema = z
  .strictObject({
    queries: z.array(z.string().max(MAX_QUERY_TEXT_LENGTH)).min(1).max(MAX_MATCHED_QUERIES),
    messages: z
      .array(z.record(z.string(), z.unknown()))
      .max(MAX_MATCHED_MESSAGES)
      .describe('The fields of each message, as searches return them.'),
    time_zone: z.string().max(100).optional().describe('For times without a zone; UTC by default.'),
  })
  .meta({ id: 'MatchRequest' });
export type MatchRequest = z.infer<typeof matchRequestSchema>;

export const matchResponseSchema = z
  .object({
    matches: z
      .array(z.array(z.int().min(0)))
      .describe('For each message, the positions of the queries that find it.'),
  })
  .meta({ id: 'MatchResponse' });
export type MatchResponse = z.infer<typeof matchResponseSchema>;
