import { Button } from '@mantine/core';
import { IconLock, IconPlugConnected, IconSearchOff } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { mayReachAny, useCan, usePermissions } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { countOf } from '../../lib/format/index.ts';
import { clauseOffers, type Offer, periodText, timeOffers } from './offers.ts';
import { countQuery } from './queries.ts';
import { RUN_REQUESTS, type Run } from './run.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

/** Ten years: what is dated later has no clock at all. */
const FUTURE_MS = 10 * 365 * 86_400_000;
/** What was sent since the search began is not ahead. */
const AHEAD_MS = 60_000;

interface NothingFoundProps {
  readonly search: SearchState;
  readonly run: Run;
}

/** Nothing was found: says why, and what would find something. */
export function NothingFound(props: NothingFoundProps) {
  const mayRead = mayReachAny(usePermissions(), 'streams:read');
  const mayCount = useCan('messagecount:read');
  const { data: stored } = useQuery({
    queryKey: [RUN_REQUESTS, 'stored', props.run],
    enabled: mayRead && mayCount,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => call('GET /count/total', { signal }),
  });
  if (!mayRead) return <NothingReadable />;
  return stored?.events === 0 ? <NothingStored /> : <NothingMatches {...props} />;
}

function NothingReadable() {
  return (
    <div className={classes.state}>
      <EmptyState icon={<IconLock size={20} />} title={texts.noneReadable}>
        {texts.noneReadableWhy}
      </EmptyState>
    </div>
  );
}

function NothingStored() {
  const maySeeInputs = mayReachAny(usePermissions(), 'inputs:read');
  return (
    <div className={classes.state}>
      <EmptyState
        icon={<IconPlugConnected size={20} />}
        title={texts.noneStored}
        action={
          <>
            <Button variant="filled" renderRoot={(props) => <Link to="/welcome" {...props} />}>
              {texts.firstSteps}
            </Button>
            {maySeeInputs && (
              <Button renderRoot={(props) => <Link to="/inputs" {...props} />}>{texts.inputs}</Button>
            )}
          </>
        }
      >
        {texts.noneStoredWhy}
      </EmptyState>
    </div>
  );
}

/** Says what would find something, each only if it is true. */
function NothingMatches({ search, run }: NothingFoundProps) {
  const offers = [...timeOffers(search.values.t, run.span, run.startedAt), ...clauseOffers(run.query)];
  const counts = useQueries({ queries: offers.map((offer) => countQuery(run, offer)) });
  const ahead = { from: run.startedAt + AHEAD_MS, to: run.startedAt + FUTURE_MS };
  const { data: future = 0, isPending } = useQuery(countQuery(run, ahead));
  const isAsking = isPending || counts.some((count) => count.isPending);
  const useful = offers.flatMap((offer, at) => {
    const count = counts[at]?.data ?? 0;
    return count > 0 ? [{ ...offer, count }] : [];
  });
  const hasOffers = useful.length > 0 || future > 0;
  return (
    <div className={classes.state}>
      <EmptyState
        icon={<IconSearchOff size={20} />}
        title={texts.none(periodText(search.values.t, search.zone))}
        action={
          <div className={classes.offers}>
            <FieldFixes search={search} run={run} />
            {useful.map((offer) => (
              <OfferButton key={offer.label} offer={offer} search={search} />
            ))}
          </div>
        }
      >
        {hasOffers ? texts.noneWhy : isAsking ? '' : texts.noneAtAll}
        {future > 0 && (
          <p className={classes.future}>
            {texts.future(future)}{' '}
            <Button size="compact-xs" onClick={() => search.commit({ t: { type: 'absolute', ...ahead } })}>
              {texts.show}
            </Button>
          </p>
        )}
      </EmptyState>
    </div>
  );
}

interface OfferButtonProps {
  readonly offer: Offer & { readonly count: number };
  readonly search: SearchState;
}

function OfferButton({ offer, search }: OfferButtonProps) {
  const { label, query, range, count } = offer;
  const changes = {
    ...(query === undefined ? {} : { q: query }),
    ...(range === undefined ? {} : { t: range }),
  };
  return (
    <Button onClick={() => search.commit(changes)}>
      {label}: {countOf(count, 'message')}
    </Button>
  );
}

/** Fields that no message has, where one with a similar name exists. */
function FieldFixes({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const { data } = useQuery({
    queryKey: [RUN_REQUESTS, 'field-fixes', run],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      call('POST /search/validate', {
        body: { query: run.query, streams: run.streams, time_zone: run.zone },
        signal,
      }),
  });
  const fixes = (data?.explanations ?? []).filter(({ replacement }) => replacement !== undefined);
  return fixes.map(({ replacement, error_message, suggestion }) => (
    <Button
      key={error_message}
      variant="filled"
      onClick={() => search.commit({ q: replacement ?? run.query })}
    >
      {error_message} {suggestion}
    </Button>
  ));
}
