import { parseQuery } from '@millrace/query';
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type HistoryState, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ValueActions } from '../../components/field-value.tsx';
import { call } from '../../lib/api/index.ts';
import { excludeValue, includeValue, onlyValue } from '../../lib/edit-query/index.ts';
import { useTimeZone } from '../../lib/time/index.ts';
import { type SearchParams, stringifySearch } from '../../lib/url/index.ts';
import { cancelRuns, messagesQuery } from './queries.ts';
import { type Run, runQuery } from './run.ts';
import { timeRangeRequest } from './saved/saved-search.ts';
import { type SearchValues, searchParams } from './search-params.ts';
import { addressOf, paramsOf } from './session/long-query.ts';
import { shortened, stepLabel } from './session/step-label.ts';
import { type Steps, useSteps } from './session/use-steps.ts';
import { useRecentRanges } from './time/recent-ranges.ts';

/** Either the changes, or how they follow from what the search is at that moment, which may not be drawn yet. */
export type SearchChanges = Partial<SearchValues> | ((latest: SearchValues) => Partial<SearchValues>);

/** The search that the URL says, its run, and how to change it. */
export interface SearchState {
  readonly params: SearchParams;
  readonly values: SearchValues;
  readonly wrong: readonly string[];
  readonly zone: string;
  readonly run: Run | undefined;
  /** Why there is no run: words that are not understood, for instance. */
  readonly runError: Error | null;
  /** Somebody cancelled this run: what came until then is all there is. */
  readonly isStopped: boolean;
  /** Searches anew, as a step that Back undoes. The label says what the step does. */
  readonly commit: (changes: SearchChanges, label?: string) => void;
  /** Changes how the result is shown. Without a label it is no step. */
  readonly change: (changes: SearchChanges, label?: string) => void;
  readonly cancel: () => void;
  readonly actions: ValueActions;
  readonly steps: Steps;
}

/** Another search is shown from its beginning, with nothing opened. */
const FIRST_ROW = { msg: '', around: undefined, at: 0 } as const;

export function useSearchState(): SearchState {
  'use memo';
  const search = useSearch({ strict: false }) as SearchParams;
  const hash = useLocation({ select: (location) => location.hash });
  const params = useMemo(() => paramsOf({ search, hash }), [search, hash]);
  const navigate = useNavigate();
  const router = useRouter();
  const client = useQueryClient();
  const ownZone = useTimeZone();
  const steps = useSteps();
  const [, noteRange] = useRecentRanges();
  const [stoppedAt, setStoppedAt] = useState(0);
  const { values, wrong } = useMemo(() => searchParams.read(params), [params]);
  const zone = values.tz === '' ? ownZone : values.tz;
  const isValid = useMemo(() => parseQuery(values.q).query !== undefined, [values.q]);
  const { data: run, error: runError } = useQuery({
    ...runQuery(values, zone),
    enabled: isValid,
    placeholderData: keepPreviousData,
  });

  const now = () => latestOf(router.latestLocation);
  /** An answer that comes late must not bring back somebody who has left the page. */
  const hasLeft = () => !/^\/search\/?$/.test(router.latestLocation.pathname);
  /** Without a step the entry of the history stays. */
  const goTo = (next: SearchParams, { step, isView = false }: Pick<HistoryState, 'step' | 'isView'>) =>
    void navigate({
      to: '/search',
      ...addressOf(next),
      // The tab that this search belongs to stays.
      state: step === undefined || ((before) => ({ ...before, isView, step })),
      replace: step === undefined,
    });
  const commit = (made: SearchChanges, label?: string) => {
    if (hasLeft()) return;
    const before = now();
    const changes = changesTo(before.values, made);
    // Whoever chooses a time looks at stored messages.
    const isLive = changes.live ?? (changes.t === undefined && before.values.live);
    const next = { ...before.values, ...changes, live: isLive };
    if (next.q !== '*') noteUse(next);
    if (changes.t !== undefined) noteRange(changes.t);
    const written = searchParams.write({ ...FIRST_ROW, ...changes, live: isLive }, before.params);
    if (stringifySearch(written) === stringifySearch(searchParams.write(FIRST_ROW, before.params))) {
      void client.refetchQueries({ queryKey: runQuery(before.values, zone).queryKey, exact: true });
      return;
    }
    beginAnew(client, next, next.tz === '' ? ownZone : next.tz);
    goTo(written, { step: shortened(label ?? stepLabel(before.values, next, zone) ?? 'the last change') });
  };
  const change = (made: SearchChanges, label?: string) => {
    if (hasLeft()) return;
    const before = now();
    const written = searchParams.write(changesTo(before.values, made), before.params);
    goTo(written, { step: label, isView: true });
  };
  const cancel = () => {
    setStoppedAt(run?.startedAt ?? 0);
    void cancelRuns(client);
  };
  return {
    params,
    values,
    wrong,
    zone,
    run,
    runError,
    isStopped: run !== undefined && run.startedAt === stoppedAt,
    commit,
    change,
    cancel,
    actions: valueActions(commit),
    steps,
  };
}

/**
 * What the address says at this moment. The page may not be drawn for it yet: of two quick changes the second is made to
 * what the first one left.
 */
function latestOf({ search, hash }: { readonly search: object; readonly hash: string }) {
  const params = paramsOf({ search: search as SearchParams, hash });
  return { params, values: searchParams.read(params).values };
}

function valueActions(commit: SearchState['commit']): ValueActions {
  return {
    include: (field, value) => commit(({ q }) => ({ q: includeValue(q, field, value) }), `include ${value}`),
    exclude: (field, value) => commit(({ q }) => ({ q: excludeValue(q, field, value) }), `exclude ${value}`),
    only: (field, value) => commit({ q: onlyValue(field, value) }, `only ${value}`),
  };
}

function changesTo(latest: SearchValues, made: SearchChanges): Partial<SearchValues> {
  return typeof made === 'function' ? made(latest) : made;
}

/**
 * The next visit of this search is a new run, not the one that is remembered for Back. Its rows are asked for at once,
 * not when the page has been drawn for it.
 */
function beginAnew(client: QueryClient, values: SearchValues, zone: string): void {
  const query = runQuery(values, zone);
  client.removeQueries({ queryKey: query.queryKey, exact: true });
  if (values.live || values.view !== 'messages' || parseQuery(values.q).query === undefined) return;
  client
    .fetchQuery(query)
    .then((run) => client.prefetchInfiniteQuery(messagesQuery(run)))
    // The page asks again, and says why it failed.
    .catch(() => undefined);
}

/** For the list under the query box. It may fail: nobody waits for it. */
function noteUse({ q, t, s }: SearchValues): void {
  const body = { query: q, timerange: timeRangeRequest(t), streams: [...s] };
  call('POST /search/history', { body }).catch(() => undefined);
}
