import {
  type AlertDelivery,
  type AlertDeliveryHistory,
  type DeliveriesPage,
  type DeliveriesQuery,
  formatTimestamp,
} from '@millrace/contract';
import { type AuditLog, type Caller, NotFoundError, recordAction, StateConflictError } from '#core/index.ts';
import type { DeliveryRecord, DeliveryState, Metadata } from '#metadata/index.ts';
import { callbackView } from './faces.ts';

/** What waits to be sent and what was sent, in the shapes of the API. */
export interface AlertDeliveries {
  /** What waits or is being sent. */
  queue(query: DeliveriesQuery): Promise<DeliveriesPage>;
  /** Everything, newest first. */
  list(query: DeliveriesQuery): Promise<DeliveriesPage>;
  /** Takes one out of the queue. */
  cancel(caller: Caller, id: string): Promise<void>;
  /** Takes all out of the queue that wait, of a rule or a notification if given. Resolves with how many there were. */
  cancelAll(
    caller: Caller,
    filter: { readonly rule_id?: string | undefined; readonly notification_id?: string | undefined },
  ): Promise<number>;
  /** The attempts for one alert of a stream. */
  history(streamId: string, alertId: string): Promise<AlertDeliveryHistory>;
}

const OPEN: readonly DeliveryState[] = ['pending', 'sending'];
const MAX_HISTORY = 1000;

export function createAlertDeliveries({
  metadata,
  audit,
}: {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
}): AlertDeliveries {
  const { alertDeliveries, alertNotifications } = metadata.repositories;

  async function page(
    { page, per_page, rule_id, notification_id }: DeliveriesQuery,
    states?: readonly DeliveryState[],
  ): Promise<DeliveriesPage> {
    const filter = {
      ...(states && { states }),
      ...(rule_id !== undefined && { ruleId: rule_id }),
      ...(notification_id !== undefined && { notificationId: notification_id }),
    };
    const { items, total } = await alertDeliveries.list(filter, {
      limit: per_page,
      offset: (page - 1) * per_page,
    });
    return { total, count: items.length, page, per_page, deliveries: items.map(deliveryView) };
  }

  return {
    queue: (query) => page(query, OPEN),
    list: (query) => page(query),
    async cancel(caller, id) {
      const delivery = await alertDeliveries.find(id);
      if (delivery === undefined) throw new NotFoundError(`There is no delivery with the id ${id}.`);
      const reason = `cancelled by ${caller.principal.username}`;
      if (!(await alertDeliveries.end(id, 'cancelled', reason))) {
        throw new StateConflictError(
          `The delivery ${id} does not wait any more: it is being sent or has ended.`,
        );
      }
      await recordAction(audit, caller, 'delivery.cancel', { objectId: id, before: deliveryView(delivery) });
    },
    async cancelAll(caller, { rule_id, notification_id }) {
      const cancelled = await alertDeliveries.cancel(
        {
          ...(rule_id !== undefined && { ruleId: rule_id }),
          ...(notification_id !== undefined && { notificationId: notification_id }),
        },
        `cancelled by ${caller.principal.username}`,
      );
      await recordAction(audit, caller, 'delivery.cancel', {
        after: { rule_id, notification_id, cancelled },
      });
      return cancelled;
    },
    async history(streamId, alertId) {
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
    },
  };
}

function resultOf(outcome: string | null, error: string | null) {
  if (outcome === null) return { type: 'pending' as const };
  if (outcome === 'success') return { type: 'success' as const };
  return {
    type: 'error' as const,
    error: error ?? 'the node ended while it was sending; it is sent again',
  };
}

function deliveryView(delivery: DeliveryRecord): AlertDelivery {
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
  };
}
