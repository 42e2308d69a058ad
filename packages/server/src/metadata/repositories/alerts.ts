import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { nameKey, readJson, writeJson } from '../columns.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { AlertsTable } from '../tables/alerts.ts';
import type { Database } from '../tables/index.ts';
import type { AlertKeyField, AlertRecord, NewAlert } from './alert-types.ts';
import { containsPattern } from './like-pattern.ts';
import { inTransaction } from './transaction.ts';

export interface AlertFilter {
  /** Of these streams; undefined for all alerts, including those of rules that look at several streams. */
  readonly streamIds?: readonly string[] | undefined;
  /** Triggered at this time or later. */
  readonly since?: number | undefined;
  readonly state?: 'resolved' | 'unresolved' | undefined;
  readonly ruleId?: string | undefined;
  /** In the title or the description, in any case. */
  readonly text?: string | undefined;
}

export interface AlertOrder {
  readonly by: 'triggered_at' | 'resolved_at' | 'title';
  readonly direction: 'asc' | 'desc';
}

/**
 * Alerts: open from `triggeredAt` until `resolvedAt`. Rules that do not alert record their events here as well; only
 * `page` leaves those out.
 */
export interface AlertsRepository {
  /** False if this alert is stored already: the same rule, key and time. */
  insert(alert: NewAlert): Promise<boolean>;
  /** False if it is not open. */
  resolve(id: string, at: number): Promise<boolean>;
  /** Resolves all open alerts of a rule and returns them. */
  resolveOfRule(ruleId: string, at: number): Promise<readonly AlertRecord[]>;
  /** For a stream that is about to be deleted: its alerts stay, as alerts of no single stream. */
  forgetStream(streamId: string): Promise<void>;
  /** People were told again. */
  notified(id: string, at: number): Promise<void>;
  find(id: string): Promise<AlertRecord | undefined>;
  findMany(ids: readonly string[]): Promise<readonly AlertRecord[]>;
  /**
   * Those of these rules that are open or were resolved after this time. Oldest first. Of those that are resolved, the
   * last 10 000.
   */
  current(ruleIds: readonly string[], resolvedAfter: number): Promise<readonly AlertRecord[]>;
  /**
   * When people were last told of events of single messages with these keys, by `eventKeyId`; those of whom nobody was
   * told after this time are missing.
   */
  lastNotified(
    ruleId: string,
    eventKeyIds: readonly string[],
    after: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** When each of these rules last had an alert, by id; those without any are missing. */
  lastTriggered(ruleIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Alerts only. Newest first, unless another order is asked for. */
  page(filter: AlertFilter, page: PageRequest, order?: AlertOrder): Promise<Page<AlertRecord>>;
  /** Those whose event is not among the messages yet, oldest first. */
  withoutEvent(limit: number): Promise<readonly AlertRecord[]>;
  eventStored(ids: readonly string[]): Promise<void>;
  /** Removes resolved alerts that were triggered before a time; returns how many. */
  removeTriggeredBefore(time: number): Promise<number>;
}

/** Identifies a key among those of a rule. Events of single messages have the message's id besides. */
function alertKeyId(key: readonly AlertKeyField[], messageId: string | undefined): string {
  const values = [...key.map(({ value }) => value), ...(messageId === undefined ? [] : [messageId])];
  return hashOf(values);
}

/** Identifies the key that a rule computed for an event among those of the rule. */
export function eventKeyId(eventKey: readonly string[] | undefined): string {
  return hashOf(eventKey ?? []);
}

function hashOf(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

/** A rule with many different keys and a long grace period leaves many alerts that are resolved. */
const MAX_RESOLVED = 10_000;

export function createAlertsRepository(db: Kysely<Database>): AlertsRepository {
  return { ...createAlertWrites(db), ...createAlertReads(db), ...createReadsOfRules(db) };
}

function createAlertWrites(db: Kysely<Database>) {
  return {
    async insert(alert: NewAlert): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('alerts')
        .values(toRow(alert))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async resolve(id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ resolved_at: at })
        .where('id', '=', id)
        .where('resolved_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async resolveOfRule(ruleId: string, at: number): Promise<readonly AlertRecord[]> {
      const rows = await db
        .updateTable('alerts')
        .set({ resolved_at: at })
        .where('rule_id', '=', ruleId)
        .where('resolved_at', 'is', null)
        .returningAll()
        .execute();
      return rows.map(fromRow);
    },

    async forgetStream(streamId: string): Promise<void> {
      await db.updateTable('alerts').set({ stream_id: null }).where('stream_id', '=', streamId).execute();
    },

    async notified(id: string, at: number): Promise<void> {
      await db.updateTable('alerts').set({ notified_at: at }).where('id', '=', id).execute();
    },

    async eventStored(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await db.updateTable('alerts').set({ event_stored: true }).where('id', 'in', ids).execute();
    },

    async removeTriggeredBefore(time: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('alerts')
        .where('triggered_at', '<', time)
        .where('resolved_at', 'is not', null)
        .where('event_stored', '=', true)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function createAlertReads(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<AlertRecord | undefined> {
      const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async findMany(ids: readonly string[]): Promise<readonly AlertRecord[]> {
      if (ids.length === 0) return [];
      const rows = await db.selectFrom('alerts').selectAll().where('id', 'in', ids).execute();
      return rows.map(fromRow);
    },

    page: (
      filter: AlertFilter,
      { limit, offset }: PageRequest,
      { by, direction }: AlertOrder = NEWEST_FIRST,
    ): Promise<Page<AlertRecord>> =>
      inTransaction(db, async (transaction) => {
        if (filter.streamIds?.length === 0) return { items: [], total: 0 };
        const query = filtered(transaction, filter);
        const counted = await query
          .select((expression) => expression.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await query
          .selectAll()
          // Open alerts were resolved before all others: the databases have ideas of their own about nulls.
          .orderBy(by === 'title' ? 'search_key' : by, (order) =>
            direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsFirst(),
          )
          .orderBy('id', direction)
          .limit(limit)
          .offset(offset)
          .execute();
        return { items: rows.map(fromRow), total: Number(counted.total) };
      }),

    async withoutEvent(limit: number): Promise<readonly AlertRecord[]> {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('event_stored', '=', false)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

const NEWEST_FIRST: AlertOrder = { by: 'triggered_at', direction: 'desc' };

function filtered(db: Kysely<Database>, { streamIds, since, state, ruleId, text = '' }: AlertFilter) {
  let query = db.selectFrom('alerts').where('is_alert', '=', true);
  if (streamIds !== undefined) query = query.where('stream_id', 'in', streamIds);
  if (since !== undefined) query = query.where('triggered_at', '>=', since);
  if (state === 'resolved') query = query.where('resolved_at', 'is not', null);
  if (state === 'unresolved') query = query.where('resolved_at', 'is', null);
  if (ruleId !== undefined) query = query.where('rule_id', '=', ruleId);
  if (text !== '') {
    const pattern = containsPattern(searchKey(text));
    query = query.where(sql<boolean>`${sql.ref('search_key')} like ${pattern} escape '!'`);
  }
  return query;
}

const MAX_SEARCH_KEY_LENGTH = 2000;

/** What a search for text looks at. No null characters, which PostgreSQL cannot store. */
function searchKey(text: string): string {
  return nameKey(text.slice(0, MAX_SEARCH_KEY_LENGTH).replaceAll('\0', ' '));
}

/** What the evaluation of rules asks for. */
function createReadsOfRules(db: Kysely<Database>) {
  return {
    async current(ruleIds: readonly string[], resolvedAfter: number): Promise<readonly AlertRecord[]> {
      if (ruleIds.length === 0) return [];
      const ofRules = db.selectFrom('alerts').selectAll().where('rule_id', 'in', ruleIds);
      const open = await ofRules.where('resolved_at', 'is', null).execute();
      // Afterwards: one that is resolved in between is then there twice, instead of not at all.
      const resolved = await ofRules
        .where('resolved_at', '>', resolvedAfter)
        .orderBy('resolved_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_RESOLVED)
        .execute();
      const byId = new Map([...open, ...resolved].map((row) => [row.id, fromRow(row)]));
      return [...byId.values()].sort(byTime);
    },

    async lastNotified(
      ruleId: string,
      eventKeyIds: readonly string[],
      after: number,
    ): Promise<ReadonlyMap<string, number>> {
      if (eventKeyIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('alerts')
        .select(['event_key_id', (expression) => expression.fn.max('notified_at').as('last')])
        .where('rule_id', '=', ruleId)
        .where('event_key_id', 'in', eventKeyIds)
        .where('notified_at', '>', after)
        .groupBy('event_key_id')
        .execute();
      return new Map(rows.flatMap(({ event_key_id: id, last }) => (id === null ? [] : [[id, Number(last)]])));
    },

    async lastTriggered(ruleIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (ruleIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('alerts')
        .select(['rule_id', (expression) => expression.fn.max('triggered_at').as('last')])
        .where('rule_id', 'in', ruleIds)
        .groupBy('rule_id')
        .execute();
      return new Map(rows.map(({ rule_id, last }) => [rule_id, Number(last)]));
    },
  };
}

function toRow(alert: NewAlert) {
  const { id, ruleId, triggeredAt, notifiedAt, resolvedAt = null, ...content } = alert;
  return {
    id,
    rule_id: ruleId,
    stream_id: alert.streams.length === 1 ? (alert.streams[0] ?? null) : null,
    key_id: alertKeyId(alert.key, alert.sourceMessage?.id),
    event_key_id: alert.sourceMessage === undefined ? null : eventKeyId(alert.eventKey),
    triggered_at: triggeredAt,
    resolved_at: resolvedAt,
    notified_at: notifiedAt,
    event_stored: false,
    is_alert: alert.isAlert,
    search_key: searchKey(`${alert.title}\n${alert.description}`),
    content: writeJson(content),
  };
}

function byTime(a: AlertRecord, b: AlertRecord): number {
  return a.triggeredAt - b.triggeredAt || (a.id < b.id ? -1 : 1);
}

function fromRow(row: Selectable<AlertsTable>): AlertRecord {
  return {
    id: row.id,
    ruleId: row.rule_id,
    keyId: row.key_id,
    triggeredAt: row.triggered_at,
    resolvedAt: row.resolved_at,
    notifiedAt: row.notified_at,
    ...readJson(row.content),
  };
}
