import { Button } from '@mantine/core';
import type { AlertConditionView } from '@millrace/contract';
import { IconAlarm } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ConditionRow } from '../../components/alerts/index.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pages } from '../../components/pages.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { alertPageQuery, conditionPageQuery } from '../../lib/alerts/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import classes from './alerts.module.css';
import { AlertsFrame } from './alerts-frame.tsx';
import { ListControls } from './list-controls.tsx';
import { type ConditionListValues, conditionListParams } from './list-params.ts';
import { type NamedOrder, OrderSelect } from './order-select.tsx';
import { PER_PAGE } from './queries.ts';
import { listTexts as texts } from './texts.ts';

const ORDERS: readonly NamedOrder<ConditionListValues['sort']>[] = [
  { sort: 'stream', order: 'asc', label: texts.byStream },
  { sort: 'title', order: 'asc', label: texts.byTitle },
  { sort: 'created_at', order: 'desc', label: texts.newest },
];
/** As many alerts as one answer has. */
const MOST_OPEN = 300;

export function ConditionsPage() {
  return (
    <AlertsFrame tab="conditions">
      <Conditions />
    </AlertsFrame>
  );
}

/** Ids of those of these conditions that have an open alert. */
function useAlerting(conditions: readonly Pick<AlertConditionView, 'id'>[]): ReadonlySet<string> {
  const { data: open } = useQuery(alertPageQuery({ state: 'unresolved', limit: MOST_OPEN }));
  const known = open?.alerts.map(({ condition_id: id }) => id) ?? [];
  // Of very many open alerts one answer has only the newest: then each condition is asked for by itself.
  const isPartial = open !== undefined && open.total > open.alerts.length;
  const asked = isPartial ? conditions.filter(({ id }) => !known.includes(id)) : [];
  const more = useQueries({
    queries: asked.map(({ id }) => alertPageQuery({ state: 'unresolved', condition_id: id, limit: 1 })),
    combine: (results) => results.flatMap(({ data }) => data?.alerts.map(({ condition_id: id }) => id) ?? []),
  });
  return new Set([...known, ...more]);
}

function Conditions() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = conditionListParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    conditionPageQuery({
      query: values.find,
      ...(values.s !== '' && { stream_id: values.s }),
      sort: values.sort,
      order: values.order,
      page: values.page,
      per_page: PER_PAGE,
    }),
  );
  const { titles } = useStreamTitles(data?.conditions.map(({ stream_id }) => stream_id) ?? []);
  const alerting = useAlerting(data?.conditions ?? []);
  const change = (next: Partial<ConditionListValues>) =>
    void navigate({ to: '/alerts/conditions', search: conditionListParams.update(next), replace: true });
  const isNarrowed = values.find.trim() !== '' || values.s !== '';
  const total = data?.total ?? 0;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(total > 0 || isNarrowed) && (
        <div className={classes.bar}>
          <ListControls
            label={texts.findCondition}
            hint={texts.findConditionHint}
            find={values.find}
            streamId={values.s}
            onFind={(find) => change({ find, page: 1 })}
            onStream={(s) => change({ s, page: 1 })}
          />
          <OrderSelect orders={ORDERS} value={values} onChange={(next) => change({ ...next, page: 1 })} />
        </div>
      )}
      <EntryList label={texts.conditions}>
        {data?.conditions.map((condition) => (
          <ConditionRow
            key={condition.id}
            condition={condition}
            isAlerting={alerting.has(condition.id)}
            streamTitle={titles[condition.stream_id] ?? ''}
          />
        ))}
      </EntryList>
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={PER_PAGE}
          total={total}
          one="condition"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
      {data?.total === 0 && (
        <NoConditions isNarrowed={isNarrowed} onShowAll={() => change({ find: '', s: '', page: 1 })} />
      )}
    </>
  );
}

interface NoConditionsProps {
  readonly isNarrowed: boolean;
  readonly onShowAll: () => void;
}

function NoConditions({ isNarrowed, onShowAll }: NoConditionsProps) {
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
  if (isNarrowed) {
    return (
      <EmptyState
        title={texts.noConditionFound}
        action={<Button onClick={onShowAll}>{texts.showAll}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<IconAlarm size={20} />}
      title={texts.noConditions}
      {...(mayCreate && {
        action: (
          <Button renderRoot={(props) => <Link to="/alerts/conditions/new" {...props} />}>
            {texts.newCondition}
          </Button>
        ),
      })}
    >
      {texts.noConditionsWhy}
    </EmptyState>
  );
}
