import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readBoolean, readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { DesiredInputState, InputsTable } from '../tables/inputs.ts';
import { changedRow, lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

/** The properties of an input that users define and can change. */
export interface InputProperties {
  readonly title: string;
  /** The short id of its type, such as `gelf-tcp`. */
  readonly type: string;
  /** Whether it runs on all nodes. */
  readonly global: boolean;
  /** The node it runs on; null for a global input. */
  readonly nodeId: string | null;
  readonly configuration: Readonly<Record<string, unknown>>;
}

export interface NewInput extends InputProperties {
  /** For callers that must know it before the input is stored; otherwise it gets a new one. */
  readonly id?: string;
  /** The name of the user who created it. */
  readonly creator: string;
  readonly contentPack: string | null;
  /** Whether it should run. Survives restarts. */
  readonly desiredState: DesiredInputState;
}

export interface InputRecord extends NewInput {
  readonly id: string;
  readonly createdAt: number;
  readonly staticFields: Readonly<Record<string, string>>;
}

/** The inputs of all nodes: their configuration and whether they should run. */
export interface InputsRepository {
  insert(input: NewInput): Promise<InputRecord>;
  /**
   * Replaces all properties. Returns the changed input, or undefined if the id is unknown. `check` sees the input as it
   * is before the change, in the same transaction; when it throws, nothing is changed.
   */
  update(
    id: string,
    properties: InputProperties,
    check?: (before: InputProperties) => void,
  ): Promise<InputRecord | undefined>;
  /** Replaces the configuration if it is still `expected`; false if it is not. */
  replaceConfiguration(
    id: string,
    expected: InputProperties['configuration'],
    configuration: InputProperties['configuration'],
  ): Promise<boolean>;
  /** False if the id is unknown. */
  setDesiredState(id: string, state: DesiredInputState): Promise<boolean>;
  /** Also removes its static fields. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<InputRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly InputRecord[]>;
  /** Adds the field or replaces its value. Rejects with `ConflictError` if the input does not exist. */
  setStaticField(id: string, name: string, value: string): Promise<void>;
  /** False if there is no such field. */
  removeStaticField(id: string, name: string): Promise<boolean>;
}

export function createInputsRepository(db: Kysely<Database>, clock: Clock): InputsRepository {
  return { ...createInputWrites(db, clock), ...createInputReads(db), ...createStaticFields(db) };
}

function createInputWrites(db: Kysely<Database>, clock: Clock) {
  return {
    async insert(input: NewInput): Promise<InputRecord> {
      const row = {
        id: input.id ?? newEntityId(clock.now()),
        ...propertyColumns(input),
        desired_state: input.desiredState,
        creator: input.creator,
        content_pack: input.contentPack,
        created_at: clock.now(),
      };
      await db.insertInto('inputs').values(row).execute();
      return fromRow(row, {});
    },

    update: (
      id: string,
      properties: InputProperties,
      check?: (before: InputProperties) => void,
    ): Promise<InputRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        if (check !== undefined) {
          const before = await lockedRow(transaction, 'inputs', id);
          if (before === undefined) return undefined;
          check(fromRow(before, {}));
        }
        const row = await changedRow(transaction, 'inputs', id, propertyColumns(properties));
        return row && fromRow(row, (await staticFieldsOf(transaction, id)).get(id) ?? {});
      }),

    async replaceConfiguration(
      id: string,
      expected: InputProperties['configuration'],
      configuration: InputProperties['configuration'],
    ): Promise<boolean> {
      const result = await db
        .updateTable('inputs')
        .set({ configuration: writeJson(configuration) })
        .where('id', '=', id)
        .where('configuration', '=', writeJson(expected))
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async setDesiredState(id: string, state: DesiredInputState): Promise<boolean> {
      const result = await db
        .updateTable('inputs')
        .set({ desired_state: state })
        .where('id', '=', id)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(id: string): Promise<boolean> {
      const result = await db.deleteFrom('inputs').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function createInputReads(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<InputRecord | undefined> {
      const row = await db.selectFrom('inputs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row, (await staticFieldsOf(db, id)).get(id) ?? {});
    },

    async list(): Promise<readonly InputRecord[]> {
      const rows = await db
        .selectFrom('inputs')
        .selectAll()
        .orderBy('created_at')
        // Inputs created at the first start share a timestamp.
        .orderBy('title')
        .orderBy('id')
        .execute();
      const staticFields = await staticFieldsOf(db);
      return rows.map((row) => fromRow(row, staticFields.get(row.id) ?? {}));
    },
  };
}

function createStaticFields(db: Kysely<Database>) {
  return {
    async setStaticField(id: string, name: string, value: string): Promise<void> {
      await db
        .insertInto('input_static_fields')
        .values({ input_id: id, name, value })
        .onConflict((conflict) => conflict.columns(['input_id', 'name']).doUpdateSet({ value }))
        .execute();
    },

    async removeStaticField(id: string, name: string): Promise<boolean> {
      const result = await db
        .deleteFrom('input_static_fields')
        .where('input_id', '=', id)
        .where('name', '=', name)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

/** The static fields of one input or of all, by input and sorted by name. */
async function staticFieldsOf(
  db: Kysely<Database>,
  inputId?: string,
): Promise<Map<string, Record<string, string>>> {
  let query = db.selectFrom('input_static_fields').selectAll();
  if (inputId !== undefined) query = query.where('input_id', '=', inputId);
  const fields = new Map<string, [string, string][]>();
  for (const { input_id, name, value } of await query.orderBy('input_id').orderBy('name').execute()) {
    const entries = fields.get(input_id);
    if (entries === undefined) fields.set(input_id, [[name, value]]);
    else entries.push([name, value]);
  }
  // `fromEntries` also handles a field called `__proto__`.
  return new Map([...fields].map(([id, entries]) => [id, Object.fromEntries(entries)]));
}

function propertyColumns(properties: InputProperties) {
  return {
    title: properties.title,
    type: properties.type,
    global: properties.global,
    node_id: properties.nodeId,
    configuration: writeJson(properties.configuration),
  };
}

function fromRow(row: Selectable<InputsTable>, staticFields: Readonly<Record<string, string>>): InputRecord {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    global: readBoolean(row.global),
    nodeId: row.node_id,
    configuration: readJson(row.configuration),
    desiredState: row.desired_state,
    creator: row.creator,
    contentPack: row.content_pack,
    createdAt: row.created_at,
    staticFields,
  };
}
