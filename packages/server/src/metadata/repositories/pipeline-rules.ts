import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import type { Database } from '../tables/index.ts';
import type { PipelineRulesTable } from '../tables/pipelines.ts';
import { columnsOf, type PipelineProperties, type PipelineRecord, pipelineOf } from './pipelines.ts';
import { changedRow, lockedRow } from './row.ts';
import { changeStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

export interface PipelineRuleRecord extends PipelineRecord {
  /** Why it does not run; null while it does. */
  readonly disabledReason: string | null;
}

/** The rules of pipelines. Every change is a change of streams, too. */
export interface PipelineRulesRepository {
  /** Rejects with `ConflictError` if the title is taken. */
  insert(rule: PipelineProperties): Promise<PipelineRuleRecord>;
  /**
   * Also enables it. Undefined if the id is unknown. Rejects as `insert` does. `look` sees what is stored until then, and
   * nobody else changes it in between; nothing is stored when it throws.
   */
  update(
    id: string,
    rule: PipelineProperties,
    look?: (stored: PipelineRuleRecord) => void,
  ): Promise<PipelineRuleRecord | undefined>;
  /** False if the id is unknown, or it was disabled before. */
  disable(id: string, reason: string): Promise<boolean>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<PipelineRuleRecord | undefined>;
  /** Sorted by title. */
  list(): Promise<readonly PipelineRuleRecord[]>;
}

export function createPipelineRulesRepository(db: Kysely<Database>, clock: Clock): PipelineRulesRepository {
  return {
    insert: (rule) =>
      inTransaction(db, async (tx) => {
        const now = clock.now();
        const times = { created_at: now, updated_at: now };
        const row = { id: newEntityId(now), ...columnsOf(rule), disabled_reason: null, ...times };
        await tx.insertInto('pipeline_rules').values(row).execute();
        await changeStreamsRevision(tx, clock);
        return fromRow(row);
      }),

    update: (id, rule, look) =>
      inTransaction(db, async (tx) => {
        if (look !== undefined) {
          const stored = await lockedRow(tx, 'pipeline_rules', id);
          if (stored === undefined) return undefined;
          look(fromRow(stored));
        }
        const columns = { ...columnsOf(rule), disabled_reason: null, updated_at: clock.now() };
        const row = await changedRow(tx, 'pipeline_rules', id, columns);
        if (row !== undefined) await changeStreamsRevision(tx, clock);
        return row && fromRow(row);
      }),

    disable: (id, reason) =>
      inTransaction(db, async (tx) => {
        const result = await tx
          .updateTable('pipeline_rules')
          .set({ disabled_reason: reason })
          .where('id', '=', id)
          .where('disabled_reason', 'is', null)
          .executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numUpdatedRows > 0n;
      }),

    remove: (id) =>
      inTransaction(db, async (tx) => {
        const result = await tx.deleteFrom('pipeline_rules').where('id', '=', id).executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numDeletedRows > 0n;
      }),

    async find(id) {
      const row = await db.selectFrom('pipeline_rules').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list() {
      const rows = await db.selectFrom('pipeline_rules').selectAll().orderBy('title').execute();
      return rows.map(fromRow);
    },
  };
}

function fromRow(row: Selectable<PipelineRulesTable>): PipelineRuleRecord {
  return { ...pipelineOf(row), disabledReason: row.disabled_reason };
}
