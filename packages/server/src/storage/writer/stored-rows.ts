/** Finds the messages of a batch that are already stored, after an attempt with an unknown outcome. */
import { setTimeout as delay } from 'node:timers/promises';
import { messageIdText, parseMessageId } from '#core/index.ts';
import { answeringReplica, type ClickHouseServer, isUnreachable, replicasOf } from '../clickhouse/index.ts';

const POLL_MS = 200;

/** Called with each server before it is asked. */
export type Asking = (server: ClickHouseServer) => void;

export interface AskedTable {
  /** Its quoted name. */
  readonly table: string;
  readonly isReplicated: boolean;
}

/** Which of the given ids the table has on any of the servers. */
export async function storedIds(
  servers: readonly ClickHouseServer[],
  { table, isReplicated }: AskedTable,
  ids: readonly string[],
  signal: AbortSignal,
  asking?: Asking,
): Promise<Set<string>> {
  const parts = ids.flatMap((id) => parseMessageId(id) ?? []);
  const times = parts.map((part) => part.receivedAt);
  const offsets = parts.map((part) => part.offset);
  const partitions = [...new Set(parts.map((part) => part.partition))];
  const parameters = {
    partitions,
    firstTime: smallest(times),
    lastTime: largest(times),
    firstOffset: smallest(offsets),
    lastOffset: largest(offsets),
  };
  const wanted = new Set(ids);
  const found = new Set<string>();
  for (const asked of servers) {
    asking?.(asked);
    const server = answeringReplica(asked);
    if (isReplicated) await fetchedAll(server, table, signal);
    const rows = await server.query<{ received: string; partition: string; offset: string }>(
      `SELECT toUnixTimestamp64Milli(received_at) AS received, id_partition AS partition, id_offset AS offset
       FROM ${table}
       WHERE received_at >= fromUnixTimestamp64Milli({firstTime:Int64})
         AND received_at <= fromUnixTimestamp64Milli({lastTime:Int64})
         AND id_offset BETWEEN {firstOffset:UInt64} AND {lastOffset:UInt64}
         AND id_partition IN {partitions:Array(UInt64)}`,
      { parameters, signal, mustBeComplete: true, ...(!isReplicated && { settings: NEWEST }) },
    );
    for (const row of rows) {
      const id = messageIdText({
        receivedAt: Number(row.received),
        partition: Number(row.partition),
        offset: Number(row.offset),
      });
      if (wanted.has(id)) found.add(id);
    }
  }
  return found;
}

/** For servers of which a balancer chooses one for each request, as ClickHouse Cloud does. */
const NEWEST = { select_sequential_consistency: '1' };

const SYNC_SECONDS = 30;

/**
 * Resolves when the replica has everything that any replica of its shard has confirmed. While one that is away has parts
 * which nobody has fetched, this fails, and the batch waits.
 */
function fetchedAll(server: ClickHouseServer, table: string, signal: AbortSignal): Promise<void> {
  const settings = { receive_timeout: SYNC_SECONDS };
  return server.command(`SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT`, { signal, settings });
}

/** Resolves when no insert is running whose query id begins with `prefix`. */
export async function earlierInsertsEnded(
  servers: readonly ClickHouseServer[],
  prefix: string,
  signal: AbortSignal,
  asking?: Asking,
): Promise<void> {
  for (const server of servers) {
    asking?.(server);
    while (await isInsertingAnywhere(replicasOf(server), prefix, signal)) {
      await delay(POLL_MS, undefined, { signal });
    }
  }
}

/** A replica that cannot be reached is not asked. Rejects if none can. */
async function isInsertingAnywhere(
  replicas: readonly ClickHouseServer[],
  prefix: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answers = await Promise.allSettled(replicas.map((replica) => isInserting(replica, prefix, signal)));
  signal.throwIfAborted();
  const failures = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason);
  const grave = failures.find((reason) => !isUnreachable(reason));
  if (grave !== undefined || failures.length === replicas.length) throw grave ?? failures[0];
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value);
}

async function isInserting(server: ClickHouseServer, prefix: string, signal: AbortSignal): Promise<boolean> {
  const rows = await server.query<{ running: string }>(
    'SELECT count() AS running FROM system.processes WHERE startsWith(query_id, {prefix:String})',
    { parameters: { prefix }, signal },
  );
  return Number(rows[0]?.running ?? 0) > 0;
}

function smallest(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.MAX_SAFE_INTEGER);
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}
