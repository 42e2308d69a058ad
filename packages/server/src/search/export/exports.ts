/** Exports all messages of a search as a file of any size, in constant memory. */
import { Readable } from 'node:stream';
import type { Principal } from '#core/index.ts';
import { type RunOptions, type Searches, SearchFailedError, type SearchInput } from '../execution/index.ts';
import { type MessageSort, NEWEST_FIRST, orderedStatement } from '../messages/index.ts';
import { EXPORT_SETTINGS, type ExportFormat, exportLines } from './formats.ts';

export interface ExportRequest extends SearchInput {
  readonly format: ExportFormat;
  /** The columns in order: `timestamp`, `_id` or any field. */
  readonly fields: readonly string[];
  readonly sort?: MessageSort | undefined;
  /** No limit by default. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly escapeFormulas?: boolean | undefined;
}

export interface Exports {
  /**
   * Resolves when the first messages have arrived, so that errors are known before anything is sent. Rejects as
   * `Searches` does. The engine waits while nobody reads, until the time of the export is over; destroying the stream
   * stops the search.
   */
  open(principal: Principal, request: ExportRequest, options?: Pick<RunOptions, 'signal'>): Promise<Readable>;
}

export interface ExportSettings {
  /** `search_export_timeout` */
  readonly timeoutMs: number;
}

/** The engine stops a statement this much later, should this process not do it. */
const ENGINE_GRACE_MS = 60_000;

export function createExports(deps: { readonly searches: Searches }, { timeoutMs }: ExportSettings): Exports {
  return {
    async open(principal, request, options = {}) {
      const search = await deps.searches.prepare(principal, request);
      const { header, columns, line } = exportLines(request.format, request, search.parameters);
      const sql = orderedStatement(search, {
        sort: request.sort ?? NEWEST_FIRST,
        inner: columns,
        outer: [`${line} AS line`],
        // SQL needs a limit for an offset.
        limit: request.limit ?? (request.offset ? Number.MAX_SAFE_INTEGER : undefined),
        offset: request.offset,
      });
      const deadline = startDeadline(timeoutMs);
      try {
        const text = deps.searches
          .text(search, `${sql} FORMAT TSVRaw`, {
            principal,
            signal: AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])]),
            settings: EXPORT_SETTINGS,
            timeoutMs: timeoutMs + ENGINE_GRACE_MS,
          })
          [Symbol.asyncIterator]();
        const first = await text.next();
        const file = Readable.from(withFirstChunk(header, first, text), { objectMode: false });
        // While nobody reads, only this ends the stream.
        const stop = () => file.destroy(deadline.signal.reason);
        deadline.signal.addEventListener('abort', stop, { once: true });
        if (deadline.signal.aborted) stop();
        return file.once('close', deadline.clear);
      } catch (error) {
        deadline.clear();
        throw error;
      }
    },
  };
}

function startDeadline(timeoutMs: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new SearchFailedError(
        `The export took longer than ${timeoutMs / 1000} s and was stopped. Export a shorter time range or fewer streams, or raise search_export_timeout.`,
        `search_export_timeout: ${timeoutMs / 1000} s`,
      ),
    );
  }, timeoutMs);
  timer.unref();
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function* withFirstChunk(
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
