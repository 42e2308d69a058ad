import { choiceParam, type Param, pageParams, textParam } from '../../lib/url/index.ts';

export const SORTS = ['username', 'full_name', 'email', 'last_activity'] as const;

export interface ListValues {
  readonly find: string;
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

const pageNumber: Param<number> = {
  fallback: 1,
  parse: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
  print: String,
};

/** What the list shows, in its URL. */
export const listParams = pageParams<ListValues>({
  find: textParam(),
  sort: choiceParam(SORTS, 'username'),
  order: choiceParam(['asc', 'desc'], 'asc'),
  page: pageNumber,
});
