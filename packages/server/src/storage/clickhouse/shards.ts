/**
 * Statements over all servers when each has a part of the messages.
 *
 * The server that is asked reads from the others itself, over ClickHouse's native protocol: they filter, sort and
 * aggregate their own messages, and it merges what they answer. A part of a statement that is to run on every server is
 * marked with `acrossShards`; with one server the marks are comments.
 */
import { randomUUID } from 'node:crypto';
import { clickHouseErrorCode, isUnreachable } from './errors.ts';
import type { ClickHouseEndpoint, ClickHouseServer, ClickHouseSettings } from './server.ts';

/** Nobody can guess the marks, so no field name can contain them. */
const MARK = randomUUID();
const BEGIN = `/*${MARK}<*/`;
const END = `/*${MARK}>*/`;

/** A table expression for FROM: the rows of this SELECT on every server. It names tables as each server has them. */
export function acrossShards(select: string): string {
  return `${BEGIN}(${select})${END}`;
}

export function isAcrossShards(sql: string): boolean {
  return sql.includes(BEGIN);
}

/** The statement without the marks, for people: what a single server runs. */
export function onOneServer(sql: string): string {
  return sql.replaceAll(BEGIN, '').replaceAll(END, '');
}

export interface ShardStatement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly settings: ClickHouseSettings;
}

const HTTPS_NATIVE_PORT = 9440;
const NATIVE_PORT = 9000;

/** How long a server waits for another one, so that one that is away does not hold up a search for long. */
const SHARD_SETTINGS: ClickHouseSettings = {
  // A condition with a statement of its own over all shards: it runs once, and each shard gets its answer.
  distributed_product_mode: 'global',
  connect_timeout_with_failover_ms: 2000,
  connect_timeout_with_failover_secure_ms: 3000,
};

/** The statement as one of these servers runs it. All have the same user and password. */
export function statementOver(sql: string, shards: readonly ClickHouseEndpoint[]): ShardStatement {
  const [first] = shards;
  const remote = first?.url.startsWith('https:') ? 'remoteSecure' : 'remote';
  return {
    sql: sql
      .replaceAll(BEGIN, `${remote}({shard_addresses:String}, view`)
      .replaceAll(END, ', {shard_user:String}, {shard_password:String})'),
    parameters: {
      shard_addresses: shards.map(nativeAddress).join(','),
      shard_user: first?.username ?? '',
      shard_password: first?.password.reveal() ?? '',
    },
    settings: SHARD_SETTINGS,
  };
}

/** Where the other servers reach this one. */
export function nativeAddress({ url, nativePort }: Pick<ClickHouseEndpoint, 'url' | 'nativePort'>): string {
  const { hostname, protocol } = new URL(url);
  return `${hostname}:${nativePort ?? (protocol === 'https:' ? HTTPS_NATIVE_PORT : NATIVE_PORT)}`;
}

/** Codes of ClickHouse for: a server could not be reached, was lost, is shutting down, or has no such table yet. */
const SHARD_CODES: ReadonlySet<number> = new Set([3, 32, 60, 81, 95, 96, 198, 209, 210, 236, 279, 519]);

/** Whether a server that is away can have caused the failure. */
export function mayBeAway(error: unknown): boolean {
  return isUnreachable(error) || SHARD_CODES.has(clickHouseErrorCode(error) ?? -1);
}

/** Codes of ClickHouse for: another server could not be reached. */
const OUT_OF_REACH_CODES: ReadonlySet<number> = new Set([209, 210, 279, 519]);

/** Whether the server that was asked could not reach another one. */
export function isOutOfReach(error: unknown): boolean {
  return OUT_OF_REACH_CODES.has(clickHouseErrorCode(error) ?? -1);
}

/** Which servers answer. */
export interface ShardWatch {
  /** As far as known. Looks again in the background when that is some seconds old, and waits for it when it is older. */
  present(): Promise<readonly ClickHouseServer[]>;
  /** Asks all of them now. */
  look(): Promise<readonly ClickHouseServer[]>;
  /** These count as away, whatever they answer: they do not have all tables yet. Replaces the previous list. */
  leaveOut(servers: ReadonlySet<ClickHouseServer>): void;
}

const PING_TIMEOUT_MS = 3000;
const LOOK_AGAIN_MS = 2000;
const MAX_AGE_MS = 10_000;

/** @param now in milliseconds, for durations */
export function createShardWatch(
  servers: readonly ClickHouseServer[],
  now: () => number = () => performance.now(),
): ShardWatch {
  let answering: readonly ClickHouseServer[] | undefined;
  let leftOut: ReadonlySet<ClickHouseServer> = new Set();
  let looking: Promise<void> | undefined;
  let lookedAt = 0;

  async function answers(server: ClickHouseServer): Promise<boolean> {
    return server.ping(AbortSignal.timeout(PING_TIMEOUT_MS)).then(
      () => true,
      () => false,
    );
  }

  function ask(): Promise<void> {
    looking ??= Promise.all(servers.map(answers))
      .then((found) => {
        answering = servers.filter((_, index) => found[index]);
        lookedAt = now();
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  const usable = () => (answering ?? []).filter((server) => !leftOut.has(server));

  return {
    async present() {
      const age = now() - lookedAt;
      if (answering === undefined || age > MAX_AGE_MS) await ask();
      else if (age > LOOK_AGAIN_MS) void ask();
      return usable();
    },
    async look() {
      // One that has begun may have asked before the failure.
      await looking;
      await ask();
      return usable();
    },
    leaveOut(incomplete) {
      leftOut = incomplete;
    },
  };
}
