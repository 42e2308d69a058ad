import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter } from './parameters.ts';

/** What a live tail is asked for. */
export const searchTailQuerySchema = z.object({
  query: z.string().default('*').describe('In the query language; `*` or empty for all messages.'),
  streams: listParameter()
    .optional()
    .describe('Ids of streams: only messages of one of them. Without: of all that the user may read.'),
  fields: listParameter()
    .optional()
    .describe('Only these fields, and always `_id` and `timestamp`. Without: all.'),
  rate: integerParameter({ min: 1, max: 1000 })
    .default(100)
    .describe('At most so many messages a second; what matches beyond is counted as dropped.'),
  timezone: z.string().default('UTC').describe('For times in the query that name none.'),
  cluster: booleanParameter()
    .default(true)
    .describe('Messages of all nodes. `false`: only of the node that is asked.'),
});
export type SearchTailQuery = z.output<typeof searchTailQuerySchema>;
