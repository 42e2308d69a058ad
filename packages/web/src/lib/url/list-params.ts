import { choiceParam, type ParamCodec, pageNumberParam, pageParams, textParam } from './page-params.ts';

/** What a list shows that the server searches, sorts and cuts into pages. */
export interface SortedListValues<Sort extends string> {
  readonly find: string;
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

/** The same in the URL of its page. */
export function sortedListParams<const Sort extends string>(
  sorts: readonly Sort[],
  fallback: NoInfer<Sort>,
): ParamCodec<SortedListValues<Sort>> {
  return pageParams<SortedListValues<Sort>>({
    find: textParam(),
    sort: choiceParam(sorts, fallback),
    order: choiceParam(['asc', 'desc'], 'asc'),
    page: pageNumberParam(),
  });
}
