import { Button } from '@mantine/core';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelEntry } from '../../components/alerts/index.ts';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { ListFrame } from '../../components/list-frame.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { mayReachAny, useCan, usePermissions } from '../../lib/account/index.ts';
import {
  channelPageQuery,
  deliveriesQuery,
  notificationTypesQuery,
  queueQuery,
  useAlertMutation,
} from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import classes from './alerts.module.css';
import { AlertsFrame } from './alerts-frame.tsx';
import { Deliveries } from './deliveries.tsx';
import { type ChannelListValues, channelListParams } from './list-params.ts';
import { type NamedOrder, OrderSelect } from './order-select.tsx';
import { PER_PAGE } from './queries.ts';
import { listTexts, deliveryTexts as texts } from './texts.ts';

const REFRESH_MS = 10_000;
const ORDERS: readonly NamedOrder<ChannelListValues['sort']>[] = [
  { sort: 'title', order: 'asc', label: listTexts.byTitle },
  { sort: 'type', order: 'asc', label: listTexts.byKind },
];

/** Who is told, what waits to be sent, and how it went. */
export function NotificationsPage() {
  const maySeeDeliveries = useCan('eventnotifications:read');
  return (
    <AlertsFrame tab="notifications">
      <Channels />
      {maySeeDeliveries && <Queue />}
      {maySeeDeliveries && <History />}
    </AlertsFrame>
  );
}

function Channels() {
  const { values, change } = useListValues('/alerts/notifications', channelListParams);
  const { data: types } = useQuery(notificationTypesQuery);
  const result = useQuery(
    channelPageQuery({
      query: values.find.trim(),
      sort: values.sort,
      order: values.order,
      page: values.page,
      per_page: PER_PAGE,
    }),
  );
  const { data } = result;
  const { titles } = useStreamTitles(data?.notifications.flatMap(({ stream_id: id }) => id ?? []) ?? []);
  return (
    <section className={classes.section} aria-label={texts.channels}>
      <ListFrame
        result={result}
        total={data?.total}
        page={values.page}
        perPage={PER_PAGE}
        onPage={(page) => change({ page })}
        one="notification"
        controls={
          <div className={classes.heading}>
            <div className={classes.controls}>
              <FindBox
                label={texts.find}
                hint={texts.findHint}
                group={listTexts.title}
                find={values.find}
                onFind={(find) => change({ find, page: 1 })}
              />
              <OrderSelect orders={ORDERS} value={values} onChange={(next) => change({ ...next, page: 1 })} />
            </div>
            {data !== undefined && data.total > 0 && <NewChannel />}
          </div>
        }
        isNarrowed={values.find.trim() !== ''}
        noneFound={texts.noneFound(values.find)}
        showAll={listTexts.showAll}
        onShowAll={() => change({ find: '', page: 1 })}
        empty={
          <EmptyState icon={<IconSend size={20} />} title={texts.none} action={<NewChannel />}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <EntryList label={texts.channels}>
          {data?.notifications.map(({ id, title, stream_id: streamId, config }) => (
            <ChannelEntry
              key={id}
              id={id}
              title={title}
              type={types?.[config.type]}
              streamId={streamId}
              about={streamId === null ? texts.ofRules : texts.ofStream(titles[streamId] ?? streamId)}
            />
          ))}
        </EntryList>
      </ListFrame>
    </section>
  );
}

function NewChannel() {
  const permissions = usePermissions();
  const mayCreate =
    mayReachAny(permissions, 'streams:edit') || permissions.implies('eventnotifications:create');
  return (
    <Disabled reason={mayCreate ? undefined : missingPermission('streams:edit')}>
      <Button
        leftSection={<IconPlus size={16} />}
        {...(mayCreate && {
          renderRoot: (props: object) => <Link to="/alerts/notifications/new" {...props} />,
        })}
      >
        {texts.newTitle}
      </Button>
    </Disabled>
  );
}

function Queue() {
  const [page, setPage] = useState(1);
  const [isAsking, setAsking] = useState(false);
  const reason = usePermissionReason('eventnotifications:edit');
  const result = useQuery({
    ...queueQuery({ page, per_page: PER_PAGE }),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
  const { data, error, refetch } = result;
  const cancelAll = useAlertMutation(() => call('DELETE /alerts/queue', {}));
  return (
    <section className={classes.section} aria-label={texts.waiting}>
      <div className={classes.heading}>
        <h2>{texts.waiting}</h2>
        {data !== undefined && data.total > 0 && !isAsking && (
          <Disabled reason={reason}>
            <Button size="xs" onClick={() => setAsking(true)}>
              {texts.cancelAll}
            </Button>
          </Disabled>
        )}
      </div>
      {isAsking && (
        <ConfirmInline
          question={texts.cancelAllQuestion(data?.total ?? 0)}
          action={texts.cancelAll}
          isBusy={cancelAll.isPending}
          onConfirm={() => cancelAll.mutate(undefined, { onSettled: () => setAsking(false) })}
          onCancel={() => setAsking(false)}
        />
      )}
      {cancelAll.error !== null && <ErrorNotice error={cancelAll.error} />}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <p className={classes.dim}>{texts.nothingWaits}</p>}
      <Deliveries label={texts.waiting} result={result} page={page} perPage={PER_PAGE} onPage={setPage} />
    </section>
  );
}

function History() {
  const [page, setPage] = useState(1);
  const result = useQuery({
    ...deliveriesQuery({ page, per_page: PER_PAGE, ended: true }),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
  const { data, error, refetch } = result;
  return (
    <section className={classes.section} aria-label={texts.history}>
      <h2>{texts.history}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <p className={classes.dim}>{texts.nothingSent}</p>}
      <Deliveries label={texts.history} result={result} page={page} perPage={PER_PAGE} onPage={setPage} />
    </section>
  );
}
