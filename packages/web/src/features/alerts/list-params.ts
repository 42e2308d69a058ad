import type { ConditionsPageQuery, EventNotificationsQuery } from '@millrace/contract';
import {
  choiceParam,
  type ParamCodec,
  pageNumberParam,
  pageParams,
  type SortedListValues,
  sortedListParams,
  textParam,
} from '../../lib/url/index.ts';

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

export interface ConditionListValues extends Pick<AlertListValues, 'find' | 's' | 'order' | 'page'> {
  readonly sort: ConditionsPageQuery['sort'];
}

/** The same for conditions. */
export const conditionListParams = pageParams<ConditionListValues>({
  find: textParam(),
  s: textParam(),
  sort: choiceParam(['stream', 'title', 'created_at'], 'stream'),
  order: choiceParam(['asc', 'desc'], 'asc'),
  page: pageNumberParam(),
});

export type ChannelListValues = SortedListValues<Exclude<EventNotificationsQuery['sort'], 'description'>>;

/** The same for notifications. */
export const channelListParams: ParamCodec<ChannelListValues> = sortedListParams(['title', 'type'], 'title');
