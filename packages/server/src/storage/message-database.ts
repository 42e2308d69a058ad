/**
 * The database of messages while ClickHouse starts, which may take longer than everything else, and while it comes and
 * goes. Until the database and the tables exist, callers get an `UnavailableError`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, errorMessage, PermanentError, UnavailableError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouse } from './clickhouse/index.ts';
import { createMessageTables, type MessageTables } from './message-tables.ts';

export interface MessageDatabase {
  readonly name: string;
  /** This and `tables` throw `UnavailableError` until the wanted tables have been created once. */
  clickhouse(): ClickHouse;
  tables(): MessageTables;
  /** Creates these tables in the background, and retries for as long as it takes. */
  want(tables: readonly string[]): void;
  /** Resolves when all wanted tables exist. */
  whenReady(): Promise<void>;
  stop(): void;
}

export interface MessageDatabaseDeps {
  /** Undefined while the engine has not started yet. */
  readonly clickhouse: () => ClickHouse | undefined;
  readonly logger: Logger;
}

export interface MessageDatabaseConfig {
  readonly database: string;
  readonly retryMs?: number;
  readonly maxRetryMs?: number;
}

export function createMessageDatabase(
  deps: MessageDatabaseDeps,
  config: MessageDatabaseConfig,
): MessageDatabase {
  const { retryMs = 100, maxRetryMs = 5000 } = config;
  const stopping = new AbortController();
  const made = new Set<string>();
  let wanted: readonly string[] = [];
  let tables: MessageTables | undefined;
  let isUsable = false;
  let making: Promise<void> | undefined;

  function connect(): MessageTables {
    if (tables !== undefined) return tables;
    const clickhouse = deps.clickhouse();
    if (clickhouse === undefined) throw new UnavailableError('The message storage is still starting.', 2);
    tables = createMessageTables(clickhouse, config);
    return tables;
  }

  async function makeMissing(): Promise<void> {
    const target = connect();
    if (made.size === 0) await target.createDatabase();
    for (;;) {
      const missing = wanted.find((table) => !made.has(table));
      if (missing === undefined) break;
      await target.ensure(missing);
      made.add(missing);
    }
    isUsable = true;
  }

  async function makeUntilDone(): Promise<void> {
    const { signal } = stopping;
    const backoff = createBackoff({ firstMs: retryMs, maxMs: maxRetryMs });
    while (!signal.aborted) {
      try {
        return await makeMissing();
      } catch (error) {
        logFailure(deps.logger, error);
        await delay(backoff.next(), undefined, { signal }).catch(() => {});
      }
    }
  }

  function make(): Promise<void> {
    making ??= makeUntilDone().finally(() => {
      making = undefined;
    });
    return making;
  }

  function requireUsable(): void {
    if (!isUsable) throw new UnavailableError('The message storage is still starting.', 2);
  }

  return {
    name: config.database,
    clickhouse() {
      requireUsable();
      const clickhouse = deps.clickhouse();
      if (clickhouse === undefined) throw new UnavailableError('The message storage has no server.', 2);
      return clickhouse;
    },
    tables() {
      requireUsable();
      return connect();
    },
    want(names) {
      wanted = names;
      if (names.some((table) => !made.has(table))) void make();
    },
    async whenReady() {
      if (isUsable && wanted.every((table) => made.has(table))) return;
      await make();
    },
    stop: () => stopping.abort(),
  };
}

function logFailure(logger: Logger, error: unknown): void {
  if (error instanceof PermanentError) {
    logger.error({ reason: errorMessage(error) }, 'the message tables cannot be created');
  } else if (!(error instanceof UnavailableError)) {
    logger.warn({ reason: errorMessage(error) }, 'the message tables could not be created yet');
  }
}
