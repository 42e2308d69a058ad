import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter } from './parameters.ts';

/** Query parameters of a live tail. */
export const searchTailQuerySchema = z.object({
  query: z.string().default('*').describe('In the query language; `*` or empty for all messages.'),
  streams: listParameter()
    .optional()
    .describe(
      'Ids of streams: only messages of at least one of them. By default all that the user may read.',
    ),
  fields: listParameter()
    .optional()
    .describe('Only these fields, and always `_id` and `timestamp`. All by default.'),
  rate: integerParameter({ min: 1, max: 1000 })
    .default(100)
    .describe('The most messages per second; further matches are counted as dropped.'),
  timezone: z.string().default('UTC').describe('For times in the query without a zone.'),
  cluster: booleanParameter()
    .default(true)
    .describe('Messages of all nodes. `false`: only of the node that receives the request.'),
});
export type SearchTailQuery = z.output<typeof searchTailQuerySchema>;
