import { PermanentError, RetryableError, UnavailableError } from '#core/index.ts';
import { answeringReplica, createReplicaSet, replicasOf } from './replicas.ts';
import {
  type ClickHouseEndpoint,
  type ClickHouseOptions,
  type ClickHouseServer,
  createServer,
  type Replication,
  type StatementOptions,
} from './server.ts';
import {
  createShardWatch,
  isAcrossShards,
  isOutOfReach,
  mayBeAway,
  nativeAddress,
  type ShardWatch,
  statementOver,
} from './shards.ts';

/** For statements that only read. */
export interface ReadOptions extends StatementOptions {
  /**
   * Allows an answer without the messages of servers that are away; called with their addresses before the answer.
   * Otherwise, a statement over all servers is refused while one of them is away.
   */
  readonly onMissing?: ((servers: readonly string[]) => void) | undefined;
}

/**
 * The servers of a node: one embedded, or all of `clickhouse_uri`. Several are shards: each has a part of the messages. A
 * shard with replicas counts as one server, which asks one of them.
 */
export interface ClickHouse {
  readonly servers: readonly ClickHouseServer[];
  /** Undefined: tables are not replicated. */
  readonly replication?: Replication | undefined;
  /**
   * For statements that only read. Runs on one server, in turn; if that is unreachable, on another one. It reads from
   * all of them where the statement says so (`acrossShards`). Rejects like a server, and with an `UnavailableError` for
   * a statement over all servers while one is away.
   */
  query<Row>(sql: string, options?: ReadOptions): Promise<Row[]>;
  /** Like `query`, in batches. A server that is lost after the first rows ends the iteration with its failure. */
  stream<Row>(sql: string, options?: ReadOptions): AsyncIterable<Row[]>;
  /** Like `text` of a server, as `stream` is. */
  text(sql: string, options?: ReadOptions): AsyncIterable<Buffer>;
  /** For DDL: runs on every server and every replica, one after the other, and stops at the first failure. */
  commandOnEach(sql: string, options?: StatementOptions): Promise<void>;
  /** The servers from which statements read now. */
  present(): Promise<readonly ClickHouseServer[]>;
  /** Statements leave these servers out, which do not have all tables yet. Replaces the previous list. */
  leaveOut(servers: ReadonlySet<ClickHouseServer>): void;
  close(): Promise<void>;
}

type Endpoints = () => readonly ClickHouseEndpoint[];
type Ask<Result> = (server: ClickHouseServer, sql: string, options: StatementOptions) => Promise<Result>;

/**
 * @param endpoints the servers, or a function that returns them. It is called before every request and may change
 *   addresses and passwords (the embedded server can get another port), but not the number of servers.
 */
export function createClickHouse(
  endpoints: readonly ClickHouseEndpoint[] | Endpoints,
  options: ClickHouseOptions = {},
): ClickHouse {
  const current = typeof endpoints === 'function' ? endpoints : () => endpoints;
  const shards = current().map((_, index) => createShard(() => endpointAt(current(), index), options));
  const servers = shards.map(({ server }) => server);
  const [first] = servers;
  if (first === undefined) throw new PermanentError('there is no ClickHouse server to use');
  const watch = createShardWatch(servers);
  return {
    ...(servers.length === 1 ? readsOfOne(first) : readsOfShards(shards, watch)),
    servers,
    replication: options.replication,
    leaveOut: watch.leaveOut,
    async commandOnEach(sql, statement) {
      for (const server of servers.flatMap(replicasOf)) await server.command(sql, statement);
    },
    async close() {
      await Promise.all(shards.map((shard) => shard.close()));
    },
  };
}

interface Shard {
  readonly server: ClickHouseServer;
  /** Of the replica that answers. */
  endpoint(): ClickHouseEndpoint;
  close(): Promise<void>;
}

