/** Creates, migrates, measures and drops the tables of messages. */
import {
  type ClickHouse,
  type ClickHouseServer,
  type ClickHouseSettings,
  isUnreachable,
  qualifiedName,
  quoteIdentifier,
  type Replication,
  replicasOf,
} from './clickhouse/index.ts';
import { putBackMergeLimits } from './new-parts.ts';
import { requireEngineVersion } from './schema/engine-version.ts';
import { granuleOfReplicas } from './schema/granule.ts';
import { createMessageTable, onEveryReplica } from './schema/message-table.ts';
import { migrateTable, type TableMigrationConfig } from './schema/migrate-table.ts';

/** Size and number of the active parts of one index. */
export interface PartFigures {
  readonly table: string;
  readonly number: number;
  readonly messages: number;
  readonly bytes: number;
  readonly parts: number;
}

/** A storage policy of ClickHouse, and the volume of it for old messages. */
export interface StorageTiers {
  readonly policy: string;
  readonly volume: string;
}

/** Milliseconds since the epoch. */
export interface TimeRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * Contract: every method works on all servers unless some are named, may be repeated, and rejects like `ClickHouse`.
 *
 * Of replicated tables every replica creates and drops its own; settings and comments are also changed on each. Columns,
 * indexes and partitions are changed on one replica, which tells the others.
 */
export interface MessageTables {
  /** Refuses servers of a version that is too old for the tables. */
  createDatabase(servers?: readonly ClickHouseServer[]): Promise<void>;
  /** Creates the table, or migrates it to the newest layout and puts settings back that a crash has left changed. */
  ensure(table: string, servers?: readonly ClickHouseServer[]): Promise<void>;
  drop(table: string): Promise<void>;
  dropIndex(table: string, number: number): Promise<void>;
  /** The indices of which something is not on the volume for old messages. Undefined: there is no such volume. */
  hotIndices(): Promise<readonly TableIndex[] | undefined>;
  /** Moves what is not there yet to the volume for old messages. Searches and inserts go on meanwhile. */
  moveIndex(table: string, number: number): Promise<void>;
  /** Of all tables of the database, without empty indices. Of a server that is away: as it was last, if that is known. */
  figures(): Promise<readonly PartFigures[]>;
  /**
   * The times of the oldest and newest message of each index that has any, by index number. Like `figures` while a
   * server is away.
   */
  ranges(table: string): Promise<ReadonlyMap<number, TimeRange>>;
  /** The messages with this time or a later one. Without any, `oldest` is undefined. */
  since(table: string, time: number): Promise<{ messages: number; oldest: number | undefined }>;
}

export interface TableIndex {
  readonly table: string;
  readonly number: number;
}

export interface MessageTablesConfig extends Omit<TableMigrationConfig, 'replication'> {
  /** Undefined: tables stay in the storage policy that they have. */
  readonly tiers?: StorageTiers | undefined;
}

/** The others carry a statement out when they are back; one that fails on a server that answers is refused. */
const ON_CLUSTER_SETTINGS: ClickHouseSettings = {
  distributed_ddl_task_timeout: '60',
  distributed_ddl_output_mode: 'null_status_on_timeout',
};

/** By default ClickHouse refuses to drop large tables and partitions, as a protection against mistakes. */
const DROP_SETTINGS: ClickHouseSettings = { max_table_size_to_drop: '0', max_partition_size_to_drop: '0' };

/**
 * The primary index of a part has the first timestamp of each granule and the last one of all: a few thousandths of the
 * column. The name of a part begins with the number of its index.
 */
const RANGES = `SELECT toUInt32(splitByChar('_', part_name)[1]) AS number,
    toUnixTimestamp64Milli(min(timestamp)) AS begin, toUnixTimestamp64Milli(max(timestamp)) AS end
  FROM mergeTreeIndex({database:String}, {table:String}) GROUP BY number`;

