import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCan } from '../account/index.ts';
import { call } from '../api/index.ts';
import type { SystemNotification } from './notifications.ts';

const REFRESH_MS = 30_000;

export const notificationsQuery = queryOptions({
  queryKey: ['system', 'notifications'],
  queryFn: ({ signal }) => call('GET /system/notifications', { signal, isBackground: true }),
  refetchInterval: REFRESH_MS,
  meta: { isBackground: true },
});

/** What an operator should know about; undefined until it is known, and for those who may not. */
export function useSystemNotifications(): readonly SystemNotification[] | undefined {
  const isAllowed = useCan('notifications:read');
  const { data } = useQuery({ ...notificationsQuery, enabled: isAllowed });
  return isAllowed ? data?.notifications : undefined;
}

/** Removes all notifications of a type. One whose cause lasts comes back. */
export function useDismissNotification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (notificationType: string) =>
      call('DELETE /system/notifications/{notificationType}', { path: { notificationType } }),
    onSuccess: () => client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
}
