import { type SortedListValues, sortedListParams } from '../../lib/url/index.ts';

/** Of all lists; the server sorts by its first text where it does not know one. */
export const SORTS = ['title', 'modified_at', 'name', 'pattern'] as const;

export type ListValues = SortedListValues<(typeof SORTS)[number]>;

/** What a list shows, in its URL. */
export const listParams = sortedListParams(SORTS, 'title');

export const PER_PAGE = 50;

/** The same for the server. */
export function pagingOf({ find, sort, order, page }: ListValues) {
  return { query: find, sort, order, page, per_page: PER_PAGE };
}
