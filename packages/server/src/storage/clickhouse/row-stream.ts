/**
 * Rows of a running statement as they arrive, with progress in between. Since the server does not wait for the end of
 * the statement, it can still fail after rows were delivered: the iteration then throws.
 */
import { IncomingMessage } from 'node:http';
import { type ClickHouseSettings, type createClient, parseError, type ResultSet } from '@clickhouse/client';
import { PermanentError } from '#core/index.ts';

/** The progress of a statement; at its end, the totals. */
export interface ReadProgress {
  readonly readRows: number;
  readonly readBytes: number;
  /** As far as known. */
  readonly totalRows: number;
  readonly elapsedMs: number;
}

export const STREAM_SETTINGS: ClickHouseSettings = { wait_end_of_query: 0 };

interface ProgressFigures {
  readonly read_rows?: string;
  readonly read_bytes?: string;
  readonly total_rows_to_read?: string;
  readonly elapsed_ns?: string;
}

/** The figures of a progress line or of the header `X-ClickHouse-Summary`. */
export function readProgressOf(figures: ProgressFigures): ReadProgress {
  return {
    readRows: Number(figures.read_rows ?? 0),
    readBytes: Number(figures.read_bytes ?? 0),
    totalRows: Number(figures.total_rows_to_read ?? 0),
    elapsedMs: Number(figures.elapsed_ns ?? 0) / 1e6,
  };
}

/** Undefined if the server sent none or an unreadable one. */
export function summaryOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadProgress | undefined {
  const summary = headers['x-clickhouse-summary'];
  if (typeof summary !== 'string') return undefined;
  try {
    return readProgressOf(JSON.parse(summary));
  } catch {
    return undefined;
  }
}

type QueryRequest = Parameters<ReturnType<typeof createClient>['query']>[0];
type Line<Row> = { readonly row?: Row; readonly progress?: ProgressFigures };

/**
 * Batches of rows as they arrive, never empty. Leaving the iteration or aborting the signal closes the connection, and
 * the server then cancels the statement.
 */
export async function* streamRows<Row>(
  client: ReturnType<typeof createClient>,
  request: Omit<QueryRequest, 'format'>,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: ReadProgress) => void;
    readonly onRowBytes?: (bytes: number) => void;
  },
): AsyncGenerator<Row[], void, undefined> {
  const result = await client.query({ ...request, format: 'JSONEachRowWithProgress' });
  const close = () => result.close();
  options.signal?.addEventListener('abort', close, { once: true });
  try {
    for await (const lines of result.stream<Line<Row>>()) {
      options.signal?.throwIfAborted();
      const rows: Row[] = [];
      options.onRowBytes?.(textLength(lines));
      for (const line of lines) {
        const parsed = line.json() as Line<Row>;
        if (parsed.row !== undefined) rows.push(parsed.row);
        else if (parsed.progress !== undefined) options.onProgress?.(readProgressOf(parsed.progress));
      }
      if (rows.length > 0) yield rows;
    }
  } finally {
    options.signal?.removeEventListener('abort', close);
    close();
  }
}

/** All rows of an answer in the format `JSONEachRow`, parsed as they arrive. */
export async function allRows<Row>(
  result: ResultSet<'JSONEachRow'>,
  onRowBytes: ((bytes: number) => void) | undefined,
): Promise<Row[]> {
  if (onRowBytes === undefined) return result.json<Row>();
  const rows: Row[] = [];
  try {
    for await (const lines of result.stream<Row>()) {
      onRowBytes(textLength(lines));
      for (const line of lines) rows.push(line.json() as Row);
    }
    return rows;
  } finally {
    result.close();
  }
}

function textLength(lines: readonly { readonly text: string }[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * The server sends text as soon as it has some, and headers while it has none: a statement may take longer to find
 * something than the client waits for an answer.
 */
export const TEXT_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 0,
  output_format_enable_streaming: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '50000',
};

type TextRequest = Parameters<ReturnType<typeof createClient>['exec']>[0];

const CARRIAGE_RETURN = 0x0d;
const KEEP_ALIVE_MS = 60_000;

/** The output of a running statement as it arrives. Leaving the iteration cancels the statement. */
export async function* streamText(
  client: ReturnType<typeof createClient>,
  request: TextRequest,
  { signal }: { readonly signal?: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const { stream, response_headers: headers } = await client.exec(request);
  const close = () => stream.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    // A statement may find nothing for a long time; TCP keep-alive detects a dead server.
    if (stream instanceof IncomingMessage) stream.socket.setTimeout(0).setKeepAlive(true, KEEP_ALIVE_MS);
    const tag = headers?.['x-clickhouse-exception-tag'];
    if (typeof tag !== 'string') {
      throw new PermanentError(
        'ClickHouse, or a proxy before it, does not say how it reports errors in the middle of an output: the header X-ClickHouse-Exception-Tag is missing.',
      );
    }
    const failure: Buffer[] = [];
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        const end = failure.length > 0 ? 0 : chunk.indexOf(CARRIAGE_RETURN);
        if (end !== 0) yield end < 0 ? chunk : chunk.subarray(0, end);
        if (end >= 0) failure.push(chunk.subarray(end));
      }
    } catch (error) {
      // The server closes the connection after it has sent the error.
      if (failure.length === 0) throw error;
    }
    signal?.throwIfAborted();
    if (failure.length > 0) throw textError(Buffer.concat(failure).toString(), tag);
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

/** `\r\n__exception__\r\n<tag>\r\n<what went wrong>\n<length> <tag>\r\n__exception__\r\n` */
function textError(text: string, tag: string): Error {
  const message = text.slice(text.indexOf(tag) + tag.length).trimStart();
  return parseError(message.slice(0, Math.max(0, message.lastIndexOf('\n', message.lastIndexOf(tag)))));
}
