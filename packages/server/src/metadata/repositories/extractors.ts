import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type {
  CursorStrategy,
  ExtractorConditionType,
  ExtractorsTable,
  StoredConverter,
} from '../tables/extractors.ts';
import type { Database } from '../tables/index.ts';
import { changedRow, lockedRow } from './row.ts';
import { changeStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

/** The properties of an extractor that users define and can change. */
export interface ExtractorProperties {
  readonly title: string;
  readonly type: string;
  readonly cursorStrategy: CursorStrategy;
  readonly sourceField: string;
  /** Empty for types whose pieces name their own fields. */
  readonly targetField: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly converters: readonly StoredConverter[];
  readonly conditionType: ExtractorConditionType;
  readonly conditionValue: string;
  /** Extractors of an input run by this number, equal ones by age. */
  readonly position: number;
}

export interface NewExtractor extends ExtractorProperties {
  readonly inputId: string;
  /** The name of the user who created it. */
  readonly creator: string;
}

export interface ExtractorRecord extends NewExtractor {
  readonly id: string;
  readonly createdAt: number;
  /** Why it does not run; null while it does. */
  readonly disabledReason: string | null;
}

/** The extractors of inputs; they go with their input. Every change is a change of streams, too. */
export interface ExtractorsRepository {
  /** All or none. Rejects with `ConflictError` if the input does not exist. */
  insert(extractors: readonly NewExtractor[]): Promise<readonly ExtractorRecord[]>;
  /** Also enables it. Undefined if the id is unknown. `check` throws to refuse it. */
  update(
    id: string,
    properties: ExtractorProperties,
    check?: (before: ExtractorRecord) => void,
  ): Promise<ExtractorRecord | undefined>;
  /** Sets the positions of some extractors of an input; ids of others are ignored. */
  setPositions(inputId: string, positions: ReadonlyMap<string, number>): Promise<void>;
  /** False if the id is unknown, or it was disabled before. */
  disable(id: string, reason: string): Promise<boolean>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<ExtractorRecord | undefined>;
  /** Of one input or of all, in the order in which they run. */
  list(inputId?: string): Promise<readonly ExtractorRecord[]>;
}

export function createExtractorsRepository(db: Kysely<Database>, clock: Clock): ExtractorsRepository {
  return { ...createWrites(db, clock), ...createReads(db) };
}

function createReads(db: Kysely<Database>) {
  return {
    async find(id: string) {
      const row = await db.selectFrom('extractors').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list(inputId?: string) {
      let query = db.selectFrom('extractors').selectAll();
      if (inputId !== undefined) query = query.where('input_id', '=', inputId);
      const rows = await query
        .orderBy('input_id')
        .orderBy('position')
        .orderBy('created_at')
        // Those of one import share a timestamp; their ids grow.
        .orderBy('id')
        .execute();
      return rows.map(fromRow);
    },
  };
}

function createWrites(db: Kysely<Database>, clock: Clock) {
  return {
    insert: (extractors: readonly NewExtractor[]) =>
      inTransaction(db, async (tx) => {
        const records: ExtractorRecord[] = [];
        for (const extractor of extractors) {
          const now = clock.now();
          const row = {
            id: newEntityId(now),
            input_id: extractor.inputId,
            ...columnsOf(extractor),
            creator: extractor.creator,
            disabled_reason: null,
            created_at: now,
          };
          await tx.insertInto('extractors').values(row).execute();
          records.push(fromRow(row));
        }
        await changeStreamsRevision(tx, clock);
        return records;
      }),

    update: (id: string, properties: ExtractorProperties, check?: (before: ExtractorRecord) => void) =>
      inTransaction(db, async (tx) => {
        const before = await lockedRow(tx, 'extractors', id);
        if (before === undefined) return undefined;
        check?.(fromRow(before));
        const row = await changedRow(tx, 'extractors', id, {
          ...columnsOf(properties),
          disabled_reason: null,
        });
        await changeStreamsRevision(tx, clock);
        return row && fromRow(row);
      }),

    setPositions: (inputId: string, positions: ReadonlyMap<string, number>) =>
      inTransaction(db, async (tx) => {
        for (const [id, position] of positions) {
          await tx
            .updateTable('extractors')
            .set({ position })
            .where('id', '=', id)
            .where('input_id', '=', inputId)
            .execute();
        }
        await changeStreamsRevision(tx, clock);
      }),

    disable: (id: string, reason: string) =>
      inTransaction(db, async (tx) => {
        const result = await tx
          .updateTable('extractors')
          .set({ disabled_reason: reason })
          .where('id', '=', id)
          .where('disabled_reason', 'is', null)
          .executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numUpdatedRows > 0n;
      }),

    remove: (id: string) =>
      inTransaction(db, async (tx) => {
        const result = await tx.deleteFrom('extractors').where('id', '=', id).executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numDeletedRows > 0n;
      }),
  };
}

function columnsOf(properties: ExtractorProperties) {
  return {
    title: properties.title,
    type: properties.type,
    cursor_strategy: properties.cursorStrategy,
    source_field: properties.sourceField,
    target_field: properties.targetField,
    configuration: writeJson(properties.configuration),
    converters: writeJson(properties.converters),
    condition_type: properties.conditionType,
    condition_value: properties.conditionValue,
    position: properties.position,
  };
}

function fromRow(row: Selectable<ExtractorsTable>): ExtractorRecord {
  return {
    id: row.id,
    inputId: row.input_id,
    title: row.title,
    type: row.type,
    cursorStrategy: row.cursor_strategy,
    sourceField: row.source_field,
    targetField: row.target_field,
    configuration: readJson(row.configuration),
    converters: readJson(row.converters),
    conditionType: row.condition_type,
    conditionValue: row.condition_value,
    position: row.position,
    creator: row.creator,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}
