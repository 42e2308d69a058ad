import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { LookupDefault, LookupPartsTable, LookupTablesTable } from '../tables/lookup.ts';
import { changedRow, lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

export interface LookupPartProperties {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** A data adapter or a cache. */
export interface LookupPartRecord extends LookupPartProperties {
  readonly id: string;
}

export interface LookupTableProperties {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly cacheId: string;
  readonly adapterId: string;
  readonly defaultSingle: LookupDefault;
  readonly defaultMulti: LookupDefault;
}

export interface LookupTableRecord extends LookupTableProperties {
  readonly id: string;
}

/** What tables, adapters and caches have in common. Names are unique among each of them. */
export interface LookupRepository<Properties, Record> {
  /** Rejects with `ConflictError` if the name is taken. @param id for secrets that are bound to it */
  insert(properties: Properties, id?: string): Promise<Record>;
  /** Undefined if the id is unknown. Rejects as `insert` does. `check` throws to refuse it. */
  update(id: string, properties: Properties, check?: (before: Record) => void): Promise<Record | undefined>;
  /** False if the id is unknown. Rejects with `ConflictError` while a table uses it. */
  remove(id: string): Promise<boolean>;
  /** Sorted by name. */
  list(): Promise<readonly Record[]>;
}

export type LookupPartsRepository = LookupRepository<LookupPartProperties, LookupPartRecord>;
export type LookupTablesRepository = LookupRepository<LookupTableProperties, LookupTableRecord>;

export function createLookupPartsRepository(
  db: Kysely<Database>,
  clock: Clock,
  table: 'lookup_adapters' | 'lookup_caches',
): LookupPartsRepository {
  const columnsOf = ({ configuration, ...rest }: LookupPartProperties) => ({
    ...rest,
    configuration: writeJson(configuration),
  });
  return {
    async insert(properties, id = newEntityId(clock.now())) {
      const times = { created_at: clock.now(), updated_at: clock.now() };
      const row = { id, ...columnsOf(properties), ...times };
      await db.insertInto(table).values(row).execute();
      return partOf(row);
    },
    update: (id, properties, check) =>
      inTransaction(db, async (transaction) => {
        const before = await lockedRow(transaction, table, id);
        if (before === undefined) return undefined;
        check?.(partOf(before));
        const columns = { ...columnsOf(properties), updated_at: clock.now() };
        const after = await changedRow(transaction, table, id, columns);
        return after && partOf(after);
      }),
    async remove(id) {
      const result = await db.deleteFrom(table).where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async list() {
      const rows = await db.selectFrom(table).selectAll().orderBy('name').execute();
      return rows.map(partOf);
    },
  };
}

export function createLookupTablesRepository(db: Kysely<Database>, clock: Clock): LookupTablesRepository {
  return {
    async insert(properties, id = newEntityId(clock.now())) {
      const times = { created_at: clock.now(), updated_at: clock.now() };
      const row = { id, ...tableColumnsOf(properties), ...times };
      await db.insertInto('lookup_tables').values(row).execute();
      return tableOf(row);
    },
    update: (id, properties, check) =>
      inTransaction(db, async (transaction) => {
        const before = await lockedRow(transaction, 'lookup_tables', id);
        if (before === undefined) return undefined;
        check?.(tableOf(before));
        const columns = { ...tableColumnsOf(properties), updated_at: clock.now() };
        const after = await changedRow(transaction, 'lookup_tables', id, columns);
        return after && tableOf(after);
      }),
    async remove(id) {
      const result = await db.deleteFrom('lookup_tables').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async list() {
      const rows = await db.selectFrom('lookup_tables').selectAll().orderBy('name').execute();
      return rows.map(tableOf);
    },
  };
}

function partOf(row: Selectable<LookupPartsTable>): LookupPartRecord {
  const { id, name, title, description, type } = row;
  return { id, name, title, description, type, configuration: readJson(row.configuration) };
}

function tableColumnsOf(properties: LookupTableProperties) {
  const { name, title, description, cacheId, adapterId, defaultSingle, defaultMulti } = properties;
  return {
    name,
    title,
    description,
    cache_id: cacheId,
    adapter_id: adapterId,
    default_single: writeJson(defaultSingle),
    default_multi: writeJson(defaultMulti),
  };
}

function tableOf(row: Selectable<LookupTablesTable>): LookupTableRecord {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    cacheId: row.cache_id,
    adapterId: row.adapter_id,
    defaultSingle: readJson(row.default_single),
    defaultMulti: readJson(row.default_multi),
  };
}
