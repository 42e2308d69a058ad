import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { writeJson } from '../columns.ts';
import type { GrokPatternsTable } from '../tables/grok-patterns.ts';
import type { Database } from '../tables/index.ts';
import { changedRow, lockedRow } from './row.ts';
import { changeStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

export interface GrokPatternProperties {
  readonly name: string;
  readonly pattern: string;
}

export interface GrokPatternRecord extends GrokPatternProperties {
  readonly id: string;
  readonly contentPack: string | null;
}

/** Named patterns. Every change is a change of streams, too. */
export interface GrokPatternsRepository {
  /** Adds these, once in the life of a database: what people delete stays deleted. False: that was done before. */
  seed(patterns: readonly GrokPatternProperties[]): Promise<boolean>;
  /** Rejects with `ConflictError` if the name is taken. */
  insert(pattern: GrokPatternProperties): Promise<GrokPatternRecord>;
  /** Undefined if the id is unknown. Rejects as `insert` does. `check` throws to refuse it. */
  update(
    id: string,
    pattern: GrokPatternProperties,
    check?: (before: GrokPatternRecord) => void,
  ): Promise<GrokPatternRecord | undefined>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  /**
   * Adds them all; one whose name exists replaces its pattern.
   * @param options.dropOthers all others are removed
   */
  import(
    patterns: readonly GrokPatternProperties[],
    options: { readonly dropOthers: boolean },
  ): Promise<void>;
  find(id: string): Promise<GrokPatternRecord | undefined>;
  /** Sorted by name. */
  list(): Promise<readonly GrokPatternRecord[]>;
}

const SEEDED = 'grok_patterns_seeded';

export function createGrokPatternsRepository(db: Kysely<Database>, clock: Clock): GrokPatternsRepository {
  const rowOf = ({ name, pattern }: GrokPatternProperties) => {
    const now = clock.now();
    return { id: newEntityId(now), name, pattern, content_pack: null, created_at: now, updated_at: now };
  };

  return {
    seed: (patterns) =>
      inTransaction(db, async (tx) => {
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto('cluster_settings')
          .values({ key: SEEDED, value: writeJson<unknown>(true), updated_at: clock.now() })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return false;
        for (const pattern of patterns) {
          await tx
            .insertInto('grok_patterns')
            .values(rowOf(pattern))
            .onConflict((conflict) => conflict.column('name').doNothing())
            .execute();
        }
        await changeStreamsRevision(tx, clock);
        return true;
      }),

    insert: (pattern) =>
      inTransaction(db, async (tx) => {
        const row = rowOf(pattern);
        await tx.insertInto('grok_patterns').values(row).execute();
        await changeStreamsRevision(tx, clock);
        return fromRow(row);
      }),

    update: (id, { name, pattern }, check) =>
      inTransaction(db, async (tx) => {
        const before = await lockedRow(tx, 'grok_patterns', id);
        if (before === undefined) return undefined;
        check?.(fromRow(before));
        const columns = { name, pattern, updated_at: clock.now() };
        const row = await changedRow(tx, 'grok_patterns', id, columns);
        await changeStreamsRevision(tx, clock);
        return row && fromRow(row);
      }),

    remove: (id) =>
      inTransaction(db, async (tx) => {
        const result = await tx.deleteFrom('grok_patterns').where('id', '=', id).executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numDeletedRows > 0n;
      }),

    import: (patterns, { dropOthers }) =>
      inTransaction(db, async (tx) => {
        if (dropOthers) await tx.deleteFrom('grok_patterns').execute();
        for (const each of patterns) {
          const { pattern, updated_at } = rowOf(each);
          await tx
            .insertInto('grok_patterns')
            .values(rowOf(each))
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ pattern, updated_at }))
            .execute();
        }
        await changeStreamsRevision(tx, clock);
      }),

    async find(id) {
      const row = await db.selectFrom('grok_patterns').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list() {
      const rows = await db.selectFrom('grok_patterns').selectAll().orderBy('name').execute();
      return rows.map(fromRow);
    },
  };
}

function fromRow({ id, name, pattern, content_pack }: Selectable<GrokPatternsTable>): GrokPatternRecord {
  return { id, name, pattern, contentPack: content_pack };
}
