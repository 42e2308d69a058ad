import { type Kysely, sql } from 'kysely';
import { readJson, readOptionalJson, writeJson } from '../columns.ts';
import type { DatabaseTime } from '../database-time.ts';
import type { Database } from '../tables/index.ts';
import type { AlertDeliveriesRepository } from './alert-delivery-records.ts';
import { forgetContent, forgetOldFailures, fromRow, selectDeliveries } from './alert-delivery-rows.ts';
import { inTransaction } from './transaction.ts';

type ClaimFunctions = Pick<AlertDeliveriesRepository, 'claim' | 'markDone' | 'releaseClaims'>;
type FinishFunction = Pick<AlertDeliveriesRepository, 'finish'>;

export function createClaims(db: Kysely<Database>, now: DatabaseTime): ClaimFunctions {
  const later = (ms: number) => sql<number>`${now()} + ${sql.lit(Math.round(ms))}`;
  return {
    claim: (id, holder, durationMs) =>
      inTransaction(db, async (transaction) => {
        const claimed = await transaction
          .updateTable('alert_deliveries')
          .set((is) => ({
            state: 'sending',
            attempts: is('attempts', '+', 1),
            claimed_by: holder,
            claimed_until: later(durationMs),
            first_attempt_at: is.fn.coalesce('first_attempt_at', now()),
          }))
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .returning(['notice_id', 'done_parts'])
          .executeTakeFirst();
        if (claimed === undefined) return undefined;
        const attempt = await transaction
          .insertInto('alert_delivery_attempts')
          .values({ delivery_id: id, started_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        const row = await selectDeliveries(transaction)
          .select('alert_notices.content')
          .where('alert_deliveries.id', '=', id)
          .executeTakeFirstOrThrow();
        return {
          ...fromRow(row),
          attemptId: attempt.id,
          doneParts: readJson(claimed.done_parts),
          content: readOptionalJson(row.content),
        };
      }),

    async markDone(claim, parts, durationMs) {
      const result = await db
        .updateTable('alert_deliveries')
        .set({ done_parts: writeJson(parts), claimed_until: later(durationMs) })
        .where('id', '=', claim.id)
        .where('state', '=', 'sending')
        .where('attempts', '=', claim.attempts)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    releaseClaims: (holder) =>
      inTransaction(db, async (transaction) => {
        const rows = await transaction
          .updateTable('alert_deliveries')
          .set({ state: 'pending', claimed_by: null, claimed_until: null, next_attempt_at: now() })
          .where('state', '=', 'sending')
          .where((is) =>
            holder === undefined
              ? is('claimed_until', '<=', now())
              : is.or([is('claimed_by', '=', holder), is('claimed_until', '<=', now())]),
          )
          .returning('id')
          .execute();
        if (rows.length === 0) return 0;
        await transaction
          .updateTable('alert_delivery_attempts')
          .set({ outcome: 'interrupted', finished_at: now() })
          .where('outcome', 'is', null)
          .where(
            'delivery_id',
            'in',
            rows.map(({ id }) => id),
          )
          .execute();
        return rows.length;
      }),
  };
}

export function createFinish(db: Kysely<Database>, now: DatabaseTime): FinishFunction {
  const later = (ms: number) => sql<number>`${now()} + ${sql.lit(Math.round(ms))}`;
  return {
    finish: (claim, result) =>
      inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('alert_delivery_attempts')
          .set({ finished_at: now(), outcome: result.outcome, error: result.error })
          .where('id', '=', claim.attemptId)
          .execute();
        const retryAfterMs = result.outcome === 'failure' ? result.retryAfterMs : undefined;
        const row = await transaction
          .updateTable('alert_deliveries')
          .set({
            claimed_by: null,
            claimed_until: null,
            error: result.error,
            ...(retryAfterMs === undefined
              ? { state: result.outcome === 'success' ? 'delivered' : 'failed', finished_at: now() }
              : { state: 'pending', next_attempt_at: later(retryAfterMs) }),
          })
          .where('id', '=', claim.id)
          .where('attempts', '=', claim.attempts)
          // What arrived must not be sent again, even if the claim expired and the delivery waits for another attempt.
          .where('state', 'in', result.outcome === 'success' ? ['sending', 'pending'] : ['sending'])
          .returning(['notice_id', 'notification_id', 'state'])
          .executeTakeFirst();
        if (row === undefined || retryAfterMs !== undefined) return;
        await forgetContent(transaction, [row.notice_id]);
        if (row.state === 'failed') await forgetOldFailures(transaction, row.notification_id);
      }),
  };
}

type HeldFunctions = Pick<AlertDeliveriesRepository, 'countBegun' | 'listHeld' | 'held' | 'assignDigest'>;

export function createHeld(db: Kysely<Database>, now: DatabaseTime): HeldFunctions {
  const ago = (ms: number) => sql<number>`${now()} - ${sql.lit(Math.round(ms))}`;
  const heldOf = (notificationId: string) =>
    db
      .selectFrom('alert_deliveries')
      .innerJoin('alert_notices', 'alert_notices.id', 'notice_id')
      .where('state', '=', 'held')
      .where('digest_id', 'is', null)
      .where('notification_id', '=', notificationId);
  return {
    async countBegun({ ruleId, notificationId }, withinMs) {
      let query = db
        .selectFrom('alert_deliveries')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where('first_attempt_at', '>', ago(withinMs));
      if (ruleId !== undefined) query = query.where('rule_id', '=', ruleId);
      if (notificationId !== undefined) query = query.where('notification_id', '=', notificationId);
      return (await query.executeTakeFirstOrThrow()).total;
    },

    async listHeld(olderThanMs) {
      const rows = await db
        .selectFrom('alert_deliveries')
        .select('notification_id')
        .where('state', '=', 'held')
        .where('digest_id', 'is', null)
        .groupBy('notification_id')
        .having((is) => is(is.fn.min('finished_at'), '<=', ago(olderThanMs)))
        .execute();
      return rows.map((row) => row.notification_id);
    },

    async held(notificationId) {
      const rows = await heldOf(notificationId)
        .select((is) => [
          'alert_notices.rule_id as id',
          is.fn.max('alert_notices.rule_title').as('title'),
          is.fn.countAll<number>().as('count'),
          is.fn.min('finished_at').as('first'),
          is.fn.max('finished_at').as('last'),
        ])
        .groupBy('alert_notices.rule_id')
        .execute();
      if (rows.length === 0) return undefined;
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        firstAt: Math.min(...rows.map(({ first }) => first ?? 0)),
        lastAt: Math.max(...rows.map(({ last }) => last ?? 0)),
        rules: rows.map(({ id, title, count }) => ({ id, title, count })).sort((a, b) => b.count - a.count),
      };
    },

    async assignDigest(notificationId, lastAt, digestId) {
      await db
        .updateTable('alert_deliveries')
        .set({ digest_id: digestId })
        .where('state', '=', 'held')
        .where('digest_id', 'is', null)
        .where('notification_id', '=', notificationId)
        .where('finished_at', '<=', lastAt)
        .execute();
    },
  };
}
