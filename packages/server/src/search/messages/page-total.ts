/** The total of a search: counted beside its page or after it, unless the page tells it. */
import type { PreparedSearch } from '../execution/index.ts';
import { isProbablyRare, readsTexts } from '../query/index.ts';

interface Page {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TotalCount {
  /** Begins to count, unless that has begun. */
  read(): Promise<number>;
  /** Nobody needs it any more. */
  stop(): void;
}

/** Counts at once, or after a while if nobody has stopped it by then. */
export function createTotalCount(
  count: (signal: AbortSignal) => Promise<number>,
  { afterMs }: { readonly afterMs: number },
): TotalCount {
  const stopping = new AbortController();
  let total: Promise<number> | undefined;
  const read = () => {
    total ??= count(stopping.signal);
    // Whoever reads it hears of it.
    total.catch(() => {});
    return total;
  };
  const timer = afterMs === 0 ? undefined : setTimeout(read, afterMs);
  if (timer === undefined) void read();
  return {
    read,
    stop() {
      clearTimeout(timer);
      stopping.abort(new Error('the total is not needed any more'));
    },
  };
}

/** Counts inside each table, where the engine need not read a column. */
export function countStatement(search: Pick<PreparedSearch, 'source'>): string {
  return `SELECT sum(total) AS total FROM ${search.source(['count() AS total'])}`;
}

/**
 * Whether the page may tell the total, as far as one can know before, or reads nearly as much as the count would. Then the count
 * waits a little, since both at once slow each other down. Otherwise they run side by side: the count reads every match, the
 * page only the first ones.
 */
export function countsLater({ limit, cursor }: Page, { query }: Pick<PreparedSearch, 'query'>): boolean {
  return limit > 0 && cursor === undefined && (isProbablyRare(query) || readsTexts(query));
}

/**
 * The total, if the page tells it: when it has the last message. The count is another statement, so it may see messages
 * that arrived after the page was read, or miss those that arrived before.
 */
export function totalOfPage({ limit, offset = 0, cursor }: Page, rows: number): number | undefined {
  const hasLast = cursor === undefined && rows < limit && (rows > 0 || offset === 0);
  return hasLast ? offset + rows : undefined;
}

/** The count, brought in line with a page that does not have the last message, or that follows a cursor. */
export function consistentTotal({ limit, offset = 0, cursor }: Page, rows: number, count: number): number {
  const isBehindLast = cursor === undefined && rows === 0 && limit > 0;
  return isBehindLast ? Math.min(count, offset) : Math.max(count, rows === 0 ? 0 : offset + rows);
}
