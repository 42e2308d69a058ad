import { Button } from '@mantine/core';
import type { AlertDelivery, DeliveriesPage } from '@millrace/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { Failed } from '../../components/failed.tsx';
import { Pages } from '../../components/pages.tsx';
import { StateBadge, type StateTone } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useAlertMutation } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { formatCount } from '../../lib/format/index.ts';
import classes from './alerts.module.css';
import { deliveryTexts as texts } from './texts.ts';

const TONES: Readonly<Record<AlertDelivery['state'], StateTone>> = {
  pending: 'info',
  sending: 'info',
  delivered: 'ok',
  failed: 'danger',
  cancelled: 'dim',
  held: 'warn',
};

export interface DeliveriesProps {
  readonly label: string;
  readonly result: Pick<UseQueryResult<DeliveriesPage>, 'data' | 'isPlaceholderData' | 'isFetching'>;
  readonly page: number;
  readonly perPage: number;
  readonly onPage: (page: number) => void;
  /** On the page of an alert, everything is about that alert. */
  readonly isOfOneAlert?: boolean;
}

/** Notices, page by page: to whom, how that went, in the words of the receiver. Nothing where there is none. */
export function Deliveries(props: DeliveriesProps) {
  const { label, result, page, perPage, onPage, isOfOneAlert = false } = props;
  const { data, isPlaceholderData, isFetching } = result;
  if (data === undefined || data.total === 0) return null;
  return (
    <>
      <DataTable
        label={label}
        columns={columnsFor(isOfOneAlert)}
        rows={data.deliveries}
        rowKey={({ id }) => id}
      />
      <Pages
        {...{ page, perPage, onPage }}
        total={data.total}
        one="notice"
        isOld={isPlaceholderData || isFetching}
      />
    </>
  );
}

function columnsFor(isOfOneAlert: boolean): readonly Column<AlertDelivery>[] {
  return [
    {
      key: 'state',
      title: texts.columns.state,
      width: '112px',
      render: ({ state }) => <StateBadge tone={TONES[state]}>{texts.states[state]}</StateBadge>,
    },
    {
      key: 'what',
      title: texts.columns.what,
      render: (delivery) => <What delivery={delivery} isOfOneAlert={isOfOneAlert} />,
    },
    {
      key: 'time',
      title: texts.columns.time,
      width: '168px',
      isMinor: true,
      render: (delivery) => <DeliveryTime delivery={delivery} />,
    },
    {
      key: 'attempts',
      title: texts.columns.attempts,
      width: '80px',
      align: 'end',
      isMinor: true,
      render: ({ attempts }) => formatCount(attempts),
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '128px',
      isActions: true,
      render: (delivery) => <DeliveryActions delivery={delivery} />,
    },
  ];
}

function What({
  delivery,
  isOfOneAlert,
}: {
  readonly delivery: AlertDelivery;
  readonly isOfOneAlert: boolean;
}) {
  const { alert_id: alertId, rule_title: title, kind, error, notification_title: channel } = delivery;
  const kindWord = texts.kinds[kind] ?? kind;
  return (
    <>
      <div>
        <bdi>{channel === '' ? delivery.notification_type : channel}</bdi>
        <span className={classes.dim}>{` – ${kindWord}`}</span>
      </div>
      {!isOfOneAlert && (
        <div className={classes.dim}>
          {alertId === null ? (
            <bdi>{title}</bdi>
          ) : (
            <Link to="/alerts/$id" params={{ id: alertId }}>
              <bdi>{title === '' ? delivery.description : title}</bdi>
            </Link>
          )}
        </div>
      )}
      {error !== null && (
        <div className={delivery.state === 'failed' ? classes.error : classes.warning}>{error}</div>
      )}
    </>
  );
}

function DeliveryTime({ delivery }: { readonly delivery: AlertDelivery }) {
  const { created_at, finished_at, next_attempt_at: next } = delivery;
  return (
    <>
      <Timestamp value={finished_at ?? created_at} />
      {next !== null && delivery.attempts > 0 && (
        <div className={classes.dim}>
          {texts.next} <Timestamp value={next} show="age" />
        </div>
      )}
    </>
  );
}

function DeliveryActions({ delivery }: { readonly delivery: AlertDelivery }) {
  if (delivery.can_send_again) return <SendAgain delivery={delivery} />;
  return delivery.state === 'pending' ? <CancelButton delivery={delivery} /> : null;
}

function SendAgain({ delivery }: { readonly delivery: AlertDelivery }) {
  const { id: deliveryId, notification_id: notificationId, notification_stream_id: streamId } = delivery;
  const mayOfRules = useCan('eventnotifications:edit', notificationId);
  const mayOfStream = useCan('streams:edit', streamId ?? '');
  const maySend = mayOfRules || (streamId !== null && mayOfStream);
  const again = useAlertMutation(() =>
    call('POST /alerts/deliveries/{deliveryId}/send_again', { path: { deliveryId } }),
  );
  return (
    <>
      <Disabled
        reason={maySend ? undefined : missingPermission('eventnotifications:edit', texts.thisNotification)}
      >
        <Button size="xs" loading={again.isPending} onClick={() => again.mutate(undefined)}>
          {texts.sendAgain}
        </Button>
      </Disabled>
      {again.error !== null && <Failed error={again.error} />}
    </>
  );
}

function CancelButton({ delivery }: { readonly delivery: AlertDelivery }) {
  const { id: deliveryId, rule_title: title } = delivery;
  const mayCancel = useCan('eventnotifications:edit');
  const cancel = useAlertMutation(() => call('DELETE /alerts/queue/{deliveryId}', { path: { deliveryId } }));
  return (
    <>
      <Disabled reason={mayCancel ? undefined : missingPermission('eventnotifications:edit')}>
        <Button
          size="xs"
          aria-label={texts.cancelOf(title)}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        >
          {texts.cancel}
        </Button>
      </Disabled>
      {cancel.error !== null && <Failed error={cancel.error} />}
    </>
  );
}
