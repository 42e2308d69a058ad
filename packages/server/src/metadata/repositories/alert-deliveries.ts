import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { writeJson } from '../columns.ts';
import type { DatabaseTime } from '../database-time.ts';
import type { Database } from '../tables/index.ts';
import { createClaims, createFinish, createHeld } from './alert-delivery-attempts.ts';
import type { AlertDeliveriesRepository } from './alert-delivery-records.ts';
import {
  forgetContent,
  fromRow,
  hasNoDelivery,
  matching,
  OPEN,
  selectDeliveries,
} from './alert-delivery-rows.ts';
import { inTransaction } from './transaction.ts';

export function createAlertDeliveriesRepository(
  db: Kysely<Database>,
  clock: Clock,
  now: DatabaseTime,
): AlertDeliveriesRepository {
  return {
    ...createQueue(db, clock, now),
    ...createEnds(db, now),
    ...createClaims(db, now),
    ...createFinish(db, now),
    ...createHeld(db, now),
    ...createUnfinished(db),
    ...createReads(db),
    async removeOlderThan(ageMs) {
      const result = await db
        .deleteFrom('alert_notices')
        .where('created_at', '<', sql<number>`${now()} - ${sql.lit(ageMs)}`)
        .where(hasNoDelivery(OPEN))
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

type QueueFunctions = Pick<AlertDeliveriesRepository, 'enqueue' | 'listDue'>;

function createQueue(db: Kysely<Database>, clock: Clock, now: DatabaseTime): QueueFunctions {
  return {
    enqueue: (notice, targets) =>
      inTransaction(db, async (transaction) => {
        const inserted = await transaction
          .insertInto('alert_notices')
          .values({
            id: notice.id,
            kind: notice.kind,
            rule_id: notice.ruleId,
            rule_title: notice.ruleTitle,
            alert_id: notice.alertId,
            stream_ids: writeJson(notice.streamIds),
            description: notice.description,
            content: writeJson(notice.content),
            created_at: now(),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted === undefined) return false;
        for (const target of targets) {
          await transaction
            .insertInto('alert_deliveries')
            .values({
              id: newEntityId(clock.now()),
              notice_id: notice.id,
              notification_id: target.notificationId,
              notification_type: target.notificationType,
              notification_title: target.notificationTitle,
              rule_id: notice.ruleId,
              state: 'pending',
              attempts: 0,
              next_attempt_at: now(),
              done_parts: writeJson<readonly string[]>([]),
              created_at: now(),
            })
            .execute();
        }
        return true;
      }),

    async listDue(limit, except = []) {
      let query = selectDeliveries(db)
        .where('state', '=', 'pending')
        .where('next_attempt_at', '<=', now())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('alert_deliveries as earlier')
                .innerJoin('alert_notices as before', 'before.id', 'earlier.notice_id')
                .select('earlier.id')
                .whereRef('before.alert_id', '=', 'alert_notices.alert_id')
                .whereRef('earlier.notification_id', '=', 'alert_deliveries.notification_id')
                .whereRef('earlier.created_at', '<', 'alert_deliveries.created_at')
                .where('earlier.state', 'in', [...OPEN]),
            ),
          ),
        );
      if (except.length > 0) query = query.where('notification_id', 'not in', [...except]);
      const rows = await query
        .orderBy('next_attempt_at')
        .orderBy('alert_deliveries.id')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

type EndFunctions = Pick<AlertDeliveriesRepository, 'end' | 'cancel' | 'sendAgain'>;

function createEnds(db: Kysely<Database>, now: DatabaseTime): EndFunctions {
  return {
    end: (id, state, error) =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('alert_deliveries')
          .set({ state, error, finished_at: now() })
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .returning('notice_id')
          .executeTakeFirst();
        if (row !== undefined) await forgetContent(transaction, [row.notice_id]);
        return row !== undefined;
      }),

    cancel: ({ ids, ruleId, notificationId }, reason) =>
      inTransaction(db, async (transaction) => {
        let update = transaction
          .updateTable('alert_deliveries')
          .set({ state: 'cancelled', error: reason, finished_at: now() })
          .where('state', '=', 'pending');
        if (ids !== undefined) update = update.where('id', 'in', ids.length === 0 ? [''] : [...ids]);
        if (ruleId !== undefined) update = update.where('rule_id', '=', ruleId);
        if (notificationId !== undefined) update = update.where('notification_id', '=', notificationId);
        const rows = await update.returning('notice_id').execute();
        await forgetContent(
          transaction,
          rows.map((row) => row.notice_id),
        );
        return rows.length;
      }),

    async sendAgain(id) {
      const { numUpdatedRows } = await db
        .updateTable('alert_deliveries')
        .set({ state: 'pending', next_attempt_at: now(), finished_at: null })
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .where(noticeHasContent)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

function noticeHasContent(is: ExpressionBuilder<Database, 'alert_deliveries'>) {
  return is.exists(
    is
      .selectFrom('alert_notices')
      .select('alert_notices.id')
      .whereRef('alert_notices.id', '=', 'alert_deliveries.notice_id')
      .where('content', 'is not', null),
  );
}

function createUnfinished(
  db: Kysely<Database>,
): Pick<AlertDeliveriesRepository, 'hasUnfinished' | 'countOpen'> {
  return {
    async hasUnfinished() {
      const row = await db
        .selectFrom('alert_deliveries')
        .select('id')
        .where((is) =>
          is.or([
            is('state', 'in', [...OPEN]),
            is.and([is('state', '=', 'held'), is('digest_id', 'is', null)]),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async countOpen() {
      const { total } = await db
        .selectFrom('alert_deliveries')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where('state', 'in', [...OPEN])
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}

type ReadFunctions = Pick<AlertDeliveriesRepository, 'list' | 'find' | 'listAttempts'>;

function createReads(db: Kysely<Database>): ReadFunctions {
  return {
    async list(filter, page) {
      const rows = await selectDeliveries(db)
        .where((is) => matching(is, filter))
        .orderBy('alert_deliveries.created_at', 'desc')
        .orderBy('alert_deliveries.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      const { total } = await db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where((is) => matching(is, filter))
        .executeTakeFirstOrThrow();
      return { items: rows.map(fromRow), total };
    },

    async find(id) {
      const row = await selectDeliveries(db).where('alert_deliveries.id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async listAttempts(filter, page) {
      const rows = await selectDeliveries(db)
        .innerJoin('alert_delivery_attempts', 'delivery_id', 'alert_deliveries.id')
        .select([
          'alert_delivery_attempts.id as attempt_id',
          'alert_delivery_attempts.started_at',
          'alert_delivery_attempts.finished_at as attempt_finished_at',
          'alert_delivery_attempts.outcome',
          'alert_delivery_attempts.error as attempt_error',
        ])
        .where((is) => matching(is, filter))
        .orderBy('alert_delivery_attempts.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      const { total } = await db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
        .innerJoin('alert_delivery_attempts', 'delivery_id', 'alert_deliveries.id')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where((is) => matching(is, filter))
        .executeTakeFirstOrThrow();
      const items = rows.map((row) => ({
        id: row.attempt_id,
        delivery: fromRow(row),
        startedAt: row.started_at,
        finishedAt: row.attempt_finished_at,
        outcome: row.outcome,
        error: row.attempt_error,
      }));
      return { items, total };
    },
  };
}
