/**
 * The database of messages while ClickHouse starts, which may take longer than everything else, and while it comes and
 * goes. Until the database and the tables exist on a server, callers get an `UnavailableError`. Other servers get them
 * when they can be reached; until then, searches leave those out.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, errorMessage, PermanentError, UnavailableError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type ClickHouse, type ClickHouseServer, replicasOf } from './clickhouse/index.ts';
import { createMessageTables, type MessageTables, type StorageTiers } from './message-tables.ts';
import type { TakeTurn } from './schema/migrate-table.ts';

export interface MessageDatabase {
  readonly name: string;
  /** This and `tables` throw `UnavailableError` until the wanted tables have been created on a server. */
  clickhouse(): ClickHouse;
  tables(): MessageTables;
  /** Creates these tables in the background, and retries for as long as it takes. */
  want(tables: readonly string[]): void;
  /** Tries again at once. Resolves when all wanted tables exist on the servers that can be reached. */
  whenReady(): Promise<void>;
  stop(): void;
}

export interface MessageDatabaseDeps {
  /** Undefined while the engine has not started yet. */
  readonly clickhouse: () => ClickHouse | undefined;
  /** For changes of existing tables. Undefined: nobody else is there. */
  readonly takeTurn?: TakeTurn | undefined;
  readonly logger: Logger;
}

export interface MessageDatabaseConfig {
  readonly database: string;
  readonly tiers?: StorageTiers | undefined;
  readonly retryMs?: number;
  readonly maxRetryMs?: number;
}

export function createMessageDatabase(
  deps: MessageDatabaseDeps,
  config: MessageDatabaseConfig,
): MessageDatabase {
  let tables: MessageTables | undefined;
  let isAnnounced = false;
  /** Waiting does not help: somebody has to change something. */
  let isRefused = false;
  let attempted = Promise.withResolvers<void>();

  function requireClickHouse(): ClickHouse {
    const clickhouse = deps.clickhouse();
    if (clickhouse === undefined) throw new UnavailableError('The message storage is still starting.', 2);
    return clickhouse;
  }

  function connect(): MessageTables {
    tables ??= createMessageTables(requireClickHouse(), { ...config, takeTurn: deps.takeTurn });
    return tables;
  }

  const made = createMadeTables(connect);
  const isComplete = () => deps.clickhouse()?.servers.flatMap(replicasOf).every(made.isCompleteOn) === true;

  function hadTurn(): void {
    if (!isAnnounced && made.isUsable()) {
      isAnnounced = true;
      deps.logger.info('the message storage is ready');
    }
    attempted.resolve();
    attempted = Promise.withResolvers();
  }

  const attempts = createAttempts(
    {
      async attempt() {
        await made.makeMissing(requireClickHouse(), hadTurn);
        // Meanwhile more tables may be wanted, of servers that had their turn.
        return isComplete();
      },
      failed(error) {
        isRefused = error instanceof PermanentError;
        hadTurn();
        logFailure(deps.logger, error);
      },
    },
    config,
  );

  function requireUsable(): void {
    if (made.isUsable()) return;
    const reason = isRefused ? 'cannot be used; the log of the node says why' : 'is still starting';
    throw new UnavailableError(`The message storage ${reason}.`, 2);
  }

  return {
    name: config.database,
    clickhouse() {
      requireUsable();
      return requireClickHouse();
    },
    tables() {
      requireUsable();
      return connect();
    },
    want(names) {
      made.want(names);
      if (!isComplete()) void attempts.run();
    },
    async whenReady() {
      if (!isComplete()) attempts.tryAtOnce();
      while (!isComplete()) {
        const next = attempted.promise;
        await Promise.race([attempts.run(), next]);
        if (attempts.isStopped() || deps.clickhouse()?.servers.some(made.isUsableOn)) return;
      }
    },
    stop: attempts.stop,
  };
}

interface Attempts {
  /** Whether it is done. */
  attempt(): Promise<boolean>;
  failed(error: unknown): void;
}

/** Attempts until it is done or stopped. After each failure there is a pause, a longer one each time. */
function createAttempts(
  { attempt, failed }: Attempts,
  { retryMs = 100, maxRetryMs = 5000 }: Pick<MessageDatabaseConfig, 'retryMs' | 'maxRetryMs'>,
) {
  const stopping = new AbortController();
  let pause = new AbortController();
  let running: Promise<void> | undefined;

  async function runUntilDone(): Promise<void> {
    const backoff = createBackoff({ firstMs: retryMs, maxMs: maxRetryMs });
    while (!stopping.signal.aborted) {
      try {
        if (await attempt()) return;
      } catch (error) {
        failed(error);
        const signal = AbortSignal.any([stopping.signal, pause.signal]);
        await delay(backoff.next(), undefined, { signal }).catch(() => {});
        if (pause.signal.aborted) pause = new AbortController();
      }
    }
  }

  return {
    run(): Promise<void> {
      running ??= runUntilDone().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Somebody waits for it, or knows that it will work now: the pause ends, or is left out if it has yet to begin. */
    tryAtOnce: () => pause.abort(),
    isStopped: () => stopping.signal.aborted,
    stop: () => stopping.abort(),
  };
}

/** Which tables each server has, and each replica of it. */
function createMadeTables(tables: () => MessageTables) {
  const made = new Map<ClickHouseServer, Set<string>>();
  /** Those that had all tables when it was last their turn. */
  const complete = new Set<ClickHouseServer>();
  let wanted: readonly string[] = [];
  let isUsable = false;

  const missingOn = (server: ClickHouseServer) =>
    wanted.find((table) => made.get(server)?.has(table) !== true);

  const isCompleteOn = (server: ClickHouseServer) => made.has(server) && missingOn(server) === undefined;

  async function makeOn(server: ClickHouseServer): Promise<void> {
    const target = tables();
    const done = made.get(server) ?? new Set();
    if (!made.has(server)) await target.createDatabase([server]);
    made.set(server, done);
    for (let missing = missingOn(server); missing !== undefined; missing = missingOn(server)) {
      await target.ensure(missing, [server]);
      done.add(missing);
    }
  }

  return {
    want(names: readonly string[]): void {
      wanted = names;
    },
    /** Whether a server has ever had all tables. */
    isUsable: () => isUsable,
    isUsableOn: (shard: ClickHouseServer) => replicasOf(shard).some(isCompleteOn),
    isCompleteOn,
    /**
     * Every server gets its turn, and `hadTurn` is called after each: one that hangs holds up nobody who needs only one
     * of them. Rejects with the first failure.
     */
    async makeMissing(clickhouse: ClickHouse, hadTurn: () => void): Promise<void> {
      const { servers } = clickhouse;
      const attempts = servers.flatMap(replicasOf).map(async (server) => {
        try {
          await makeOn(server);
          complete.add(server);
          isUsable = true;
        } catch (error) {
          complete.delete(server);
          throw error;
        } finally {
          const isMissing = (each: ClickHouseServer) => !replicasOf(each).some((one) => complete.has(one));
          clickhouse.leaveOut(new Set(servers.filter(isMissing)));
          hadTurn();
        }
      });
      await Promise.allSettled(attempts);
      await Promise.all(attempts);
    },
  };
}

function logFailure(logger: Logger, error: unknown): void {
  if (error instanceof PermanentError) {
    logger.error({ reason: errorMessage(error) }, 'the message tables cannot be created');
  } else if (!(error instanceof UnavailableError)) {
    logger.warn({ reason: errorMessage(error) }, 'the message tables could not be created yet');
  }
}
