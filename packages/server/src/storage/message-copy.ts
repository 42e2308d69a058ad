/**
 * Copies messages from one ClickHouse to another, index by index. The source sends them itself, over the native protocol.
 *
 * A message goes to the shard that its id decides. So all copies of a message, one in each of its index sets, come to the
 * same server, on which searches rely.
 *
 * SAFE AGAINST A KILL AT ANY POINT. An index is complete when both sides have the same number of messages with the same
 * hashes; one that is not is dropped at the target and copied again.
 */
import { PermanentError } from '#core/index.ts';
import {
  answeringReplica,
  type ClickHouseEndpoint,
  type ClickHouseServer,
  qualifiedName,
} from './clickhouse/index.ts';
import { nativeAddress } from './clickhouse/shards.ts';
import { STORED_COLUMNS } from './schema/message-table.ts';

const COLUMNS = STORED_COLUMNS.join(', ');

/** Fields are compared as the text that searches show. */
const HASHED = STORED_COLUMNS.map((name) => (name === 'fields' ? 'toJSONString(fields)' : name)).join(', ');
/** The sum does not depend on the order of rows. */
const FIGURES = `SELECT count() AS messages, sum(cityHash64(${HASHED})) AS hash`;

export interface CopyTarget {
  readonly server: ClickHouseServer;
  readonly endpoint: ClickHouseEndpoint;
}

export interface MessageCopy {
  readonly source: ClickHouseServer;
  /** The database there. */
  readonly from: string;
  /** Shards, in the order of `clickhouse_uri`. */
  readonly targets: readonly CopyTarget[];
  /** The database of the targets. */
  readonly database: string;
  readonly signal: AbortSignal;
}

export interface CopiedIndex {
  readonly table: string;
  readonly number: number;
  readonly messages: number;
}

interface Figures {
  readonly messages: string;
  readonly hash: string;
}

/**
 * The databases of the source with any of these tables, that with the most first. The source may have had another
 * `clickhouse_database` than the targets.
 */
export async function databasesWith(source: ClickHouseServer, tables: readonly string[]): Promise<string[]> {
  const rows = await source.query<{ database: string }>(
    `SELECT database FROM system.tables WHERE has({tables:Array(String)}, name)
     GROUP BY database ORDER BY count() DESC, database`,
    { parameters: { tables } },
  );
  return rows.map(({ database }) => database);
}

/** The indices of the source that have messages, as its parts say. */
export async function indicesToCopy(copy: MessageCopy): Promise<CopiedIndex[]> {
  const rows = await copy.source.query<{ table: string; partition: string; messages: string }>(
    `SELECT table, partition, sum(rows) AS messages FROM system.parts
     WHERE active AND database = {database:String} GROUP BY table, partition ORDER BY table, toUInt32(partition)`,
    { parameters: { database: copy.from }, mustBeComplete: true },
  );
  return rows.map(({ table, partition, messages }) => ({
    table,
    number: Number(partition),
    messages: Number(messages),
  }));
}

/** Rejects with a `PermanentError` if something else has arrived than was sent. */
export async function copyIndex(
  copy: MessageCopy,
  index: CopiedIndex,
  progress: (messages: number) => void,
): Promise<'copied' | 'was there'> {
  let result: 'copied' | 'was there' = 'was there';
  for (const [shard, target] of copy.targets.entries()) {
    const wanted = await figuresAt(copy.source, copy.from, index, ofShard(copy, shard));
    if (isSame(wanted, await figuresAt(answeringReplica(target.server), copy.database, index))) {
      progress(Number(wanted.messages));
      continue;
    }
    result = 'copied';
    await drop(copy, target, index);
    await send(copy, target, shard, index, progress);
    const arrived = await figuresAt(answeringReplica(target.server), copy.database, index);
    if (isSame(wanted, arrived)) continue;
    throw new PermanentError(
      `index ${index.number} of ${index.table} on ${target.server.url} has ${arrived.messages} messages with the hash ${arrived.hash} instead of ${wanted.messages} with ${wanted.hash}`,
    );
  }
  return result;
}

/** SQL: whether a message belongs to this shard. */
function ofShard({ targets }: MessageCopy, shard: number): string {
  if (targets.length === 1) return '1';
  return `cityHash64(received_at, id_partition, id_offset) % ${targets.length} = ${shard}`;
}

async function figuresAt(
  server: ClickHouseServer,
  database: string,
  { table, number }: CopiedIndex,
  condition = '1',
): Promise<Figures> {
  const [row] = await server.query<Figures>(
    `${FIGURES} FROM ${qualifiedName(database, table)} WHERE index_number = {number:UInt32} AND ${condition}`,
    { parameters: { number }, settings: ALIVE },
  );
  return row ?? { messages: '0', hash: '0' };
}

function isSame(a: Figures, b: Figures): boolean {
  return a.messages === b.messages && a.hash === b.hash;
}

async function drop({ database }: MessageCopy, { server }: CopyTarget, index: CopiedIndex): Promise<void> {
  await server.command(`ALTER TABLE ${qualifiedName(database, index.table)} DROP PARTITION {number:UInt32}`, {
    parameters: { number: index.number },
    settings: { max_partition_size_to_drop: '0' },
  });
}

/** Headers with the progress keep the connection alive while a large part is read. */
const ALIVE = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' } as const;

/** Part by part, so that no request takes long. */
async function send(
  copy: MessageCopy,
  { endpoint }: CopyTarget,
  shard: number,
  { table, number }: CopiedIndex,
  progress: (messages: number) => void,
): Promise<void> {
  const { source, from, database, signal } = copy;
  const remote = endpoint.url.startsWith('https:') ? 'remoteSecure' : 'remote';
  const condition = ofShard(copy, shard);
  const parts = await source.query<{ name: string; rows: string }>(
    `SELECT _part AS name, count() AS rows FROM ${qualifiedName(from, table)}
     WHERE index_number = {number:UInt32} AND ${condition} GROUP BY name ORDER BY name`,
    { parameters: { number } },
  );
  for (const { name, rows } of parts) {
    signal.throwIfAborted();
    await source.command(
      `INSERT INTO FUNCTION ${remote}({target:String}, {database:String}, {table:String}, {user:String}, {password:String}) (${COLUMNS})
       SELECT ${COLUMNS} FROM ${qualifiedName(from, table)}
       WHERE index_number = {number:UInt32} AND _part = {part:String} AND ${condition}`,
      {
        parameters: {
          target: nativeAddress(endpoint),
          database,
          table,
          user: endpoint.username,
          password: endpoint.password.reveal(),
          number,
          part: name,
        },
        // An earlier attempt may have sent the same blocks, which are gone since.
        settings: { ...ALIVE, insert_deduplicate: 0, materialize_skip_indexes_on_insert: 0 },
        signal,
      },
    );
    progress(Number(rows));
  }
}
