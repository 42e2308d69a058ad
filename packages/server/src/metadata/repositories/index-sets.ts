import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readBoolean, readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type {
  IndexSetsTable,
  StoredDataTiering,
  StoredFieldTypes,
  StoredStrategy,
} from '../tables/index-sets.ts';
import { insertIndex, nextIndexVersion } from './indices.ts';
import { lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

/** The properties of an index set that users define and can change. */
export interface IndexSetProperties {
  readonly title: string;
  readonly description: string | null;
  readonly shards: number;
  readonly replicas: number;
  readonly rotation: StoredStrategy;
  readonly retention: StoredStrategy;
  readonly dataTiering: StoredDataTiering | null;
  /** Whether messages may be routed into it. */
  readonly writable: boolean;
  readonly maxSegments: number;
  readonly optimizationDisabled: boolean;
  readonly fieldTypeRefreshMs: number;
}

export interface NewIndexSet extends IndexSetProperties {
  readonly prefix: string;
  readonly analyzer: string;
}

export interface IndexSetRecord extends NewIndexSet {
  readonly id: string;
  readonly isDefault: boolean;
  readonly fieldTypes: StoredFieldTypes;
  /** It is being deleted with its data. The record stays until deletion is complete, so that it survives a crash. */
  readonly deleting: boolean;
  readonly createdAt: number;
}

/** Index sets: where messages are stored and for how long. Each is created with an index 0. */
export interface IndexSetsRepository {
  /**
   * Rejects with `ConflictError` if the prefix is taken. `check` sees all sets that are stored, and throws to refuse the new
   * one: nobody else, on no node, stores one in between.
   */
  insert(indexSet: NewIndexSet, check?: (stored: readonly IndexSetRecord[]) => void): Promise<IndexSetRecord>;
  /**
   * For the index sets of every installation. Does nothing if the id or prefix exists, nor for a default while there is
   * another: somebody has deleted this one.
   */
  insertBuiltIn(indexSet: NewIndexSet & { readonly id: string; readonly isDefault: boolean }): Promise<void>;
  /** `check` sees what is stored, and throws to keep it. */
  update(
    id: string,
    properties: IndexSetProperties,
    check?: (stored: IndexSetRecord) => void,
  ): Promise<IndexSetRecord | undefined>;
  /** Stores what `change` makes of the types that fields have now, and returns it; `change` throws to keep them. */
  changeFieldTypes(
    id: string,
    change: (types: StoredFieldTypes) => StoredFieldTypes,
  ): Promise<StoredFieldTypes | undefined>;
  /** Makes it the only default. False if it does not exist, is not writable or is being deleted. */
  setDefault(id: string): Promise<boolean>;
  /** False if it does not exist, is the default or is already being deleted. */
  markDeleting(id: string): Promise<boolean>;
  /** Also removes its indices and fields. False if it does not exist or is the default. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<IndexSetRecord | undefined>;
  /** Oldest first, including those being deleted. */
  list(): Promise<readonly IndexSetRecord[]>;
}

export function createIndexSetsRepository(db: Kysely<Database>, clock: Clock): IndexSetsRepository {
  return {
    ...createIndexSetInserts(db, clock),
    ...createIndexSetWrites(db),
    ...createFieldTypeWrites(db),
    ...createIndexSetReads(db),
  };
}

function createIndexSetInserts(db: Kysely<Database>, clock: Clock) {
  return {
    insert: (
      indexSet: NewIndexSet,
      check?: (stored: readonly IndexSetRecord[]) => void,
    ): Promise<IndexSetRecord> =>
      inTransaction(db, async (transaction) => {
        // Its lock comes first: of two that are created at the same time, the second one is checked against the first.
        const version = await nextIndexVersion(transaction);
        if (check !== undefined) check(await createIndexSetReads(transaction).list());
        const row = newRow(indexSet, newEntityId(clock.now()), false, clock);
        await transaction.insertInto('index_sets').values(row).execute();
        await insertIndex(transaction, clock, row.id, 0, version);
        return fromRow(row);
      }),

    insertBuiltIn: (indexSet: NewIndexSet & { id: string; isDefault: boolean }): Promise<void> =>
      inTransaction(db, async (transaction) => {
        if (indexSet.isDefault && (await hasDefault(transaction))) return;
        const row = newRow(indexSet, indexSet.id, indexSet.isDefault, clock);
        const result = await transaction
          .insertInto('index_sets')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return;
        await insertIndex(transaction, clock, row.id, 0, await nextIndexVersion(transaction));
      }),
  };
}

async function hasDefault(db: Kysely<Database>): Promise<boolean> {
  const query = db.selectFrom('index_sets').select('id').where('is_default', '=', true).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

function createIndexSetWrites(db: Kysely<Database>) {
  return {
    update: (
      id: string,
      properties: IndexSetProperties,
      check?: (stored: IndexSetRecord) => void,
    ): Promise<IndexSetRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        if (check !== undefined) {
          const stored = await lockedRow(transaction, 'index_sets', id);
          if (stored === undefined) return undefined;
          check(fromRow(stored));
        }
        const row = await transaction
          .updateTable('index_sets')
          .set(propertyColumns(properties))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row && fromRow(row);
      }),

    setDefault: (id: string): Promise<boolean> =>
      inTransaction(db, async (transaction) => {
        const made = await transaction
          .updateTable('index_sets')
          .set({ is_default: true })
          .where('id', '=', id)
          .where('deleting', '=', false)
          .where('writable', '=', true)
          .executeTakeFirst();
        if (made.numUpdatedRows === 0n) return false;
        await transaction
          .updateTable('index_sets')
          .set({ is_default: false })
          .where('id', '!=', id)
          .where('is_default', '=', true)
          .execute();
        return true;
      }),

    async markDeleting(id: string): Promise<boolean> {
      const result = await db
        .updateTable('index_sets')
        .set({ deleting: true })
        .where('id', '=', id)
        .where('is_default', '=', false)
        .where('deleting', '=', false)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(id: string): Promise<boolean> {
      const result = await db
        .deleteFrom('index_sets')
        .where('id', '=', id)
        .where('is_default', '=', false)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function createFieldTypeWrites(db: Kysely<Database>) {
  return {
    changeFieldTypes: (
      id: string,
      change: (types: StoredFieldTypes) => StoredFieldTypes,
    ): Promise<StoredFieldTypes | undefined> =>
      inTransaction(db, async (transaction) => {
        const stored = await lockedRow(transaction, 'index_sets', id);
        if (stored === undefined) return undefined;
        const changed = change(fromRow(stored).fieldTypes);
        await transaction
          .updateTable('index_sets')
          .set({ field_types: writeJson(changed) })
          .where('id', '=', id)
          .execute();
        return changed;
      }),
  };
}

function createIndexSetReads(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<IndexSetRecord | undefined> {
      const row = await db.selectFrom('index_sets').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list(): Promise<readonly IndexSetRecord[]> {
      const rows = await db
        .selectFrom('index_sets')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromRow);
    },
  };
}

function propertyColumns(properties: IndexSetProperties) {
  return {
    title: properties.title,
    description: properties.description,
    shards: properties.shards,
    replicas: properties.replicas,
    rotation: writeJson(properties.rotation),
    retention: writeJson(properties.retention),
    data_tiering: properties.dataTiering === null ? null : writeJson(properties.dataTiering),
    writable: properties.writable,
    max_segments: properties.maxSegments,
    optimization_disabled: properties.optimizationDisabled,
    field_type_refresh_ms: properties.fieldTypeRefreshMs,
  };
}

function newRow(indexSet: NewIndexSet, id: string, isDefault: boolean, clock: Clock) {
  return {
    id,
    ...propertyColumns(indexSet),
    prefix: indexSet.prefix,
    analyzer: indexSet.analyzer,
    is_default: isDefault,
    field_types: null,
    deleting: false,
    created_at: clock.now(),
  };
}

function fromRow(row: Selectable<IndexSetsTable>): IndexSetRecord {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    prefix: row.prefix,
    shards: row.shards,
    replicas: row.replicas,
    rotation: readJson(row.rotation),
    retention: readJson(row.retention),
    dataTiering: row.data_tiering === null ? null : readJson(row.data_tiering),
    fieldTypes: row.field_types === null ? {} : readJson(row.field_types),
    writable: readBoolean(row.writable),
    isDefault: readBoolean(row.is_default),
    analyzer: row.analyzer,
    maxSegments: row.max_segments,
    optimizationDisabled: readBoolean(row.optimization_disabled),
    fieldTypeRefreshMs: row.field_type_refresh_ms,
    deleting: readBoolean(row.deleting),
    createdAt: row.created_at,
  };
}
