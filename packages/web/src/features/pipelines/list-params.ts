import { choiceParam, pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

/** Of all lists; the server sorts by its first text where it does not know one. */
export const SORTS = ['title', 'modified_at', 'name', 'pattern'] as const;

export interface ListValues {
  readonly find: string;
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

/** What a list shows, in its URL. */
export const listParams = pageParams<ListValues>({
  find: textParam(),
  sort: choiceParam(SORTS, 'title'),
  order: choiceParam(['asc', 'desc'], 'asc'),
  page: pageNumberParam(),
});

export const PER_PAGE = 50;

/** The same for the server. */
export function pagingOf({ find, sort, order, page }: ListValues) {
  return { query: find, sort, order, page, per_page: PER_PAGE };
}
