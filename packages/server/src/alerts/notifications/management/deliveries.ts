import {
  type AlertDeliveriesQuery,
  type AlertDelivery,
  type AlertDeliveryHistory,
  type AllDeliveriesQuery,
  type DeliveriesPage,
  type DeliveriesQuery,
  formatTimestamp,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ForbiddenError,
  NotFoundError,
  type Principal,
  recordAction,
  StateConflictError,
} from '#core/index.ts';
import type {
  AlertNotificationRecord,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryState,
  Metadata,
} from '#metadata/index.ts';
import { requireReadableAlert } from '../readable-alert.ts';
import { callbackView } from './faces.ts';

interface GivenFilter {
  readonly rule_id?: string | undefined;
  readonly notification_id?: string | undefined;
}

/** What waits to be sent and what was sent, in the shapes of the API. */
export interface AlertDeliveries {
  /** What waits or is being sent. */
  queue(query: DeliveriesQuery): Promise<DeliveriesPage>;
  /** Everything, newest first. */
  list(query: AllDeliveriesQuery): Promise<DeliveriesPage>;
  /** Takes one out of the queue. */
  cancel(caller: Caller, id: string): Promise<void>;
  /** Takes all out of the queue that wait, of a rule or a notification if given. Resolves with how many there were. */
  cancelAll(caller: Caller, filter: GivenFilter): Promise<number>;
  /** Those of one alert. Throws `ForbiddenError` if the reader may not read its streams. */
  ofAlert(
    reader: Pick<Principal, 'can'>,
    alertId: string,
    query: AlertDeliveriesQuery,
  ): Promise<DeliveriesPage>;
  /**
   * Sends what failed once more, to those it has not reached. Throws `ForbiddenError` for whoever may not change its
   * notification, and `StateConflictError` if it has not failed or what it said is not known any more.
   */
  sendAgain(caller: Caller, id: string): Promise<AlertDelivery>;
  /** The attempts for one alert of a stream. */
  history(streamId: string, alertId: string): Promise<AlertDeliveryHistory>;
}

const ENDED: readonly DeliveryState[] = ['delivered', 'failed', 'cancelled', 'held'];
const OPEN: readonly DeliveryState[] = ['pending', 'sending'];
const MAX_HISTORY = 1000;

export interface AlertDeliveriesDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Called when something new is in the queue. */
  readonly added?: () => void;
}

export function createAlertDeliveries(deps: AlertDeliveriesDeps): AlertDeliveries {
  const { metadata, audit } = deps;
  const { alertDeliveries, alertNotifications } = metadata.repositories;

  async function page(
    { page, per_page }: AlertDeliveriesQuery,
    filter: DeliveryFilter,
  ): Promise<DeliveriesPage> {
    const { items, total } = await alertDeliveries.list(filter, {
      limit: per_page,
      offset: (page - 1) * per_page,
    });
    return { total, count: items.length, page, per_page, deliveries: await views(items) };
  }

  async function views(deliveries: readonly DeliveryRecord[]): Promise<AlertDelivery[]> {
    const ids = new Set(deliveries.map(({ notificationId }) => notificationId));
    const notifications = new Map(
      (await alertNotifications.findMany([...ids])).map((record) => [record.id, record]),
    );
    return deliveries.map((each) => deliveryView(each, notifications.get(each.notificationId)));
  }

  async function requireDelivery(id: string): Promise<DeliveryRecord> {
    const delivery = id.includes('\0') ? undefined : await alertDeliveries.find(id);
    if (delivery === undefined) throw new NotFoundError(`There is no delivery with the id ${id}.`);
    return delivery;
  }

  return {
    queue: (query) => page(query, { ...filterOf(query), states: OPEN }),
    list: (query) => page(query, { ...filterOf(query), ...(query.ended && { states: ENDED }) }),
    async ofAlert(reader, alertId, query) {
      await requireReadableAlert(metadata, reader, alertId);
      return page(query, { alertId });
    },
    async sendAgain(caller, id) {
      const delivery = await requireDelivery(id);
      const notification = await requireSending(metadata, caller, delivery);
      if (!(await alertDeliveries.sendAgain(id))) throw notAgain(delivery);
      await recordAction(audit, caller, 'delivery.send_again', {
        objectId: id,
        before: deliveryView(delivery, notification),
      });
      deps.added?.();
      return deliveryView(await requireDelivery(id), notification);
    },
    async cancel(caller, id) {
      const delivery = await requireDelivery(id);
      const reason = `cancelled by ${caller.principal.username}`;
      if (!(await alertDeliveries.end(id, 'cancelled', reason))) {
        throw new StateConflictError(
          `The delivery ${id} does not wait any more: it is being sent or has ended.`,
        );
      }
      const [before] = await views([delivery]);
      await recordAction(audit, caller, 'delivery.cancel', { objectId: id, before });
    },
    async cancelAll(caller, given) {
      const { rule_id, notification_id } = given;
      const cancelled = await alertDeliveries.cancel(
        filterOf(given),
        `cancelled by ${caller.principal.username}`,
      );
      await recordAction(audit, caller, 'delivery.cancel', {
        after: { rule_id, notification_id, cancelled },
      });
      return cancelled;
    },
    history: createHistory(metadata),
  };
}

