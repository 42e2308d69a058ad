import { type Kysely, type Selectable, sql } from 'kysely';
import { readBoolean, readJson, writeJson } from '../columns.ts';
import type { DatabaseTime } from '../database-time.ts';
import type { Database } from '../tables/index.ts';
import type { NodesTable } from '../tables/nodes.ts';

export interface NodeRecord {
  /** The UUID in the node's data directory. */
  readonly nodeId: string;
  readonly hostname: string;
  /** Where other nodes reach its API. */
  readonly transportAddress: string;
  readonly version: string;
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly isLeader: boolean;
  /** Other information the node reports about itself. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a node reports about itself. The database adds the time. */
export type NodeBeat = Omit<NodeRecord, 'lastSeen'>;

export interface SeenNode extends NodeRecord {
  /** Time since it was last seen, by the database's clock. */
  readonly ageMs: number;
}

export interface NodesRepository {
  /** Stores a heartbeat with the current time of the database's clock. */
  beat(node: NodeBeat): Promise<void>;
  /** All nodes with the time since they were last seen, sorted by node id. */
  listSeen(): Promise<readonly SeenNode[]>;
  /** Removes nodes not seen for this long; returns how many. */
  removeUnseenFor(ageMs: number): Promise<number>;
  /** Inserts or updates a node. */
  upsert(node: NodeRecord): Promise<void>;
  find(nodeId: string): Promise<NodeRecord | undefined>;
  /** The nodes seen at `time` or later (default: all), sorted by node id. */
  list(seenSince?: number): Promise<readonly NodeRecord[]>;
  /** False if the id is unknown. */
  remove(nodeId: string): Promise<boolean>;
  /** Removes nodes last seen before `time`; returns how many. */
  removeSeenBefore(time: number): Promise<number>;
}

export function createNodesRepository(db: Kysely<Database>, now: DatabaseTime): NodesRepository {
  return {
    async beat(node) {
      const { node_id, ...rest } = { ...toRow({ ...node, lastSeen: 0 }), last_seen: now() };
      await db
        .insertInto('nodes')
        .values({ node_id, ...rest })
        .onConflict((conflict) => conflict.column('node_id').doUpdateSet(rest))
        .execute();
    },

    async listSeen() {
      const rows = await db
        .selectFrom('nodes')
        .selectAll()
        .select(sql<number>`${now()} - last_seen`.as('age'))
        .orderBy('node_id')
        .execute();
      return rows.map((row) => ({ ...fromRow(row), ageMs: row.age }));
    },

    async removeUnseenFor(ageMs) {
      const result = await db
        .deleteFrom('nodes')
        .where('last_seen', '<', sql<number>`${now()} - ${sql.lit(Math.round(ageMs))}`)
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },

    async upsert(node) {
      const { node_id, ...rest } = toRow(node);
      await db
        .insertInto('nodes')
        .values({ node_id, ...rest })
        .onConflict((conflict) => conflict.column('node_id').doUpdateSet(rest))
        .execute();
    },

    async find(nodeId) {
      const row = await db.selectFrom('nodes').selectAll().where('node_id', '=', nodeId).executeTakeFirst();
      return row && fromRow(row);
    },

    async list(seenSince = 0) {
      const rows = await db
        .selectFrom('nodes')
        .selectAll()
        .where('last_seen', '>=', seenSince)
        .orderBy('node_id')
        .execute();
      return rows.map(fromRow);
    },

    async remove(nodeId) {
      const result = await db.deleteFrom('nodes').where('node_id', '=', nodeId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async removeSeenBefore(time) {
      const result = await db.deleteFrom('nodes').where('last_seen', '<', time).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

function toRow(node: NodeRecord) {
  return {
    node_id: node.nodeId,
    hostname: node.hostname,
    transport_address: node.transportAddress,
    version: node.version,
    started_at: node.startedAt,
    last_seen: node.lastSeen,
    is_leader: node.isLeader,
    details: writeJson(node.details),
  };
}

function fromRow(row: Selectable<NodesTable>): NodeRecord {
  return {
    nodeId: row.node_id,
    hostname: row.hostname,
    transportAddress: row.transport_address,
    version: row.version,
    startedAt: row.started_at,
    lastSeen: row.last_seen,
    isLeader: readBoolean(row.is_leader),
    details: readJson(row.details),
  };
}
