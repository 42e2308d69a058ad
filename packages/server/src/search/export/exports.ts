/** Exports all messages of a search as a file of any size, in constant memory. */
import { Readable } from 'node:stream';
import type { Principal } from '#core/index.ts';
import { type RunOptions, type Searches, SearchFailedError, type SearchInput } from '../execution/index.ts';
import { type MessageSort, NEWEST_FIRST, orderedStatement } from '../messages/index.ts';
import { missingIn } from '../search-caller.ts';
import { EXPORT_SETTINGS, type ExportFormat, type ExportLines, exportLines } from './formats.ts';

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
  open(principal: Principal, request: ExportRequest, options?: ExportOptions): Promise<Readable>;
}

/** What has been handed to the reader so far. */
export interface ExportProgress {
  readonly rows: number;
  readonly bytes: number;
}

export interface ExportOptions extends Pick<RunOptions, 'signal'> {
  readonly progress?: ((progress: ExportProgress) => void) | undefined;
  /** Called before `open` resolves, if the file is without the messages of some servers. */
  readonly missing?: ((servers: readonly string[]) => void) | undefined;
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
      const { header, separator, footer, columns, line } = exportLines(
        request.format,
        request,
        search.parameters,
      );
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
        const { missing_servers: missing } = missingIn(search);
        if (missing !== undefined) options.missing?.(missing);
        const file = Readable.from(
          fileOf({ header, separator, footer }, withFirstChunk(first, text), options.progress),
          { objectMode: false },
        );
        // While nobody reads, only this ends the stream.
        const stop = () => file.destroy(deadline.signal.reason);
        deadline.signal.addEventListener('abort', stop, { once: true });
        if (deadline.signal.aborted) stop();
        return file.once('close', () => {
          deadline.clear();
          // Here and not in the generators of the file: those of a file that nobody has read have never begun.
          text.return?.().catch(() => {});
        });
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
  first: IteratorResult<Buffer>,
  text: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = first; chunk.done !== true; chunk = await text.next()) yield chunk.value;
}

const LINE_FEED = 10;

/** The engine ends every line with a line feed. A separator stands between lines, so it waits for the next one. */
async function* fileOf(
  { header, separator, footer }: Pick<ExportLines, 'header' | 'separator' | 'footer'>,
  chunks: AsyncIterable<Buffer>,
  report: ExportOptions['progress'],
): AsyncGenerator<Buffer, void, undefined> {
  let rows = 0;
  let bytes = 0;
  const counted = (part: Buffer): Buffer => {
    bytes += part.length;
    report?.({ rows, bytes });
    return part;
  };
  if (header !== '') yield counted(Buffer.from(header));
  let isBetween = false;
  for await (const chunk of chunks) {
    rows += linesIn(chunk);
    const endsLine = chunk.at(-1) === LINE_FEED;
    if (separator === '\n') yield counted(chunk);
    else {
      const lines = (endsLine ? chunk.subarray(0, -1) : chunk).toString('latin1');
      yield counted(
        Buffer.from(`${isBetween ? separator : ''}${lines.replaceAll('\n', separator)}`, 'latin1'),
      );
    }
    isBetween = endsLine;
  }
  if (footer !== '') yield counted(Buffer.from(footer));
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
