import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readBoolean, readJson, writeJson } from '../columns.ts';
import type { AlertRuleStatesTable, AlertRulesTable } from '../tables/alerts.ts';
import type { Database } from '../tables/index.ts';
import type { AlertRuleProperties, AlertRuleRecord, AlertRuleState, NewAlertRule } from './alert-types.ts';
import { changedRow, lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

/**
 * Alert rules, and how far the evaluation of each has come. Every change of a rule changes the revision, which is how
 * the node that evaluates them notices it.
 */
export interface AlertRulesRepository {
  insert(rule: NewAlertRule): Promise<AlertRuleRecord>;
  /**
   * Replaces all properties, also by what follows from those that are stored: nobody else changes them meanwhile, and
   * what that throws refuses the change. Undefined if the id is unknown.
   */
  update(
    id: string,
    properties: AlertRuleProperties | ((before: AlertRuleRecord) => AlertRuleProperties),
  ): Promise<AlertRuleRecord | undefined>;
  /** Its alerts stay. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<AlertRuleRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly AlertRuleRecord[]>;
  /** The rules that look at nothing but this stream, oldest first. */
  listByStream(streamId: string): Promise<readonly AlertRuleRecord[]>;
  /** Differs after every change of any rule on any node. */
  revision(): Promise<string>;
  /** Of one rule or of all. */
  states(ruleId?: string): Promise<readonly AlertRuleState[]>;
  /**
   * The rule was evaluated from `from`, the state that was read, to `until`. False, with nothing changed, if its state
   * is another one by now: another node has evaluated it.
   */
  advance(ruleId: string, from: number, until: number, attemptedAt: number): Promise<boolean>;
  /** Counts a failed evaluation and returns how many there were in a row; undefined if the rule is gone. */
  failed(ruleId: string, error: string, attemptedAt: number): Promise<number | undefined>;
  /** Null: not any more. False if the id is unknown. */
  mute(ruleId: string, until: number | null): Promise<boolean>;
  /**
   * Evaluation goes on from here, as for a new rule: when it was switched on, or changed. With `from`, the state that was
   * read, only if that is still its state: a node that stood still may not undo what another one has done since.
   */
  restart(ruleId: string, at: number, from?: number): Promise<void>;
}

const REVISION = 'alert_rules_revision';

export function createAlertRulesRepository(db: Kysely<Database>, clock: Clock): AlertRulesRepository {
  return { ...createRuleWrites(db, clock), ...createRuleReads(db), ...createStateWrites(db, clock) };
}

function createRuleWrites(db: Kysely<Database>, clock: Clock) {
  const write = <T>(work: (transaction: Kysely<Database>) => Promise<T>): Promise<T> =>
    inTransaction(db, async (transaction) => {
      const result = await work(transaction);
      await changeRevision(transaction, clock);
      return result;
    });
  return {
    insert: (rule: NewAlertRule): Promise<AlertRuleRecord> =>
      write(async (transaction) => {
        const now = clock.now();
        const row = {
          id: randomUUID(),
          ...propertyColumns(rule),
          creator: rule.creator,
          created_at: now,
          updated_at: now,
        };
        await transaction.insertInto('alert_rules').values(row).execute();
        await transaction.insertInto('alert_rule_states').values(newState(row.id, now)).execute();
        return fromRow(row);
      }),

    update: (
      id: string,
      properties: AlertRuleProperties | ((before: AlertRuleRecord) => AlertRuleProperties),
    ): Promise<AlertRuleRecord | undefined> =>
      write(async (transaction) => {
        const before = await lockedRow(transaction, 'alert_rules', id);
        if (before === undefined) return undefined;
        const wanted = typeof properties === 'function' ? properties(fromRow(before)) : properties;
        const columns = { ...propertyColumns(wanted), updated_at: clock.now() };
        const row = await changedRow(transaction, 'alert_rules', id, columns);
        return row && fromRow(row);
      }),

    remove: (id: string): Promise<boolean> =>
      write(async (transaction) => {
        const result = await transaction.deleteFrom('alert_rules').where('id', '=', id).executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

function createRuleReads(db: Kysely<Database>) {
  const rules = () => db.selectFrom('alert_rules').selectAll().orderBy('created_at').orderBy('id');
  return {
    async find(id: string): Promise<AlertRuleRecord | undefined> {
      const row = await db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
    list: async (): Promise<readonly AlertRuleRecord[]> => (await rules().execute()).map(fromRow),
    listByStream: async (streamId: string): Promise<readonly AlertRuleRecord[]> =>
      (await rules().where('stream_id', '=', streamId).execute()).map(fromRow),
    async revision(): Promise<string> {
      const row = await db
        .selectFrom('cluster_settings')
        .select('value')
        .where('key', '=', REVISION)
        .executeTakeFirst();
      return row === undefined ? '' : String(readJson(row.value));
    },
    async states(ruleId?: string): Promise<readonly AlertRuleState[]> {
      let query = db.selectFrom('alert_rule_states').selectAll();
      if (ruleId !== undefined) query = query.where('rule_id', '=', ruleId);
      return (await query.orderBy('rule_id').execute()).map(stateFromRow);
    },
  };
}

function createStateWrites(db: Kysely<Database>, clock: Clock) {
  return {
    async advance(ruleId: string, from: number, until: number, attemptedAt: number): Promise<boolean> {
      const result = await db
        .updateTable('alert_rule_states')
        .set({ evaluated_until: until, attempted_at: attemptedAt, failures: 0, last_error: null })
        .where('rule_id', '=', ruleId)
        .where('evaluated_until', '=', from)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async failed(ruleId: string, error: string, attemptedAt: number): Promise<number | undefined> {
      const row = await db
        .updateTable('alert_rule_states')
        .set((expression) => ({
          failures: expression('failures', '+', 1),
          last_error: error,
          attempted_at: attemptedAt,
        }))
        .where('rule_id', '=', ruleId)
        .returning('failures')
        .executeTakeFirst();
      return row?.failures;
    },

    async mute(ruleId: string, until: number | null): Promise<boolean> {
      return inTransaction(db, async (transaction) => {
        const result = await transaction
          .updateTable('alert_rule_states')
          .set({ muted_until: until })
          .where('rule_id', '=', ruleId)
          .executeTakeFirst();
        await changeRevision(transaction, clock);
        return result.numUpdatedRows > 0n;
      });
    },

    async restart(ruleId: string, at: number, from?: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        let change = transaction
          .updateTable('alert_rule_states')
          .set({ evaluated_until: at, attempted_at: at, failures: 0, last_error: null })
          .where('rule_id', '=', ruleId);
        if (from !== undefined) change = change.where('evaluated_until', '=', from);
        await change.execute();
        await changeRevision(transaction, clock);
      });
    },
  };
}

async function changeRevision(db: Kysely<Database>, clock: Clock): Promise<void> {
  const row = { value: writeJson<unknown>(newEntityId(clock.now())), updated_at: clock.now() };
  await db
    .insertInto('cluster_settings')
    .values({ key: REVISION, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

function newState(ruleId: string, now: number) {
  return {
    rule_id: ruleId,
    evaluated_until: now,
    attempted_at: now,
    failures: 0,
    last_error: null,
    muted_until: null,
  };
}

function propertyColumns(rule: AlertRuleProperties) {
  const { streams, condition, schedule, notifiesStream, notifications, priority, isAlert, extras } = rule;
  const content = {
    streams,
    condition,
    schedule,
    notifiesStream,
    notifications,
    priority,
    isAlert,
    extras,
  };
  return {
    stream_id: streams.length === 1 ? (streams[0] ?? null) : null,
    title: rule.title,
    description: rule.description,
    enabled: rule.enabled,
    content: writeJson(content),
  };
}

function fromRow(row: Selectable<AlertRulesTable>): AlertRuleRecord {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creator: row.creator,
    enabled: readBoolean(row.enabled),
    ...readJson(row.content),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function stateFromRow(row: Selectable<AlertRuleStatesTable>): AlertRuleState {
  return {
    ruleId: row.rule_id,
    evaluatedUntil: row.evaluated_until,
    attemptedAt: row.attempted_at,
    failures: row.failures,
    lastError: row.last_error,
    mutedUntil: row.muted_until,
  };
}
