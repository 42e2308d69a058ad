import type { PagingQuery } from '@millrace/contract';

export interface PagedElements<T> {
  readonly elements: readonly T[];
  readonly numbers: {
    readonly total: number;
    readonly count: number;
    readonly page: number;
    readonly per_page: number;
  };
}

/**
 * A page of a list that is short enough to be in memory: what has every word of the query in its texts, sorted.
 * @param texts by the names that clients sort by; the first one is used when they name another
 * @param unsearched more to sort by, such as times, in which nobody looks for the query
 */
export function pageOf<T>(
  all: readonly T[],
  { query, sort, order, page, per_page }: PagingQuery,
  texts: Readonly<Record<string, (element: T) => string>>,
  unsearched: Readonly<Record<string, (element: T) => string>> = {},
): PagedElements<T> {
  const words = query.toLowerCase().split(/\s+/);
  const readers = Object.values(texts);
  const found = all.filter((each) => {
    const shown = readers.map((read) => read(each).toLowerCase());
    return words.every((word) => shown.some((text) => text.includes(word)));
  });
  const sorts = { ...texts, ...unsearched };
  const read = (sort !== undefined && Object.hasOwn(sorts, sort) ? sorts[sort] : readers[0]) ?? String;
  const sign = order === 'desc' ? -1 : 1;
  const sorted = found.toSorted((one, other) => {
    const [left, right] = [read(one), read(other)];
    return left === right ? 0 : left < right ? -sign : sign;
  });
  const start = (page - 1) * per_page;
  const elements = sorted.slice(start, start + per_page);
  return { elements, numbers: { total: found.length, count: elements.length, page, per_page } };
}

/** What a caller asks for with `skip` and `limit`, where 0 means no limit. */
export function partOf<T>(
  all: readonly T[],
  { skip, limit }: { readonly skip: number; readonly limit: number },
): readonly T[] {
  return all.slice(skip, limit === 0 ? all.length : skip + limit);
}
