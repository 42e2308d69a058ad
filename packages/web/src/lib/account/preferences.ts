import type { User } from '@millrace/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/index.ts';
import { meQuery, useMe } from './me.tsx';

/** How the web interface looks to one user. Kept by the server, so that it is the same on every machine. */
export interface Preferences {
  /** Empty while none was chosen: then that of this browser. */
  readonly theme: '' | 'light' | 'dark' | 'auto';
  readonly railCollapsed: boolean;
  readonly density: 'compact' | 'normal';
  /** Keys without Ctrl: see `KeyMap.allowSingleKeys`. */
  readonly singleKeys: boolean;
  /** Of the search page. */
  readonly showFields: boolean;
  readonly showHistogram: boolean;
  readonly wrapLines: boolean;
  /** Rules that colour messages in every search. */
  readonly highlights: readonly { readonly colour: number; readonly query: string }[];
  /** Fields that details and the list of fields show first. */
  readonly favouriteFields: readonly string[];
  /** As they stand in URLs, the last one first. */
  readonly recentRanges: readonly string[];
  /** Path and search of the page to begin with; empty for the first page that the user may see. */
  readonly startPath: string;
  /** For users whose own cannot be changed; empty for theirs. */
  readonly timeZone: string;
}

const DEFAULTS: Preferences = {
  theme: '',
  railCollapsed: false,
  density: 'normal',
  singleKeys: true,
  showFields: true,
  showHistogram: true,
  wrapLines: false,
  highlights: [],
  favouriteFields: [],
  recentRanges: [],
  startPath: '',
  timeZone: '',
};

/** Ours stand under one name of their own: Graylog's clients keep theirs beside it. */
const KEY = 'web';

export function preferencesOf(user: Pick<User, 'preferences'>): Preferences {
  const stored = user.preferences[KEY];
  return { ...DEFAULTS, ...(typeof stored === 'object' && stored !== null ? stored : {}) };
}

/** The preferences and how to change some of them: at once here, then at the server. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const me = useMe();
  const client = useQueryClient();
  const { username } = me;
  const { mutate } = useMutation({
    mutationKey: SAVING,
    // One after the other: each request carries all preferences.
    scope: { id: 'preferences' },
    mutationFn: ({ preferences }: Saving) =>
      call('PUT /users/{username}/preferences', { path: { username }, body: { preferences } }),
    // What was not stored is said until it is, or until somebody has read it.
    gcTime: Number.POSITIVE_INFINITY,
    onSuccess: () => forgetAnswered(client, SAVING),
    onSettled: (_answer, error, { preferences, isDropped }) => {
      // A later change has its own answer to wait for.
      if (client.isMutating({ mutationKey: SAVING }) > 1) return;
      // A user who was asked for in between came, or comes, with the old ones.
      const isLateDropped = error === null && keepPreferences(client, preferences);
      if (isDropped || isLateDropped) void client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const change = (changes: Partial<Preferences>) => {
    const last = lastSaving(client);
    const { preferences } = last ?? client.getQueryData(meQuery.queryKey) ?? me;
    const changed = changedPreferences(preferences, changes);
    const isDropped = keepPreferences(client, changed) || last?.isDropped === true;
    mutate({ preferences: changed, isDropped });
  };
  return [preferencesOf(me), change];
}

/** The requests that store preferences. */
export const SAVING = ['preferences'];

/** Forgets the requests of a kind that are over: none of them may be said, or sent again, in place of a later one. */
export function forgetAnswered(client: QueryClient, mutationKey: readonly string[]): void {
  const cache = client.getMutationCache();
  const answered = cache.findAll({ mutationKey, predicate: ({ state }) => state.status !== 'pending' });
  for (const request of answered) cache.remove(request);
}

interface Saving {
  readonly preferences: User['preferences'];
  /** An answer about the user was not waited for: they are asked for again when this is stored. */
  readonly isDropped: boolean;
}

/** What the last of the requests that have no answer yet stores: the next change builds on it. */
function lastSaving(client: QueryClient): Saving | undefined {
  const saving = client.getMutationCache().findAll({ mutationKey: SAVING, status: 'pending' });
  return saving.at(-1)?.state.variables as Saving | undefined;
}

export function changedPreferences(
  preferences: User['preferences'],
  changes: Partial<Preferences>,
): User['preferences'] {
  return { ...preferences, [KEY]: { ...preferencesOf({ preferences }), ...changes } };
}

/**
 * Shows these from now on. An answer that is on its way may still have the old ones, so it is dropped; says whether there
 * was one.
 */
export function keepPreferences(client: QueryClient, preferences: User['preferences']): boolean {
  const isDropped = client.isFetching({ queryKey: meQuery.queryKey }) > 0;
  void client.cancelQueries({ queryKey: meQuery.queryKey });
  client.setQueryData(meQuery.queryKey, (user) => user && { ...user, preferences });
  return isDropped;
}