type FigureRow = Readonly<Record<'table' | 'partition' | 'messages' | 'bytes' | 'parts', string>>;

const FIGURES = `SELECT table, partition, sum(rows) AS messages, sum(bytes_on_disk) AS bytes, count() AS parts
  FROM system.parts WHERE database = {database:String} AND active GROUP BY table, partition`;

interface RangeRow {
  readonly number: number;
  readonly begin: string;
  readonly end: string;
}

const SINCE = `SELECT count() AS messages, toUnixTimestamp64Milli(min(timestamp)) AS oldest
  FROM {table} WHERE timestamp >= fromUnixTimestamp64Milli({time:Int64}, 'UTC')`;

export function createMessageTables(clickhouse: ClickHouse, config: MessageTablesConfig): MessageTables {
  const { database } = config;
  const { replication } = clickhouse;
  const all = clickhouse.servers.flatMap(replicasOf);
  const everywhere = (name: string) => onEveryReplica(name, replication);
  const settings = replication?.cluster === undefined ? {} : ON_CLUSTER_SETTINGS;

  const lastFigures = new Map<string, readonly FigureRow[]>();
  const lastRanges = new Map<string, readonly RangeRow[]>();

  async function onEach<Row>(sql: string, parameters: Record<string, unknown>): Promise<Row[]> {
    const answers = await Promise.all(
      clickhouse.servers.map((server) => server.query<Row>(sql, { parameters })),
    );
    return answers.flat();
  }

  return {
    async createDatabase(servers = all) {
      for (const server of servers) {
        await requireEngineVersion(server);
        const name = everywhere(quoteIdentifier(database));
        await server.command(`CREATE DATABASE IF NOT EXISTS ${name}`, { settings });
      }
    },
    async ensure(table, servers = all) {
      for (const server of servers) {
        const granule = await granuleOfReplicas(clickhouse, server, { database, table });
        await server.command(createMessageTable(database, table, { replication, granule }), { settings });
        await migrateTable(server, table, { ...config, replication });
        await useTiers(server, table, replication, config);
        await putBackMergeLimits(server, database, { table, replication });
      }
    },
    drop: (table) =>
      clickhouse.commandOnEach(`DROP TABLE IF EXISTS ${everywhere(qualifiedName(database, table))} SYNC`, {
        settings: { ...DROP_SETTINGS, ...settings },
      }),
    async dropIndex(table, number) {
      const name = qualifiedName(database, table);
      const statement = { parameters: { number }, settings: DROP_SETTINGS };
      for (const server of clickhouse.servers) {
        await server.command(`ALTER TABLE ${name} DROP PARTITION {number:UInt32}`, statement);
      }
    },
    ...createTierMoves(all, config),
    async figures() {
      return sumOfServers(await lastOnEach(clickhouse, lastFigures, FIGURES, { database }));
    },
    async ranges(table) {
      const rows = await lastOnEach(clickhouse, lastRanges, RANGES, { database, table });
      const ranges = new Map<number, TimeRange>();
      for (const { number, begin, end } of rows) {
        const known = ranges.get(number);
        ranges.set(number, {
          begin: Math.min(Number(begin), known?.begin ?? Number.POSITIVE_INFINITY),
          end: Math.max(Number(end), known?.end ?? Number.NEGATIVE_INFINITY),
        });
      }
      return ranges;
    },
    since: async (table, time) =>
      newestOfServers(await onEach(SINCE.replace('{table}', qualifiedName(database, table)), { time })),
  };
}

const HOT_PARTS = `SELECT DISTINCT table, partition FROM system.parts
  WHERE active AND database = {database:String} AND ({table:String} IN ('', table))
    AND ({partition:String} IN ('', partition)) AND disk_name NOT IN (
      SELECT arrayJoin(disks) FROM system.storage_policies
      WHERE policy_name = {policy:String} AND volume_name = {volume:String})`;

