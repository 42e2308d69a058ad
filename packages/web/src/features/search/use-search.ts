import { parseQuery } from '@millrace/query';
import { keepPreviousData, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ValueActions } from '../../components/field-value.tsx';
import { call } from '../../lib/api/index.ts';
import { excludeValue, includeValue, onlyValue } from '../../lib/edit-query/index.ts';
import { useTimeZone } from '../../lib/time/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { forgetRun, RUN_REQUESTS, type Run, runQuery } from './run.ts';
import { runKeyOf, type SearchValues, searchParams } from './search-params.ts';

/** The search that the URL says, its run, and how to change it. */
export interface SearchState {
  readonly params: SearchParams;
  readonly values: SearchValues;
  readonly wrong: readonly string[];
  readonly zone: string;
  readonly run: Run | undefined;
  /** Why there is no run: words that are not understood, for instance. */
  readonly runError: Error | null;
  readonly isRunning: boolean;
  /** Searches anew, as a step that Back undoes. */
  readonly commit: (changes: Partial<SearchValues>) => void;
  /** Changes how the result is shown, without a step. */
  readonly change: (changes: Partial<SearchValues>) => void;
  readonly cancel: () => void;
  readonly actions: ValueActions;
}

export function useSearchState(): SearchState {
  const params = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const client = useQueryClient();
  const ownZone = useTimeZone();
  const { values, wrong } = useMemo(() => searchParams.read(params), [params]);
  const zone = values.tz === '' ? ownZone : values.tz;
  const isValid = useMemo(() => parseQuery(values.q).query !== undefined, [values.q]);
  const { data: run, error: runError } = useQuery({
    ...runQuery(values, zone),
    enabled: isValid,
    placeholderData: keepPreviousData,
  });
  const isRunning = useIsFetching({ queryKey: [RUN_REQUESTS] }) > 0;

  const commit = (changes: Partial<SearchValues>) => {
    // Whoever chooses a time looks at stored messages.
    const isLive = changes.live ?? (changes.t === undefined && values.live);
    const next = { ...values, ...changes, live: isLive };
    if (next.q !== '*') noteUse(next.q);
    const isSame = runKeyOf(next).join('\n') === runKeyOf(values).join('\n') && next.view === values.view;
    if (isSame && next.live === values.live) {
      void client.refetchQueries({ queryKey: runQuery(values, zone).queryKey, exact: true });
      return;
    }
    forgetRun(client, next, next.tz === '' ? ownZone : next.tz);
    void navigate({
      to: '/search',
      search: searchParams.write({ msg: '', around: undefined, at: 0, ...changes, live: isLive }, params),
    });
  };
  const change = (changes: Partial<SearchValues>) =>
    void navigate({ to: '/search', search: searchParams.write(changes, params), replace: true });
  const cancel = () => void client.cancelQueries({ queryKey: [RUN_REQUESTS] });
  const { q } = values;
  const actions: ValueActions = {
    include: (field, value) => commit({ q: includeValue(q, field, value) }),
    exclude: (field, value) => commit({ q: excludeValue(q, field, value) }),
    only: (field, value) => commit({ q: onlyValue(field, value) }),
  };
  return { params, values, wrong, zone, run, runError, isRunning, commit, change, cancel, actions };
}

/** For the list under the query box. It may fail: nobody waits for it. */
function noteUse(query: string): void {
  call('POST /search/history', { body: { query } }).catch(() => undefined);
}
