import { Button } from '@mantine/core';
import type { AlertConditionView } from '@millrace/contract';
import { IconAlarm } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ConditionRow } from '../../components/alerts/index.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { alertPageQuery, conditionPageQuery } from '../../lib/alerts/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import { AlertsFrame } from './alerts-frame.tsx';
import { type ConditionListValues, conditionListParams } from './list-params.ts';
import { NarrowedList } from './narrowed-list.tsx';
import type { NamedOrder } from './order-select.tsx';
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
  const { values, change } = useListValues('/alerts/conditions', conditionListParams);
  const result = useQuery(
    conditionPageQuery({
      query: values.find,
      ...(values.s !== '' && { stream_id: values.s }),
      sort: values.sort,
      order: values.order,
      page: values.page,
      per_page: PER_PAGE,
    }),
  );
  const conditions = result.data?.conditions ?? [];
  const { titles } = useStreamTitles(conditions.map(({ stream_id }) => stream_id));
  const alerting = useAlerting(conditions);
  return (
    <NarrowedList
      {...{ result, values, change }}
      total={result.data?.total}
      find={{ label: texts.findCondition, hint: texts.findConditionHint }}
      orders={ORDERS}
      one="condition"
      noneFound={texts.noConditionFound}
      empty={<NoConditions />}
    >
      <EntryList label={texts.conditions}>
        {conditions.map((condition) => (
          <ConditionRow
            key={condition.id}
            condition={condition}
            isAlerting={alerting.has(condition.id)}
            streamTitle={titles[condition.stream_id] ?? ''}
          />
        ))}
      </EntryList>
    </NarrowedList>
  );
}

function NoConditions() {
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
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
