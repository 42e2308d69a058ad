import { Button } from '@mantine/core';
import { IconAlarm } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AlertRow } from '../../components/alerts/index.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { alertPageQuery } from '../../lib/alerts/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import { AlertsFrame } from './alerts-frame.tsx';
import { type AlertListValues, alertListParams } from './list-params.ts';
import { NarrowedList } from './narrowed-list.tsx';
import type { NamedOrder } from './order-select.tsx';
import { PER_PAGE } from './queries.ts';
import { listTexts as texts } from './texts.ts';

const REFRESH_MS = 15_000;

export function OpenAlertsPage() {
  return (
    <AlertsFrame tab="open">
      <Alerts isOpen />
    </AlertsFrame>
  );
}

export function PastAlertsPage() {
  return (
    <AlertsFrame tab="past">
      <Alerts isOpen={false} />
    </AlertsFrame>
  );
}

function Alerts({ isOpen }: { readonly isOpen: boolean }) {
  const { values, change } = useListValues(isOpen ? '/alerts' : '/alerts/past', alertListParams);
  const result = useQuery({
    ...alertPageQuery({
      state: isOpen ? 'unresolved' : 'resolved',
      query: values.find,
      ...(values.s !== '' && { stream_id: values.s }),
      sort: values.sort,
      order: values.order,
      skip: (values.page - 1) * PER_PAGE,
      limit: PER_PAGE,
    }),
    refetchInterval: REFRESH_MS,
  });
  const alerts = result.data?.alerts ?? [];
  const { titles } = useStreamTitles(alerts.flatMap(({ stream_ids: ids }) => ids));
  return (
    <NarrowedList
      {...{ result, values, change }}
      total={result.data?.total}
      find={{ label: texts.find, hint: texts.findHint }}
      orders={isOpen ? OPEN_ORDERS : ORDERS}
      one="alert"
      noneFound={texts.noneFound}
      empty={<NoAlerts isOpen={isOpen} />}
    >
      <EntryList label={isOpen ? texts.openLabel : texts.pastLabel}>
        {alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            streamTitle={alert.stream_ids.map((id) => titles[id] ?? id).join(', ') || texts.allMessages}
          />
        ))}
      </EntryList>
    </NarrowedList>
  );
}

const ORDERS: readonly NamedOrder<AlertListValues['sort']>[] = [
  { sort: 'triggered_at', order: 'desc', label: texts.newest },
  { sort: 'triggered_at', order: 'asc', label: texts.oldest },
  { sort: 'resolved_at', order: 'desc', label: texts.lastResolved },
  { sort: 'title', order: 'asc', label: texts.byTitle },
];
const OPEN_ORDERS = ORDERS.filter(({ sort }) => sort !== 'resolved_at');

function NoAlerts({ isOpen }: { readonly isOpen: boolean }) {
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
  return (
    <EmptyState
      icon={<IconAlarm size={20} />}
      title={isOpen ? texts.noneOpen : texts.nonePast}
      {...(mayCreate && {
        action: (
          <Button renderRoot={(props) => <Link to="/alerts/conditions" {...props} />}>
            {texts.toConditions}
          </Button>
        ),
      })}
    >
      {isOpen ? texts.noneOpenWhy : texts.nonePastWhy}
    </EmptyState>
  );
}
