import { z } from 'zod';

/** When one of several ClickHouse servers is away. */

export const allowPartialSchema = z
  .boolean()
  .optional()
  .describe(
    'Whether to answer without the messages of ClickHouse servers that are away. Otherwise the search is refused with 503 meanwhile.',
  );

/** The header of a file that is without the messages of these servers. */
export const MISSING_SERVERS_HEADER = 'x-missing-servers';

export const missingServersSchema = z
  .array(z.string())
  .optional()
  .describe(
    'The ClickHouse servers that were away: the answer is without their messages. Missing if none was.',
  );
