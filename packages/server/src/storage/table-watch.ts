/**
 * What searches should know of tables before they ask them: which have many messages in new parts, without the indexes over
 * the texts, and which have many messages at all.
 *
 * Searches read such parts, and what no index can narrow, in branches of their own. A further branch takes the engine as long
 * to plan as the first one, so where there is nothing to gain it is left out. The answers may be out of date: a search with
 * fewer branches finds the same messages, only more slowly.
 */
import type { Clock } from '#core/index.ts';
import { answeringReplica, type ClickHouse } from './clickhouse/index.ts';

/** Whoever asks also has it looked up again in the background, for the searches to come. */
export interface TableWatch {
  /** Whether the table may have many messages in new parts. */
  mayHaveManyNew(table: string): boolean;
  /** Whether it may have many messages in all. */
  mayBeLarge(table: string): boolean;
}

export interface TableWatchDeps {
  /** Throws while ClickHouse has not started. */
  readonly clickhouse: () => ClickHouse;
  /** Monotonic. */
  readonly clock: Clock;
}

/** What is older is looked up again. */
const FRESH_MS = 1000;
/** What is older tells nothing of new parts. */
const TRUSTED_MS = 5000;
/** Splitting so many texts into words takes about as long as planning another branch. */
const MANY_NEW_MESSAGES = 4000;
/** Reading the texts of so many messages takes about as long. */
const MANY_MESSAGES = 100_000;
const LOOK_TIMEOUT_MS = 5000;

export function createTableWatch(
  { clickhouse, clock }: TableWatchDeps,
  { database }: { readonly database: string },
): TableWatch {
  let withManyNew: ReadonlySet<string> = new Set();
  let large: ReadonlySet<string> = new Set();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  async function look(): Promise<void> {
    const startedAt = clock.now();
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    const found: { readonly table: string; readonly messages: string; readonly new: string }[] = [];
    for (const server of await clickhouse().present()) {
      const rows = await answeringReplica(server).query<(typeof found)[number]>(
        `SELECT table, sum(rows) AS messages, sumIf(rows, level = 0) AS new FROM system.parts
         WHERE active AND database = {database:String} GROUP BY table`,
        { parameters: { database }, signal },
      );
      found.push(...rows);
    }
    const tables = (isSo: (row: (typeof found)[number]) => boolean) =>
      new Set(found.filter(isSo).map(({ table }) => table));
    withManyNew = tables((row) => Number(row.new) > MANY_NEW_MESSAGES);
    large = tables((row) => Number(row.messages) > MANY_MESSAGES);
    lookedAt = startedAt;
  }

  async function lookAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
    } catch {
      // Without an answer searches go on with all branches, and the next one looks again.
    } finally {
      isLooking = false;
    }
  }

  function age(): number {
    const now = clock.now() - lookedAt;
    if (now > FRESH_MS) void lookAgain();
    return now;
  }

  return {
    mayHaveManyNew: (table) => age() > TRUSTED_MS || withManyNew.has(table),
    // Sizes change slowly: what was true a while ago is a good guess.
    mayBeLarge: (table) => age() === Number.POSITIVE_INFINITY || large.has(table),
  };
}
