import { type SortedListValues, sortedListParams } from '../../lib/url/index.ts';

export const SORTS = ['title', 'state', 'created_at'] as const;

export type ListValues = SortedListValues<(typeof SORTS)[number]>;

/** What the list shows, in its URL. */
export const listParams = sortedListParams(SORTS, 'title');
