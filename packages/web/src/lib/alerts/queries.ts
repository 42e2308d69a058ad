import type { AlertConditionView } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/index.ts';

const ALERTS = ['alerts'];
const TYPES_FRESH_MS = 600_000;
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
    queryKey: [...ALERTS, 'conditions'],
    queryFn: ({ signal }) => call('GET /alerts/conditions', { signal }),
    select: ({ conditions }): AlertConditionView | null => conditions.find((one) => one.id === id) ?? null,
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
      }),
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
