/**
 * A shard of several servers that have the same messages. One of them is asked, and another one when that does not
 * answer, cannot store or does not have the tables yet.
 *
 * Only for replicated tables: they recognise the token of an insert on every replica, because ClickHouse Keeper has it. A
 * table that is not replicated would store the rows of a repeated insert once more.
 */
import { RetryableError } from '#core/index.ts';
import { clickHouseErrorCode } from './errors.ts';
import type { ClickHouseServer, StatementOptions } from './server.ts';
import { mayBeAway } from './shards.ts';

export interface ReplicaSet extends ClickHouseServer {
  readonly replicas: readonly ClickHouseServer[];
  /** The one that is asked first, because it was the last to answer. */
  current(): ClickHouseServer;
}

/** All servers of a shard. */
export function replicasOf(server: ClickHouseServer): readonly ClickHouseServer[] {
  return 'replicas' in server ? (server as ReplicaSet).replicas : [server];
}

/** For several statements that one server must get: the replica that answers. */
export function answeringReplica(server: ClickHouseServer): ClickHouseServer {
  return 'current' in server ? (server as ReplicaSet).current() : server;
}

/** Between the addresses of the replicas of a shard. */
const SEPARATOR = '|';

/** Codes of ClickHouse for: a replica without its Keeper, or whose disk is full. Another one may be able to. */
const REPLICA_CODES: ReadonlySet<number> = new Set([225, 242, 243, 999]);
const PING_EVERY_MS = 5000;
const PING_TIMEOUT_MS = 5000;

function isOfReplica(error: unknown): boolean {
  return mayBeAway(error) || REPLICA_CODES.has(clickHouseErrorCode(error) ?? -1);
}

export function createReplicaSet(replicas: readonly [ClickHouseServer, ...ClickHouseServer[]]): ReplicaSet {
  let current = replicas[0];

  /** The work on one replica after the other, until one can do it. Rejects with the first failure. */
  async function ask<Result>(
    signal: AbortSignal | undefined,
    work: (replica: ClickHouseServer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    let failure: unknown;
    for (const replica of [current, ...replicas.filter((each) => each !== current)]) {
      try {
        const result = await whileThere(replica, signal, (both) => work(replica, both));
        current = replica;
        return result;
      } catch (error) {
        if (signal?.aborted || !isOfReplica(error)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  /** Once a replica has delivered something, the iteration stays with it and throws its failures. */
  async function* pieces<Piece>(
    options: StatementOptions,
    read: (replica: ClickHouseServer, options: StatementOptions) => AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, void, undefined> {
    const begun = await ask(options.signal, async (replica, signal) => {
      const iterator = read(replica, { ...options, signal })[Symbol.asyncIterator]();
      return { iterator, first: await iterator.next() };
    });
    try {
      for (let piece = begun.first; !piece.done; piece = await begun.iterator.next()) yield piece.value;
    } finally {
      await begun.iterator.return?.();
    }
  }

  return {
    replicas,
    current: () => current,
    get url() {
      return replicas.map(({ url }) => url).join(SEPARATOR);
    },
    query: <Row>(sql: string, options: StatementOptions = {}) =>
      ask(options.signal, (replica, signal) => replica.query<Row>(sql, { ...options, signal })),
    stream: <Row>(sql: string, options: StatementOptions = {}) =>
      pieces(options, (replica, asked) => replica.stream<Row>(sql, asked)),
    text: (sql, options = {}) => pieces(options, (replica, asked) => replica.text(sql, asked)),
    command: (sql, options = {}) =>
      ask(options.signal, (replica, signal) => replica.command(sql, { ...options, signal })),
    insertNative: (insert) =>
      ask(insert.signal, (replica, signal) => replica.insertNative({ ...insert, signal })),
    async ping(signal) {
      const asked = current;
      const answers = replicas.map((replica) => replica.ping(signal).then(() => replica));
      const first = await Promise.any(answers).catch((error: AggregateError) => {
        throw error.errors[0];
      });
      answers[replicas.indexOf(asked)]?.catch(() => {
        if (current === asked) current = first;
      });
    },
  };
}

/** Ends the work on a server that hangs long before the request times out. */
async function whileThere<Result>(
  server: ClickHouseServer,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const look = () =>
    server
      .ping(AbortSignal.timeout(PING_TIMEOUT_MS))
      .catch(() => gone.abort(new RetryableError(`ClickHouse at ${server.url} does not answer any more`)));
  const timer = setInterval(() => void look(), PING_EVERY_MS);
  try {
    return await work(signal === undefined ? gone.signal : AbortSignal.any([signal, gone.signal]));
  } finally {
    clearInterval(timer);
  }
}