/** Every replica has disks of its own, so each moves its own parts. */
function createTierMoves(
  servers: readonly ClickHouseServer[],
  { database, tiers }: MessageTablesConfig,
): Pick<MessageTables, 'hotIndices' | 'moveIndex'> {
  const hotParts = (server: ClickHouseServer, table = '', partition = '') =>
    server.query<{ table: string; partition: string }>(HOT_PARTS, {
      parameters: { database, table, partition, ...tiers },
    });
  return {
    async hotIndices() {
      if (tiers === undefined) return undefined;
      const found = new Map<string, TableIndex>();
      for (const server of servers) {
        for (const { table, partition } of await hotParts(server)) {
          found.set(`${table} ${partition}`, { table, number: Number(partition) });
        }
      }
      return [...found.values()];
    },
    async moveIndex(table, number) {
      if (tiers === undefined) return;
      for (const server of servers) {
        if ((await hotParts(server, table, String(number))).length === 0) continue;
        await server.command(
          `ALTER TABLE ${qualifiedName(database, table)} MOVE PARTITION ${Number(number)} TO VOLUME '${tiers.volume}'`,
          { settings: { max_execution_time: 0 } },
        );
      }
    },
  };
}

async function useTiers(
  server: ClickHouseServer,
  table: string,
  replication: Replication | undefined,
  { database, tiers }: MessageTablesConfig,
): Promise<void> {
  if (tiers === undefined) return;
  const [found] = await server.query<{ policy: string }>(
    'SELECT storage_policy AS policy FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { parameters: { database, table } },
  );
  if (found?.policy === tiers.policy) return;
  const name = onEveryReplica(qualifiedName(database, table), replication);
  await server.command(`ALTER TABLE ${name} MODIFY SETTING storage_policy = '${tiers.policy}'`);
}

/** How long one of several servers may take for its figures: one that hangs must not hold up rotation and searches. */
const FIGURES_TIMEOUT_MS = 3000;

/** A server that is away counts with what it answered last, or not at all: rotation and searches go on without it. */
async function lastOnEach<Row>(
  clickhouse: ClickHouse,
  last: Map<string, readonly Row[]>,
  sql: string,
  parameters: Record<string, unknown>,
): Promise<Row[]> {
  const { servers } = clickhouse;
  if (servers.length === 1) return servers[0]?.query<Row>(sql, { parameters }) ?? [];
  const present = await clickhouse.present();
  const answers = servers.map(async (server) => {
    const key = `${server.url} ${parameters.table ?? ''}`;
    const known = last.get(key);
    if (present.length > 0 && !present.includes(server)) return known ?? [];
    const signal = AbortSignal.timeout(FIGURES_TIMEOUT_MS);
    try {
      const rows = await server.query<Row>(sql, { parameters, signal });
      last.set(key, rows);
      return rows;
    } catch (error) {
      if (known === undefined || !(isUnreachable(error) || signal.aborted)) throw error;
      return known;
    }
  });
  return (await Promise.all(answers)).flat();
}

function newestOfServers(rows: readonly { readonly messages: string; readonly oldest: string }[]) {
  const found = rows.filter(({ messages }) => Number(messages) > 0);
  return {
    messages: found.reduce((total, { messages }) => total + Number(messages), 0),
    oldest: found.length === 0 ? undefined : Math.min(...found.map(({ oldest }) => Number(oldest))),
  };
}

function sumOfServers(rows: readonly FigureRow[]): PartFigures[] {
  const sums = new Map<string, PartFigures>();
  for (const row of rows) {
    const key = `${row.partition} ${row.table}`;
    const known = sums.get(key);
    sums.set(key, {
      table: row.table,
      number: Number(row.partition),
      messages: Number(row.messages) + (known?.messages ?? 0),
      bytes: Number(row.bytes) + (known?.bytes ?? 0),
      parts: Number(row.parts) + (known?.parts ?? 0),
    });
  }
  return [...sums.values()];
}
