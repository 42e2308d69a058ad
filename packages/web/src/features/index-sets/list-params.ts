import { type SortedListValues, sortedListParams } from '../../lib/url/index.ts';

/** `made` is the order in which they were made. */
export const SORTS = ['made', 'title', 'size', 'documents'] as const;

export type ListValues = SortedListValues<(typeof SORTS)[number]>;

/** What the list shows, in its URL. */
export const listParams = sortedListParams(SORTS, 'made');
