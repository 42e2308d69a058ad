/**
 * Merges the parts that inserts have left behind when intake pauses.
 *
 * The engine itself waits for twenty parts (`MERGE_LIMITS`), so up to nineteen new ones stay as they were inserted:
 * without indexes, in which searches for words read every text. A pause is the time to merge them. The engine picks the
 * parts to merge; for a moment it gets limits under which it can pick nothing but these.
 *
 * SAFE AGAINST A CRASH AT ANY POINT. A merge replaces parts by one with the same rows, or does nothing. Limits that a
 * crash has left in place only mean more merges than necessary; they are put back when a node starts
 * (`MessageTables.ensure`), when it becomes the leader, and after a turn that failed.
 */
import type { Logger } from '#telemetry/index.ts';
import {
  answeringReplica,
  type ClickHouse,
  type ClickHouseServer,
  qualifiedName,
  type Replication,
} from './clickhouse/index.ts';
import {
  MERGE_LIMITS,
  onEveryReplica,
  settingsList,
  VERSION_COMMENT_PREFIX,
} from './schema/message-table.ts';

export interface NewPartsMerge {
  /** Looks for tables that have had no insert for a while and merges their new parts. */
  run(): Promise<void>;
  /** The statement in progress is not waited for. */
  stop(): void;
}

export interface NewPartsMergeDeps {
  /** Throws while ClickHouse has not started. */
  readonly clickhouse: () => ClickHouse;
  readonly logger: Logger;
}

export interface NewPartsMergeConfig {
  readonly database: string;
  /** How long a table must have had no insert. */
  readonly pauseSeconds?: number;
}

const PAUSE_SECONDS = 5;

/** The new parts of a table. */
interface NewParts {
  readonly table: string;
  /** The largest number and the largest size in any index: merges do not cross indices. */
  readonly most: number;
  readonly bytes: number;
  /** Changes with every insert and merge. */
  readonly fingerprint: string;
}

export function createNewPartsMerge(deps: NewPartsMergeDeps, config: NewPartsMergeConfig): NewPartsMerge {
  const { database, pauseSeconds = PAUSE_SECONDS } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Servers on which all tables have them. Others get them back when they are there. */
  const haveUsualLimits = new Set<ClickHouseServer>();
  /** By server and table: parts that cannot be merged, because larger parts lie between them. */
  const unmergeable = new Map<string, string>();

  async function mergeTable(
    server: ClickHouseServer,
    first: NewParts,
    replication: Replication | undefined,
  ): Promise<void> {
    const { table } = first;
    const name = qualifiedName(database, table);
    const changed = onEveryReplica(name, replication);
    haveUsualLimits.delete(server);
    try {
      await server.command(`ALTER TABLE ${changed} MODIFY SETTING ${settingsList(pauseLimits(first))}`);
      let left: NewParts | undefined = first;
      for (;;) {
        // Neither FINAL nor PARTITION: with them the engine rewrites everything, whatever the limits.
        await server.command(`OPTIMIZE TABLE ${name}`, { signal });
        const before: string = left.fingerprint;
        left = (await newParts(server, { table })).find(({ most }) => most > 1);
        if (left === undefined || left.fingerprint === before) break;
      }
      unmergeable.set(keyOf(server, table), left?.fingerprint ?? '');
    } finally {
      await server.command(`ALTER TABLE ${changed} MODIFY SETTING ${settingsList(MERGE_LIMITS)}`);
      haveUsualLimits.add(server);
    }
  }

  /** Of tables without merges. `quietSeconds`: only of tables in which nothing has changed for so long. */
  async function newParts(
    server: ClickHouseServer,
    { table = '', quietSeconds = 0 }: { readonly table?: string; readonly quietSeconds?: number },
  ): Promise<NewParts[]> {
    const rows = await server.query<{ table: string; most: string; bytes: string; fingerprint: string }>(
      `SELECT table, max(parts) AS most, max(size) AS bytes, toString(sum(fingerprint)) AS fingerprint FROM (
         SELECT table, partition_id, countIf(level = 0) AS parts, sumIf(bytes_on_disk, level = 0) AS size,
           sumIf(cityHash64(name), level = 0) AS fingerprint, max(modification_time) AS changed
         FROM system.parts WHERE active AND database = {database:String} AND ({table:String} IN ('', table))
         GROUP BY table, partition_id)
       WHERE table IN (SELECT name FROM system.tables WHERE database = {database:String} AND startsWith(comment, {comment:String}))
         AND table NOT IN (SELECT table FROM system.merges WHERE database = {database:String})
       GROUP BY table
       HAVING most > 1 AND max(changed) <= now() - toIntervalSecond({quiet:UInt32})
       ORDER BY table`,
      { parameters: { database, table, comment: VERSION_COMMENT_PREFIX, quiet: quietSeconds }, signal },
    );
    return rows.map((row) => ({ ...row, most: Number(row.most), bytes: Number(row.bytes) }));
  }

  return {
    async run() {
      const clickhouse = deps.clickhouse();
      const { replication } = clickhouse;
      // Of replicas, one merges for all; its limits are its own, so all statements go to the same.
      const servers = (await clickhouse.present()).map(answeringReplica);
      for (const server of servers) {
        if (haveUsualLimits.has(server)) continue;
        await putBackMergeLimits(server, database, { replication });
        haveUsualLimits.add(server);
      }
      for (const server of servers) {
        for (const found of await newParts(server, { quietSeconds: pauseSeconds })) {
          if (signal.aborted) return;
          if (unmergeable.get(keyOf(server, found.table)) === found.fingerprint) continue;
          await mergeTable(server, found, replication);
          deps.logger.debug({ table: found.table, parts: found.most }, 'merged what was left of new parts');
        }
      }
    },
    stop: () => stopping.abort(new Error('the node is stopping')),
  };
}

function keyOf(server: ClickHouseServer, table: string): string {
  return `${server.url} ${table}`;
}

/** Enough for all new parts of an index together, and for no merged part beside them. */
function pauseLimits({ bytes }: NewParts): Record<keyof typeof MERGE_LIMITS, number> {
  return { min_parts_to_merge_at_once: 2, max_bytes_to_merge_at_max_space_in_pool: bytes };
}

/** Gives tables whose limits were changed the usual ones again: all tables of messages, or one. */
export async function putBackMergeLimits(
  server: ClickHouseServer,
  database: string,
  { table, replication }: { readonly table?: string; readonly replication?: Replication | undefined } = {},
): Promise<void> {
  const changed = await server.query<{ name: string }>(
    `SELECT name FROM system.tables
       WHERE database = {database:String} AND startsWith(comment, {comment:String}) AND ({table:String} IN ('', name))
         AND NOT arrayAll(setting -> has(splitByString(', ', extract(engine_full, 'SETTINGS (.*)$')), setting), {limits:Array(String)})`,
    {
      parameters: {
        database,
        table: table ?? '',
        comment: VERSION_COMMENT_PREFIX,
        limits: Object.entries(MERGE_LIMITS).map(([name, value]) => settingsList({ [name]: value })),
      },
    },
  );
  for (const { name } of changed) {
    const changed = onEveryReplica(qualifiedName(database, name), replication);
    await server.command(`ALTER TABLE ${changed} MODIFY SETTING ${settingsList(MERGE_LIMITS)}`);
  }
}
