import { choiceParam, pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

const PAST_SORTS = ['triggered_at', 'resolved_at', 'title'] as const;

export interface AlertListValues {
  readonly find: string;
  /** The id of a stream; all when it is empty. */
  readonly s: string;
  readonly sort: (typeof PAST_SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
}

/** What a list of alerts shows, in its URL. */
export const alertListParams = pageParams<AlertListValues>({
  find: textParam(),
  s: textParam(),
  sort: choiceParam(PAST_SORTS, 'triggered_at'),
  order: choiceParam(['asc', 'desc'], 'desc'),
  page: pageNumberParam(),
});
