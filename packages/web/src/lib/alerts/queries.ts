import type {
  AlarmCallbackRequest,
  AlertConditionView,
  AllAlertsPageQuery,
  AllDeliveriesQuery,
  ConditionsPageQuery,
  DeliveriesQuery,
  EventNotificationRequest,
  EventNotificationsQuery,
  TriggeredAlert,
} from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/index.ts';

const ALERTS = ['alerts'];
const TYPES_FRESH_MS = 600_000;
const VALUES_FRESH_MS = 60_000;
/** The most of one list on a page; the rest is counted. */
export const SHOWN_ALERTS = 20;

export const conditionTypesQuery = queryOptions({
  queryKey: ['alert-condition-types'],
  queryFn: ({ signal }) => call('GET /alerts/conditions/types', { signal }),
  staleTime: TYPES_FRESH_MS,
});

export function conditionsQuery(streamId: string) {
  return queryOptions({
    queryKey: [...ALERTS, 'conditions', streamId],
    queryFn: ({ signal }) =>
      call('GET /streams/{streamId}/alerts/conditions', { path: { streamId }, signal }),
    select: ({ conditions }) => conditions,
  });
}

/** One condition by its id alone, as links to it have no more. */
export function conditionQuery(id: string) {
  return queryOptions({
    queryKey: [...ALERTS, 'conditions', 'one', id],
    queryFn: async ({ signal }): Promise<AlertConditionView | null> => {
      const { conditions } = await call('GET /alerts/conditions/paginated', { query: { ids: [id] }, signal });
      return conditions[0] ?? null;
    },
  });
}

export function alertsQuery(streamId: string, state: 'unresolved' | 'resolved') {
  return queryOptions({
    queryKey: [...ALERTS, 'list', streamId, state],
    queryFn: ({ signal }) =>
      call('GET /streams/{streamId}/alerts/paginated', {
        path: { streamId },
        query: { state, limit: SHOWN_ALERTS },
        signal,
        isBackground: true,
      }),
  });
}

/** Alerts of all streams, a page of them. */
export function alertPageQuery(query: Partial<AllAlertsPageQuery>) {
  return queryOptions({
    queryKey: [...ALERTS, 'page', query],
    queryFn: ({ signal }) => call('GET /streams/alerts/paginated', { query, signal, isBackground: true }),
    placeholderData: keepPreviousData,
  });
}

export function alertQuery(alertId: string) {
  return queryOptions({
    queryKey: [...ALERTS, 'one', alertId],
    queryFn: ({ signal }) =>
      call('GET /streams/alerts/{alertId}', { path: { alertId }, signal, isBackground: true }),
  });
}

