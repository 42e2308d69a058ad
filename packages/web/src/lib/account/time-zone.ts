import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/index.ts';
import { meQuery, useMe } from './me.tsx';
import { forgetAnswered, preferencesOf, usePreferences } from './preferences.ts';

/** The request that stores the zone. */
export const SAVING_ZONE = ['time-zone'];

/** The zone that the user chose; undefined for the browser's. */
export function useOwnTimeZone(): string | undefined {
  const me = useMe();
  const { timeZone } = preferencesOf(me);
  return timeZone === '' ? (me.timezone ?? undefined) : timeZone;
}

/**
 * The chosen zone and how to change it; undefined is the browser's. It is a property of the user; that of the
 * configuration cannot be changed, so theirs is a preference.
 */
export function useTimeZoneChoice(): [string | undefined, (zone: string | undefined) => void] {
  const { username, read_only: isFromConfiguration } = useMe();
  const client = useQueryClient();
  const [, changePreferences] = usePreferences();
  const zone = useOwnTimeZone();
  const change = useMutation({
    mutationKey: SAVING_ZONE,
    mutationFn: (timezone: string | null) =>
      call('PUT /users/{username}', { path: { username }, body: { timezone } }),
    gcTime: Number.POSITIVE_INFINITY,
    onSuccess: () => {
      forgetAnswered(client, SAVING_ZONE);
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const setZone = (chosen: string | undefined) => {
    changePreferences({ timeZone: isFromConfiguration ? (chosen ?? '') : '' });
    if (!isFromConfiguration) change.mutate(chosen ?? null);
  };
  return [zone, setZone];
}
