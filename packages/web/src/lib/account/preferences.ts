import type { User } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
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
  const { mutate } = useMutation({
    // One after the other: each request carries all preferences.
    scope: { id: 'preferences' },
    mutationFn: async () => {
      const { username, preferences } = client.getQueryData(meQuery.queryKey) ?? me;
      await call('PUT /users/{username}/preferences', { path: { username }, body: { preferences } });
    },
  });
  const change = (changes: Partial<Preferences>) => {
    client.setQueryData(meQuery.queryKey, (user) =>
      user === undefined
        ? user
        : { ...user, preferences: { ...user.preferences, [KEY]: { ...preferencesOf(user), ...changes } } },
    );
    mutate();
  };
  return [preferencesOf(me), change];
}
