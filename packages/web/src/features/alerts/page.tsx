import { Button } from '@mantine/core';
import { IconAlarm } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AlertRow } from '../../components/alerts/index.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pages } from '../../components/pages.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { alertPageQuery } from '../../lib/alerts/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import classes from './alerts.module.css';
import { AlertsFrame } from './alerts-frame.tsx';
import { ListControls } from './list-controls.tsx';
import { type AlertListValues, alertListParams } from './list-params.ts';
import { type NamedOrder, OrderSelect } from './order-select.tsx';
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
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = alertListParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery({
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
  const change = (next: Partial<AlertListValues>) =>
    void navigate({
      to: isOpen ? '/alerts' : '/alerts/past',
      search: alertListParams.update(next),
      replace: true,
    });
  const { titles } = useStreamTitles(data?.alerts.flatMap(({ stream_ids: ids }) => ids) ?? []);
  const isNarrowed = values.find.trim() !== '' || values.s !== '';
  const total = data?.total ?? 0;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(total > 0 || isNarrowed) && (
        <div className={classes.bar}>
          <ListControls
            label={texts.find}
            hint={texts.findHint}
            find={values.find}
            streamId={values.s}
            onFind={(find) => change({ find, page: 1 })}
            onStream={(s) => change({ s, page: 1 })}
          />
          <OrderSelect
            orders={isOpen ? OPEN_ORDERS : ORDERS}
            value={values}
            onChange={(next) => change({ ...next, page: 1 })}
          />
        </div>
      )}
      <EntryList label={isOpen ? texts.openLabel : texts.pastLabel}>
        {data?.alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            streamTitle={alert.stream_ids.map((id) => titles[id] ?? id).join(', ') || texts.allMessages}
          />
        ))}
      </EntryList>
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={PER_PAGE}
          total={total}
          one="alert"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
      {data?.total === 0 && (
        <NoAlerts
          isOpen={isOpen}
          isNarrowed={isNarrowed}
          onShowAll={() => change({ find: '', s: '', page: 1 })}
        />
      )}
    </>
  );
}

const ORDERS: readonly NamedOrder<AlertListValues['sort']>[] = [
  { sort: 'triggered_at', order: 'desc', label: texts.newest },
  { sort: 'triggered_at', order: 'asc', label: texts.oldest },
  { sort: 'resolved_at', order: 'desc', label: texts.lastResolved },
  { sort: 'title', order: 'asc', label: texts.byTitle },
];
const OPEN_ORDERS = ORDERS.filter(({ sort }) => sort !== 'resolved_at');

interface NoAlertsProps {
  readonly isOpen: boolean;
  readonly isNarrowed: boolean;
  readonly onShowAll: () => void;
}

function NoAlerts({ isOpen, isNarrowed, onShowAll }: NoAlertsProps) {
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
  if (isNarrowed) {
    return (
      <EmptyState title={texts.noneFound} action={<Button onClick={onShowAll}>{texts.showAll}</Button>} />
    );
  }
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
