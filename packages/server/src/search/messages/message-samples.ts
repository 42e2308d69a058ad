import type { Principal } from '#core/index.ts';
import { EXACT_JSON_SETTINGS } from '#storage/index.ts';
import type { Searches } from '../execution/index.ts';
import type { TimeRange } from '../time/index.ts';
import type { FoundMessage, MessageRow } from './message-rows.ts';
import { pageStatement } from './page-statement.ts';
import { NEWEST_FIRST } from './sort.ts';

export interface SampleRequest {
  readonly range: TimeRange;
  readonly limit: number;
  /** Only these fields; all without. */
  readonly fields?: readonly string[] | undefined;
  /** In the query language; `*` without. */
  readonly query?: string | undefined;
  /** Only messages of these streams; of all that the caller may read without. */
  readonly streams?: readonly string[] | undefined;
}

/** Stored messages to try something on. Rejects as `Searches` does. */
export interface MessageSamples {
  /** The newest messages of the time range that the caller may read, without failures; in constant memory. */
  newest(
    caller: { readonly principal: Principal; readonly signal?: AbortSignal | undefined },
    request: SampleRequest,
  ): AsyncIterable<readonly FoundMessage[]>;
}

export function createMessageSamples({ searches }: { readonly searches: Searches }): MessageSamples {
  return {
    async *newest({ principal, signal }, { range, limit, fields, query = '*', streams }) {
      const search = await searches.prepare(principal, { query, range, streams });
      const { sql, columns } = pageStatement(search, { sort: NEWEST_FIRST, limit, fields });
      const options = { principal, signal, settings: EXACT_JSON_SETTINGS };
      for await (const rows of searches.stream<MessageRow>(search, sql, options)) {
        yield rows.map((row) => columns.read(row, search));
      }
    },
  };
}
