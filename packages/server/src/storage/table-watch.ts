/**
 * Which tables have many messages in new parts, without the indexes over the texts.
 *
 * Searches for words read such parts in a branch of their own. A second branch takes the engine as long to plan as the first
 * one, so where there is nothing to gain it is left out. Its answer may be out of date: a search without the branch finds
 * the same messages, only more slowly.
 */
import type { Clock } from '#core/index.ts';
import { answeringReplica, type ClickHouse } from './clickhouse/index.ts';

export interface NewPartsWatch {
  /** Whether the table may have them. Looks again in the background, for the searches to come. */
  mayHaveMany(table: string): boolean;
}

export interface NewPartsWatchDeps {
  /** Throws while ClickHouse has not started. */
  readonly clickhouse: () => ClickHouse;
  /** Monotonic. */
  readonly clock: Clock;
}

/** What is older is looked up again. */
const FRESH_MS = 1000;
/** What is older tells nothing. */
const TRUSTED_MS = 5000;
/** Splitting so many texts into words takes about as long as planning another branch. */
const MANY_MESSAGES = 4000;
const LOOK_TIMEOUT_MS = 5000;

export function createNewPartsWatch(
  { clickhouse, clock }: NewPartsWatchDeps,
  { database }: { readonly database: string },
): NewPartsWatch {
  let tables: ReadonlySet<string> = new Set();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  async function look(): Promise<void> {
    const startedAt = clock.now();
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    const found = new Set<string>();
    for (const server of await clickhouse().present()) {
      const rows = await answeringReplica(server).query<{ table: string }>(
        `SELECT table FROM system.parts WHERE active AND database = {database:String} AND level = 0
         GROUP BY table HAVING sum(rows) > ${MANY_MESSAGES}`,
        { parameters: { database }, signal },
      );
      for (const { table } of rows) found.add(table);
    }
    tables = found;
    lookedAt = startedAt;
  }

  async function lookAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
    } catch {
      // Without an answer searches go on with two branches, and the next one looks again.
    } finally {
      isLooking = false;
    }
  }

  return {
    mayHaveMany(table) {
      const age = clock.now() - lookedAt;
      if (age > FRESH_MS) void lookAgain();
      return age > TRUSTED_MS || tables.has(table);
    },
  };
}
