import { choiceParam, pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

export const SORTS = ['state', 'title', 'queue', 'used_by'] as const;

export interface ListValues {
  readonly find: string;
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

/** What the list shows, in its URL. */
export const listParams = pageParams<ListValues>({
  find: textParam(),
  sort: choiceParam(SORTS, 'state'),
  order: choiceParam(['asc', 'desc'], 'asc'),
  page: pageNumberParam(),
});
