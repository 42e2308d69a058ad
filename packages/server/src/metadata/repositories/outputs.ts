import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { DesiredOutputState, OutputsTable } from '../tables/outputs.ts';
import { changedRow, lockedRow } from './row.ts';
import { changeStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

/** The properties of an output that users define and can change. */
export interface OutputProperties {
  readonly title: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

export interface NewOutput extends OutputProperties {
  /** For callers that must know it before the output is stored; otherwise it gets a new one. */
  readonly id?: string;
  /** The short id of its type, such as `gelf`. */
  readonly type: string;
  /** The name of the user who created it. */
  readonly creator: string;
  readonly contentPack: string | null;
  /** Whether it should send. Survives restarts. */
  readonly desiredState: DesiredOutputState;
}

export interface OutputRecord extends NewOutput {
  readonly id: string;
  readonly createdAt: number;
}

/** The outputs of the cluster. Which streams use them is stored with the streams. */
export interface OutputsRepository {
  insert(output: NewOutput): Promise<OutputRecord>;
  /** Replaces all properties. Returns the changed output, or undefined if the id is unknown. */
  update(
    id: string,
    properties: OutputProperties,
    check?: (before: OutputRecord) => void,
  ): Promise<OutputRecord | undefined>;
  /** Whether the state changed. */
  setDesiredState(id: string, state: DesiredOutputState): Promise<boolean>;
  /** Also detaches it from all streams. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<OutputRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly OutputRecord[]>;
}

export function createOutputsRepository(db: Kysely<Database>, clock: Clock): OutputsRepository {
  return {
    async insert(output) {
      const row = {
        id: output.id ?? newEntityId(clock.now()),
        title: output.title,
        type: output.type,
        configuration: writeJson(output.configuration),
        desired_state: output.desiredState,
        creator: output.creator,
        content_pack: output.contentPack,
        created_at: clock.now(),
      };
      await db.insertInto('outputs').values(row).execute();
      return fromRow(row);
    },

    update: (id, { title, configuration }, check) =>
      inTransaction(db, async (transaction) => {
        if (check !== undefined) {
          const before = await lockedRow(transaction, 'outputs', id);
          if (before === undefined) return undefined;
          check(fromRow(before));
        }
        const columns = { title, configuration: writeJson(configuration) };
        const row = await changedRow(transaction, 'outputs', id, columns);
        return row && fromRow(row);
      }),

    async setDesiredState(id, state) {
      const result = await db
        .updateTable('outputs')
        .set({ desired_state: state })
        .where('id', '=', id)
        .where('desired_state', '!=', state)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    remove: (id) =>
      inTransaction(db, async (transaction) => {
        const result = await transaction.deleteFrom('outputs').where('id', '=', id).executeTakeFirst();
        // Streams that had the output have changed.
        await changeStreamsRevision(transaction, clock);
        return result.numDeletedRows > 0n;
      }),

    async find(id) {
      const row = await db.selectFrom('outputs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list() {
      const rows = await db.selectFrom('outputs').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(fromRow);
    },
  };
}

function fromRow(row: Selectable<OutputsTable>): OutputRecord {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    configuration: readJson(row.configuration),
    desiredState: row.desired_state,
    creator: row.creator,
    contentPack: row.content_pack,
    createdAt: row.created_at,
  };
}
