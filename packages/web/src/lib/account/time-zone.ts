import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/index.ts';
import { meQuery, useMe } from './me.tsx';
import { preferencesOf, usePreferences } from './preferences.ts';

interface SetTimeZone {
  /** Undefined: as the browser. */
  readonly setZone: (zone: string | undefined) => void;
  readonly error: Error | null;
}

/** The zone that the user chose; undefined for the browser's. */
export function useOwnTimeZone(): string | undefined {
  const me = useMe();
  const { timeZone } = preferencesOf(me);
  return timeZone === '' ? (me.timezone ?? undefined) : timeZone;
}

/**
 * The chosen zone and how to change it. It is a property of the user; that of the configuration cannot be changed, so
 * theirs is a preference.
 */
export function useSetTimeZone(): [string | undefined, SetTimeZone] {
  const { username, read_only: isFromConfiguration } = useMe();
  const client = useQueryClient();
  const [, changePreferences] = usePreferences();
  const zone = useOwnTimeZone();
  const change = useMutation({
    mutationFn: (timezone: string | null) =>
      call('PUT /users/{username}', { path: { username }, body: { timezone } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  const setZone = (chosen: string | undefined) => {
    changePreferences({ timeZone: isFromConfiguration ? (chosen ?? '') : '' });
    if (!isFromConfiguration) change.mutate(chosen ?? null);
  };
  return [zone, { setZone, error: change.error }];
}
