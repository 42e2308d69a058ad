/**
 * The database of messages as it comes up: ClickHouse may be ready later than everything else, and come and go.
 * Until the database and the tables are there, whoever asks for them is told to try again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, errorMessage, PermanentError, UnavailableError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouse } from './clickhouse/index.ts';
import { createMessageTables, type MessageTables } from './message-tables.ts';

export interface MessageDatabase {
  readonly name: string;
  /** These and `tables` throw `UnavailableError` until the tables that are wanted were made once. */
  clickhouse(): ClickHouse;
  tables(): MessageTables;
  /** Sees to it that there are these tables, in the background, for as long as it takes. */
  want(tables: readonly string[]): void;
  /** Resolves when all tables that are wanted are there. */
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
        tellFailure(deps.logger, error);
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

function tellFailure(logger: Logger, error: unknown): void {
  if (error instanceof PermanentError) {
    logger.error({ reason: errorMessage(error) }, 'the tables for messages cannot be made');
  } else if (!(error instanceof UnavailableError)) {
    logger.warn({ reason: errorMessage(error) }, 'the tables for messages are not there yet');
  }
}
