/**
 * Rows of a running statement as they come, with news of how far it is in between. The server does not wait for the
 * end of the statement then, so a failure can come after rows have been handed out: the iteration throws it.
 */
import type { ClickHouseSettings, createClient } from '@clickhouse/client';

/** How far a statement is, or, at its end, what it took. */
export interface ReadProgress {
  readonly readRows: number;
  readonly readBytes: number;
  /** As far as it is known yet. */
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

/** Undefined when the server sent none, or nothing that can be read. */
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
 * Batches of rows as they arrive, never empty ones. Whoever stops before the end, or whose signal is aborted, closes
 * the connection, by which the server knows that nobody wants the rest.
 */
export async function* streamRows<Row>(
  client: ReturnType<typeof createClient>,
  request: Omit<QueryRequest, 'format'>,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: ReadProgress) => void },
): AsyncGenerator<Row[], void, undefined> {
  const result = await client.query({ ...request, format: 'JSONEachRowWithProgress' });
  const close = () => result.close();
  options.signal?.addEventListener('abort', close, { once: true });
  try {
    for await (const lines of result.stream<Line<Row>>()) {
      options.signal?.throwIfAborted();
      const rows: Row[] = [];
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