/** The value of its condition from an hour before it on: until now as long as it is open. */
export function alertValuesQuery({ id: alertId, resolved_at }: Pick<TriggeredAlert, 'id' | 'resolved_at'>) {
  return queryOptions({
    // The last values of an alert are there once it is resolved.
    queryKey: ['alert-values', alertId, resolved_at],
    queryFn: ({ signal }) =>
      call('GET /streams/alerts/{alertId}/values', { path: { alertId }, signal, isBackground: true }),
    staleTime: VALUES_FRESH_MS,
    refetchInterval: resolved_at === null && VALUES_FRESH_MS,
    meta: { isBackground: true },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function conditionPageQuery(query: Partial<ConditionsPageQuery>) {
  return queryOptions({
    queryKey: [...ALERTS, 'conditions', 'page', query],
    queryFn: ({ signal }) => call('GET /alerts/conditions/paginated', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useResolve({ stream_id: streamId, id: alertId }: Pick<TriggeredAlert, 'stream_id' | 'id'>) {
  return useAlertMutation(() =>
    call('PUT /streams/{streamId}/alerts/{alertId}/resolve', { path: { streamId, alertId } }),
  );
}

/** Types of notifications by their name for streams. */
export const callbackTypesQuery = queryOptions({
  queryKey: ['alert-callback-types'],
  queryFn: ({ signal }) => call('GET /alerts/callbacks/types', { signal }),
  select: ({ types }) => types,
  staleTime: TYPES_FRESH_MS,
});

/** Types of notifications by their name for rules. */
export const notificationTypesQuery = queryOptions({
  queryKey: ['alert-notification-types'],
  queryFn: ({ signal }) => call('GET /events/notifications/types', { signal }),
  select: ({ types }) => types,
  staleTime: TYPES_FRESH_MS,
});

export function streamChannelsQuery(streamId: string) {
  return queryOptions({
    queryKey: [...ALERTS, 'channels', streamId],
    queryFn: ({ signal }) => call('GET /streams/{streamId}/alarmcallbacks', { path: { streamId }, signal }),
    select: ({ alarmcallbacks }) => alarmcallbacks,
  });
}

export function channelPageQuery(query: Partial<EventNotificationsQuery>) {
  return queryOptions({
    queryKey: [...ALERTS, 'channels', 'page', query],
    queryFn: ({ signal }) => call('GET /events/notifications', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Sends a test, and rejects with what the receiver said. */
export function sendTest(id: string, streamId: string | null): Promise<unknown> {
  return streamId === null
    ? call('POST /events/notifications/{notificationId}/test', { path: { notificationId: id } })
    : call('POST /alerts/callbacks/{callbackId}/test', { path: { callbackId: id } });
}

export interface SavedChannel {
  readonly type: string;
  readonly title: string;
  /** Those of streams have none of their own. */
  readonly description: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly revision: string | undefined;
}

/** Saves a notification: of a stream, or of the rules that name it. */
export function useSaveChannel(streamId: string | null, id: string | undefined) {
  return useAlertMutation((channel: SavedChannel): Promise<unknown> => {
    const { type, title, description, configuration, revision } = channel;
    if (streamId !== null) {
      const body: AlarmCallbackRequest = { type, title, configuration: { ...configuration }, revision };
      return id === undefined
        ? call('POST /streams/{streamId}/alarmcallbacks', { path: { streamId }, body })
        : call('PUT /streams/{streamId}/alarmcallbacks/{callbackId}', {
            path: { streamId, callbackId: id },
            body,
          });
    }
    const config = { ...configuration, type };
    const body: EventNotificationRequest = { title, description, config, revision };
    return id === undefined
      ? call('POST /events/notifications', { body })
      : call('PUT /events/notifications/{notificationId}', { path: { notificationId: id }, body });
  });
}

export function useDeleteChannel(streamId: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      streamId === null
        ? call('DELETE /events/notifications/{notificationId}', { path: { notificationId: id } })
        : call('DELETE /streams/{streamId}/alarmcallbacks/{callbackId}', {
            path: { streamId, callbackId: id },
          }),
    // Not the notification itself: its page is still there, and would ask for what is gone.
    onSuccess: () =>
      client.invalidateQueries({
        queryKey: [...ALERTS, 'channels'],
        predicate: ({ queryKey }) => !queryKey.includes('one'),
      }),
  });
}

/** What waits to be sent. */
export function queueQuery(query: Partial<DeliveriesQuery>) {
  return queryOptions({
    queryKey: [...ALERTS, 'queue', query],
    queryFn: ({ signal }) => call('GET /alerts/queue', { query, signal, isBackground: true }),
    placeholderData: keepPreviousData,
  });
}

export function deliveriesQuery(query: Partial<AllDeliveriesQuery>) {
  return queryOptions({
    queryKey: [...ALERTS, 'deliveries', query],
    queryFn: ({ signal }) => call('GET /alerts/deliveries', { query, signal, isBackground: true }),
    placeholderData: keepPreviousData,
  });
}

export function alertDeliveriesQuery(alertId: string, page: number) {
  return queryOptions({
    queryKey: [...ALERTS, 'deliveries', 'of', alertId, page],
    queryFn: ({ signal }) =>
      call('GET /streams/alerts/{alertId}/deliveries', {
        path: { alertId },
        query: { page, per_page: SHOWN_ALERTS },
        signal,
        isBackground: true,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Something that changes conditions or alerts; all that is known of them is asked again, and of their streams. */
export function useAlertMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ALERTS }),
        client.invalidateQueries({ queryKey: ['streams'] }),
      ]),
  });
}
