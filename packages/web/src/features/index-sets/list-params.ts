import { choiceParam, pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

/** `made` is the order in which they were made. */
export const SORTS = ['made', 'title', 'size', 'documents'] as const;

export interface ListValues {
  readonly find: string;
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

/** What the list shows, in its URL. */
export const listParams = pageParams<ListValues>({
  find: textParam(),
  sort: choiceParam(SORTS, 'made'),
  order: choiceParam(['asc', 'desc'], 'asc'),
  page: pageNumberParam(),
});
