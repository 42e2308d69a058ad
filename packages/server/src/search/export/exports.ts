/** Exports: all messages of a search as a file, of any size, in constant memory. */
import { Readable } from 'node:stream';
import type { Principal } from '#core/index.ts';
import { EXACT_JSON_SETTINGS } from '#storage/index.ts';
import type { RunOptions, Searches, SearchInput } from '../execution/index.ts';
import { type MessageRow, type MessageSort, NEWEST_FIRST, pageStatement } from '../messages/index.ts';
import { type ExportFormat, type ExportLines, exportLines } from './formats.ts';

export interface ExportRequest extends SearchInput {
  readonly format: ExportFormat;
  /** The columns, in this order. `timestamp`, `_id` and any field. */
  readonly fields: readonly string[];
  readonly sort?: MessageSort | undefined;
  /** All without. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly escapeFormulas?: boolean | undefined;
}

export interface Exports {
  /**
   * Resolves when the first messages are there, so that whatever is wrong is known before anything is sent; rejects
   * as `Searches` does. The engine waits when nobody reads; destroying the stream ends the search in it.
   */
  open(principal: Principal, request: ExportRequest, options?: Pick<RunOptions, 'signal'>): Promise<Readable>;
}

/** Lines are sent together up to about this many characters. */
const CHUNK_LENGTH = 65_536;

export function createExports(deps: { readonly searches: Searches }): Exports {
  return {
    async open(principal, request, options = {}) {
      const search = await deps.searches.prepare(principal, request);
      const { columns, sql } = pageStatement(search, {
        sort: request.sort ?? NEWEST_FIRST,
        fields: request.fields,
        // An offset without a limit: as many as there can be.
        limit: request.limit ?? (request.offset ? Number.MAX_SAFE_INTEGER : undefined),
        offset: request.offset,
      });
      const batches = deps.searches
        .stream<MessageRow>(search, sql, {
          principal,
          signal: options.signal,
          settings: EXACT_JSON_SETTINGS,
          timeoutMs: 0,
        })
        [Symbol.asyncIterator]();
      const first = await batches.next();
      const lines = exportLines(request.format, request);
      const text = (rows: readonly MessageRow[]) =>
        rows.map((row) => lines.line(columns.read(row, search.targets)));
      return Readable.from(chunks(lines, first, batches, text), { objectMode: false });
    },
  };
}

async function* chunks(
  { header }: ExportLines,
  first: IteratorResult<MessageRow[]>,
  batches: AsyncIterator<MessageRow[]>,
  text: (rows: readonly MessageRow[]) => string[],
): AsyncGenerator<string, void, undefined> {
  let waiting = header;
  try {
    for (let batch = first; batch.done !== true; batch = await batches.next()) {
      for (const line of text(batch.value)) {
        waiting += line;
        if (waiting.length < CHUNK_LENGTH) continue;
        yield waiting;
        waiting = '';
      }
    }
    if (waiting !== '') yield waiting;
  } finally {
    await batches.return?.();
  }
}
