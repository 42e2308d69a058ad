import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { readBoolean, readJson } from '../columns.ts';
import type { AlertDeliveriesTable, DeliveryState } from '../tables/alert-notifications.ts';
import type { Database } from '../tables/index.ts';
import type { DeliveryFilter, DeliveryRecord } from './alert-delivery-records.ts';

/** Still on their way. */
export const OPEN: readonly DeliveryState[] = ['pending', 'sending'];

/** What failed can be sent again, as long as it is in the history. */
const MAY_BE_SENT: readonly DeliveryState[] = [...OPEN, 'failed'];

/** Whether a notice has no delivery in one of these states. */
export function hasNoDelivery(states: readonly DeliveryState[]) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<Database, 'alert_notices'>) =>
    not(
      exists(
        selectFrom('alert_deliveries')
          .select('alert_deliveries.id')
          .whereRef('notice_id', '=', 'alert_notices.id')
          .where('state', 'in', [...states]),
      ),
    );
}

/** The content of a notice is dropped when nothing is left to deliver: it may hold many messages. */
export async function forgetContent(
  db: Kysely<Database>,
  noticeIds: readonly string[],
  neededBy: readonly DeliveryState[] = MAY_BE_SENT,
): Promise<void> {
  const CHUNK = 500;
  for (let from = 0; from < noticeIds.length; from += CHUNK) {
    await db
      .updateTable('alert_notices')
      .set({ content: null })
      .where('id', 'in', noticeIds.slice(from, from + CHUNK))
      .where(hasNoDelivery(neededBy))
      .execute();
  }
}

/** How many failed notices of a notification can be sent again: each may hold half a megabyte of messages. */
export const KEPT_FAILURES = 100;

/** Drops the content of what failed before the newest of them. */
export async function forgetOldFailures(db: Kysely<Database>, notificationId: string): Promise<void> {
  const old = await db
    .selectFrom('alert_deliveries')
    .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
    .select('notice_id')
    .where('notification_id', '=', notificationId)
    .where('state', '=', 'failed')
    .where('content', 'is not', null)
    .orderBy('finished_at', 'desc')
    .orderBy('alert_deliveries.id', 'desc')
    .limit(KEPT_FAILURES)
    .offset(KEPT_FAILURES)
    .execute();
  const ids = old.map(({ notice_id }) => notice_id);
  await forgetContent(db, ids, OPEN);
}

export function matching(
  is: ExpressionBuilder<Database, 'alert_deliveries' | 'alert_notices'>,
  { states, ids, ruleId, notificationId, alertId }: DeliveryFilter,
) {
  return is.and([
    ...(states === undefined ? [] : [is('state', 'in', [...states])]),
    ...(ids === undefined ? [] : [is('alert_deliveries.id', 'in', ids.length === 0 ? [''] : [...ids])]),
    ...(ruleId === undefined ? [] : [is('alert_deliveries.rule_id', '=', ruleId)]),
    ...(notificationId === undefined ? [] : [is('notification_id', '=', notificationId)]),
    ...(alertId === undefined ? [] : [is('alert_id', '=', alertId)]),
  ]);
}

export function selectDeliveries(db: Kysely<Database>) {
  return db
    .selectFrom('alert_deliveries')
    .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
    .selectAll('alert_deliveries')
    .select(['kind', 'rule_title', 'alert_id', 'stream_ids', 'description'])
    .select((is) => is('content', 'is not', null).as('has_content'));
}

type DeliveryRow = Selectable<AlertDeliveriesTable> &
  Pick<
    Selectable<Database['alert_notices']>,
    'kind' | 'rule_title' | 'alert_id' | 'stream_ids' | 'description'
  > & { readonly has_content: boolean | number };

export function fromRow(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    noticeId: row.notice_id,
    notificationId: row.notification_id,
    notificationType: row.notification_type,
    notificationTitle: row.notification_title,
    kind: row.kind,
    ruleId: row.rule_id,
    ruleTitle: row.rule_title,
    alertId: row.alert_id,
    streamIds: readJson(row.stream_ids),
    description: row.description,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    error: row.error,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    hasContent: readBoolean(row.has_content),
  };
}
