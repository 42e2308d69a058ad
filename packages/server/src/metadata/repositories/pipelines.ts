import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import type { Database } from '../tables/index.ts';
import type { PipelinesTable } from '../tables/pipelines.ts';
import { lockedRow } from './row.ts';
import { changeStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

/** The properties of a pipeline that users define and can change. */
export interface PipelineProperties {
  /** The name in the source. Unique. */
  readonly title: string;
  readonly description: string;
  readonly source: string;
}

export interface PipelineRecord extends PipelineProperties {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface PipelineConnection {
  readonly streamId: string;
  /** Ascending. */
  readonly pipelineIds: readonly string[];
}

/** The pipelines of the cluster and the streams they are connected to. Every change is a change of streams, too. */
export interface PipelinesRepository {
  /** Rejects with `ConflictError` if the title is taken. */
  insert(pipeline: PipelineProperties): Promise<PipelineRecord>;
  /**
   * Undefined if the id is unknown. Rejects as `insert` does. `look` sees what is stored until then, and nobody else
   * changes it in between; nothing is stored when it throws.
   */
  update(
    id: string,
    pipeline: PipelineProperties,
    look?: (stored: PipelineRecord) => void,
  ): Promise<PipelineRecord | undefined>;
  /** Also disconnects it. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<PipelineRecord | undefined>;
  /** Sorted by title. */
  list(): Promise<readonly PipelineRecord[]>;
  /** Sorted by stream; only streams with pipelines. */
  connections(): Promise<readonly PipelineConnection[]>;
  /** Replaces the pipelines of a stream, except those that are kept in any case. */
  connectStream(
    streamId: string,
    pipelineIds: readonly string[],
    isKept?: (pipelineId: string) => boolean,
  ): Promise<void>;
  /** Replaces the streams of a pipeline, except those that are kept in any case. */
  connectPipeline(
    pipelineId: string,
    streamIds: readonly string[],
    isKept?: (streamId: string) => boolean,
  ): Promise<void>;
}

/** Shows what is stored, if anything; nobody else changes it until the transaction ends. */
async function showStored(
  tx: Kysely<Database>,
  id: string,
  look: (stored: PipelineRecord) => void,
): Promise<void> {
  const stored = await lockedRow(tx, 'pipelines', id);
  if (stored !== undefined) look(pipelineOf(stored));
}

export function createPipelinesRepository(db: Kysely<Database>, clock: Clock): PipelinesRepository {
  return {
    insert: (pipeline) =>
      inTransaction(db, async (tx) => {
        const now = clock.now();
        const row = { id: newEntityId(now), ...columnsOf(pipeline), created_at: now, updated_at: now };
        await tx.insertInto('pipelines').values(row).execute();
        await changeStreamsRevision(tx, clock);
        return pipelineOf(row);
      }),

    update: (id, pipeline, look) =>
      inTransaction(db, async (tx) => {
        if (look !== undefined) await showStored(tx, id, look);
        const row = await tx
          .updateTable('pipelines')
          .set({ ...columnsOf(pipeline), updated_at: clock.now() })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) await changeStreamsRevision(tx, clock);
        return row && pipelineOf(row);
      }),

    remove: (id) =>
      inTransaction(db, async (tx) => {
        const result = await tx.deleteFrom('pipelines').where('id', '=', id).executeTakeFirst();
        await changeStreamsRevision(tx, clock);
        return result.numDeletedRows > 0n;
      }),

    async find(id) {
      const row = await db.selectFrom('pipelines').selectAll().where('id', '=', id).executeTakeFirst();
      return row && pipelineOf(row);
    },

    async list() {
      const rows = await db.selectFrom('pipelines').selectAll().orderBy('title').execute();
      return rows.map(pipelineOf);
    },

    async connections() {
      const rows = await db
        .selectFrom('pipeline_connections')
        .selectAll()
        .orderBy('stream_id')
        .orderBy('pipeline_id')
        .execute();
      const byStream = new Map<string, string[]>();
      for (const { stream_id, pipeline_id } of rows) {
        byStream.set(stream_id, [...(byStream.get(stream_id) ?? []), pipeline_id]);
      }
      return [...byStream].map(([streamId, pipelineIds]) => ({ streamId, pipelineIds }));
    },

    connectStream: (streamId, pipelineIds, isKept = () => false) =>
      inTransaction(db, async (tx) => {
        const before = await disconnect(tx, 'stream_id', streamId);
        const kept = before.map(({ pipeline_id }) => pipeline_id).filter(isKept);
        const all = new Set([...pipelineIds, ...kept]);
        const rows = [...all].map((id) => ({ stream_id: streamId, pipeline_id: id }));
        if (rows.length > 0) await tx.insertInto('pipeline_connections').values(rows).execute();
        await changeStreamsRevision(tx, clock);
      }),

    connectPipeline: (pipelineId, streamIds, isKept = () => false) =>
      inTransaction(db, async (tx) => {
        const before = await disconnect(tx, 'pipeline_id', pipelineId);
        const kept = before.map(({ stream_id }) => stream_id).filter(isKept);
        const all = new Set([...streamIds, ...kept]);
        const rows = [...all].map((id) => ({ stream_id: id, pipeline_id: pipelineId }));
        if (rows.length > 0) await tx.insertInto('pipeline_connections').values(rows).execute();
        await changeStreamsRevision(tx, clock);
      }),
  };
}

/** Answers with the connections there were. */
function disconnect(tx: Kysely<Database>, side: 'stream_id' | 'pipeline_id', id: string) {
  return tx.deleteFrom('pipeline_connections').where(side, '=', id).returningAll().execute();
}

export function columnsOf({ title, description, source }: PipelineProperties) {
  return { title, description, source };
}

export function pipelineOf(row: Selectable<PipelinesTable>): PipelineRecord {
  const { id, title, description, source } = row;
  return { id, title, description, source, createdAt: row.created_at, updatedAt: row.updated_at };
}