function createHistory({ repositories }: Metadata): AlertDeliveries['history'] {
  const { alertDeliveries, alertNotifications } = repositories;
  return async (streamId, alertId) => {
    const { items } = await alertDeliveries.listAttempts({ alertId }, { limit: MAX_HISTORY, offset: 0 });
    const own = items.filter(({ delivery }) => delivery.streamIds.includes(streamId));
    const notifications = await alertNotifications.findMany([
      ...new Set(own.map(({ delivery }) => delivery.notificationId)),
    ]);
    const views = new Map(notifications.map((record) => [record.id, callbackView(record)]));
    const histories = own.map(({ id, delivery, outcome, error, startedAt }) => ({
      id: String(id),
      alarmcallbackconfiguration: views.get(delivery.notificationId) ?? null,
      alert_id: alertId,
      alertcondition_id: delivery.ruleId,
      result: resultOf(outcome, error),
      created_at: formatTimestamp(startedAt),
    }));
    return { total: histories.length, histories };
  };
}

function filterOf({ rule_id, notification_id }: GivenFilter) {
  return {
    ...(rule_id !== undefined && { ruleId: rule_id }),
    ...(notification_id !== undefined && { notificationId: notification_id }),
  };
}

/** Whoever may send a test by a notification may send by it again. */
async function requireSending(
  { repositories }: Metadata,
  { principal }: Caller,
  { notificationId, notificationTitle }: DeliveryRecord,
): Promise<AlertNotificationRecord> {
  const notification = await repositories.alertNotifications.find(notificationId);
  const streamId = notification?.streamId ?? null;
  const maySend =
    principal.can('eventnotifications:edit', notificationId) ||
    (streamId !== null && principal.can('streams:edit', streamId));
  if (!maySend) {
    const needs =
      streamId === null ? `eventnotifications:edit:${notificationId}` : `streams:edit:${streamId}`;
    throw new ForbiddenError(`Not authorized to send by notification ${notificationId}`, { needs });
  }
  if (notification === undefined) {
    throw new StateConflictError(
      `The notification ${JSON.stringify(notificationTitle)} was removed, so nothing can be sent by it.`,
    );
  }
  return notification;
}

function notAgain({ id, state }: DeliveryRecord): StateConflictError {
  return new StateConflictError(
    state === 'failed'
      ? `What the delivery ${id} said is not known any more.`
      : `The delivery ${id} is ${state}; only one that failed can be sent again.`,
  );
}

function resultOf(outcome: string | null, error: string | null) {
  if (outcome === null) return { type: 'pending' as const };
  if (outcome === 'success') return { type: 'success' as const };
  return {
    type: 'error' as const,
    error: error ?? 'the node ended while it was sending; it is sent again',
  };
}

function deliveryView(
  delivery: DeliveryRecord,
  notification: AlertNotificationRecord | undefined,
): AlertDelivery {
  const { finishedAt, state } = delivery;
  return {
    id: delivery.id,
    kind: delivery.kind,
    state,
    rule_id: delivery.ruleId,
    rule_title: delivery.ruleTitle,
    alert_id: delivery.alertId,
    stream_ids: [...delivery.streamIds],
    description: delivery.description,
    notification_id: delivery.notificationId,
    notification_type: delivery.notificationType,
    notification_title: delivery.notificationTitle,
    attempts: delivery.attempts,
    next_attempt_at: state === 'pending' ? formatTimestamp(delivery.nextAttemptAt) : null,
    error: delivery.error,
    created_at: formatTimestamp(delivery.createdAt),
    finished_at: finishedAt === null ? null : formatTimestamp(finishedAt),
    notification_stream_id: notification?.streamId ?? null,
    can_send_again: state === 'failed' && delivery.hasContent && notification !== undefined,
  };
}