function createShard(endpoint: () => ClickHouseEndpoint, options: ClickHouseOptions): Shard {
  const first = createServer(endpoint, options);
  const { replicas = [] } = endpoint();
  if (replicas.length === 0) return { server: first, endpoint, close: () => first.close() };
  if (options.replication === undefined) {
    throw new PermanentError('a shard has several replicas, and its tables are not replicated');
  }
  const all = [first, ...replicas.map((replica) => createServer(() => replica, options))] as const;
  const server = createReplicaSet(all);
  return {
    server,
    endpoint() {
      const { url } = answeringReplica(server);
      return replicas.find((replica) => replica.url === url) ?? endpoint();
    },
    async close() {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

type Reads = Pick<ClickHouse, 'query' | 'stream' | 'text' | 'present'>;

function readsOfOne(server: ClickHouseServer): Reads {
  return {
    query: (sql, options) => server.query(sql, options),
    stream: (sql, options) => server.stream(sql, options),
    text: (sql, options) => server.text(sql, options),
    present: async () => [server],
  };
}

const ATTEMPTS = 3;

function readsOfShards(shards: readonly Shard[], watch: ShardWatch): Reads {
  const servers = shards.map(({ server }) => server);
  const endpoints = () => shards.map((shard) => shard.endpoint());
  let turn = 0;

  /** Asks one server; if one turns out to be away, asks again as far as the statement may do without it. */
  async function read<Result>(sql: string, options: ReadOptions, ask: Ask<Result>): Promise<Result> {
    let present = await watch.present();
    const isEnough =
      present.length === servers.length || (present.length > 0 && options.onMissing !== undefined);
    // One that was away may be back.
    if (!isEnough) present = await watch.look();
    for (let attempt = 1; ; attempt++) {
      const server = present[turn++ % Math.max(1, present.length)];
      if (server === undefined) throw new RetryableError('none of the ClickHouse servers answers');
      try {
        return await askOver(server, present, sql, options, ask);
      } catch (error) {
        if (!mayBeAway(error)) throw error;
        const before = present;
        present = await watch.look();
        if (attempt < ATTEMPTS) continue;
        const areAllThere = isAcrossShards(sql) && isSame(before, present);
        throw areAllThere && isOutOfReach(error) ? outOfReach(server, endpoints(), error) : error;
      }
    }
  }

  async function askOver<Result>(
    server: ClickHouseServer,
    present: readonly ClickHouseServer[],
    sql: string,
    { onMissing, ...options }: ReadOptions,
    ask: Ask<Result>,
  ): Promise<Result> {
    if (!isAcrossShards(sql)) return ask(server, sql, options);
    const missing = servers.filter((each) => !present.includes(each)).map(({ url }) => url);
    if (missing.length > 0 && onMissing === undefined) throw missingError(missing);
    const asked = shards.filter((shard) => present.includes(shard.server)).map((shard) => shard.endpoint());
    const statement = statementOver(sql, asked);
    const result = await ask(server, statement.sql, {
      ...options,
      parameters: { ...options.parameters, ...statement.parameters },
      settings: { ...statement.settings, ...options.settings },
    });
    if (missing.length > 0) onMissing?.(missing);
    return result;
  }

  /** Once a server has delivered something, the iteration stays with it and throws its failures. */
  async function* pieces<Piece>(
    sql: string,
    options: ReadOptions,
    ask: (server: ClickHouseServer, sql: string, options: StatementOptions) => AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, void, undefined> {
    const begun = await read(sql, options, async (server, asked, statement) => {
      const iterator = ask(server, asked, statement)[Symbol.asyncIterator]();
      return { iterator, first: await iterator.next() };
    });
    try {
      for (let piece = begun.first; !piece.done; piece = await begun.iterator.next()) yield piece.value;
    } finally {
      await begun.iterator.return?.();
    }
  }

  return {
    query: <Row>(sql: string, options: ReadOptions = {}) =>
      read(sql, options, (server, asked, statement) => server.query<Row>(asked, statement)),
    stream: <Row>(sql: string, options: ReadOptions = {}) =>
      pieces(sql, options, (server, asked, statement) => server.stream<Row>(asked, statement)),
    text: (sql, options = {}) =>
      pieces(sql, options, (server, asked, statement) => server.text(asked, statement)),
    present: watch.present,
  };
}

/** All servers answer the node, but not each other. */
function outOfReach(
  server: ClickHouseServer,
  endpoints: readonly ClickHouseEndpoint[],
  cause: unknown,
): RetryableError {
  const others = endpoints.filter(({ url }) => url !== server.url).map(nativeAddress);
  return new RetryableError(
    `ClickHouse at ${server.url} could not read from ${others.join(', ')}; the servers must reach each other there (native_port in clickhouse_uri)`,
    { cause },
  );
}

function isSame(a: readonly ClickHouseServer[], b: readonly ClickHouseServer[]): boolean {
  return a.length === b.length && a.every((server) => b.includes(server));
}

/** Of what cannot do without the messages of all servers. */
export function missingError(missing: readonly string[]): UnavailableError {
  return new UnavailableError(
    `Some messages cannot be read: ClickHouse at ${missing.join(', ')} does not answer. Try again later. Requests that take allow_partial can be answered without it.`,
  );
}

function endpointAt(endpoints: readonly ClickHouseEndpoint[], index: number): ClickHouseEndpoint {
  const endpoint = endpoints[index];
  if (endpoint === undefined) throw new Error(`ClickHouse server ${index + 1} is gone from the list`);
  return endpoint;
}
