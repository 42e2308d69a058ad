/** Exports: all messages of a search as a file, of any size, in constant memory. */
import { Readable } from 'node:stream';
import type { Principal } from '#core/index.ts';
import type { RunOptions, Searches, SearchInput } from '../execution/index.ts';
import { type MessageSort, NEWEST_FIRST, orderedStatement } from '../messages/index.ts';
import { EXPORT_SETTINGS, type ExportFormat, exportLines } from './formats.ts';

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

export function createExports(deps: { readonly searches: Searches }): Exports {
  return {
    async open(principal, request, options = {}) {
      const search = await deps.searches.prepare(principal, request);
      const { header, columns, line } = exportLines(request.format, request, search.parameters);
      const sql = orderedStatement(search, {
        sort: request.sort ?? NEWEST_FIRST,
        inner: columns,
        outer: [`${line} AS line`],
        // An offset without a limit: as many as there can be.
        limit: request.limit ?? (request.offset ? Number.MAX_SAFE_INTEGER : undefined),
        offset: request.offset,
      });
      const text = deps.searches
        .text(search, `${sql} FORMAT TSVRaw`, {
          principal,
          signal: options.signal,
          settings: EXPORT_SETTINGS,
          timeoutMs: 0,
        })
        [Symbol.asyncIterator]();
      const first = await text.next();
      return Readable.from(file(header, first, text), { objectMode: false });
    },
  };
}

async function* file(
  header: string,
  first: IteratorResult<Buffer>,
  text: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (header !== '') yield Buffer.from(header);
    for (let chunk = first; chunk.done !== true; chunk = await text.next()) yield chunk.value;
  } finally {
    await text.return?.();
  }
}
