import { type SortedListValues, sortedListParams } from '../../lib/url/index.ts';

export const SORTS = ['username', 'full_name', 'email', 'last_activity'] as const;

export type ListValues = SortedListValues<(typeof SORTS)[number]>;

/** What the list shows, in its URL. */
export const listParams = sortedListParams(SORTS, 'username');
