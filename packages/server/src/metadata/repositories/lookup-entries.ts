import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Clock, InvalidError } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Database } from '../tables/index.ts';
import type { LookupEntryValue } from '../tables/lookup.ts';
import { containsPattern } from './like-pattern.ts';

export interface LookupEntry {
  readonly value: LookupEntryValue;
  /** Undefined: it stays. */
  readonly expiresAt: number | undefined;
}

export interface StoredLookupEntry extends LookupEntry {
  readonly key: string;
}

export interface LookupEntriesRequest extends PageRequest {
  /** A part of the key, in any case. */
  readonly search: string;
  readonly isDescending: boolean;
}

/** Values that rules put into lookup tables; they go with their data adapter. */
export interface LookupEntriesRepository {
  /** Undefined: there is none, or it has expired. */
  find(adapterId: string, key: string): Promise<LookupEntry | undefined>;
  /**
   * Stores what `changed` makes of the entry; undefined removes it. If somebody else changes it meanwhile, `changed` is
   * called again. Rejects with `ConflictError` if there is no such adapter.
   */
  change(
    adapterId: string,
    key: string,
    changed: (current: LookupEntry | undefined) => LookupEntry | undefined,
  ): Promise<LookupEntry | undefined>;
  /** Those that have not expired, sorted by key. */
  listPage(adapterId: string, request: LookupEntriesRequest): Promise<Page<StoredLookupEntry>>;
  /** Also those that have expired and are not deleted yet. */
  count(adapterId: string): Promise<number>;
  /** How many there were. */
  removeExpired(): Promise<number>;
}

export function createLookupEntriesRepository(db: Kysely<Database>, clock: Clock): LookupEntriesRepository {
  const read = (adapterId: string, key: string) =>
    db
      .selectFrom('lookup_entries')
      .selectAll()
      .where('adapter_id', '=', adapterId)
      .where('key', '=', key)
      .executeTakeFirst();
  type Row = NonNullable<Awaited<ReturnType<typeof read>>>;

  const entryOf = (row: Row | undefined): LookupEntry | undefined => {
    if (row === undefined || (row.expires_at !== null && row.expires_at <= clock.now())) return undefined;
    return { value: readJson(row.value), expiresAt: row.expires_at ?? undefined };
  };

  /** False: somebody else was faster. */
  async function store(
    adapterId: string,
    key: string,
    row: Row | undefined,
    next: LookupEntry | undefined,
  ): Promise<boolean> {
    if (row === undefined && next === undefined) return true;
    const columns = next && { value: writeJson(next.value), expires_at: next.expiresAt ?? null };
    if (row === undefined) {
      const result = await db
        .insertInto('lookup_entries')
        .values({
          adapter_id: adapterId,
          key,
          revision: firstRevision(),
          ...(columns as NonNullable<typeof columns>),
        })
        .onConflict((conflict) => conflict.columns(['adapter_id', 'key']).doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    }
    const same = { adapter_id: adapterId, key, revision: row.revision };
    const result = columns
      ? await db
          .updateTable('lookup_entries')
          .set({ ...columns, revision: row.revision + 1 })
          .where((where) => where.and(same))
          .executeTakeFirst()
      : await db
          .deleteFrom('lookup_entries')
          .where((where) => where.and(same))
          .executeTakeFirst();
    return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
  }

  return {
    find: async (adapterId, key) => entryOf(await read(adapterId, key)),
    async change(adapterId, key, changed) {
      for (;;) {
        const row = await read(adapterId, key);
        const next = changed(entryOf(row));
        if (await store(adapterId, key, row, next)) return next;
      }
    },
    listPage: (adapterId, request) => listPage(db, clock.now(), adapterId, request),
    async count(adapterId) {
      const { count } = await db
        .selectFrom('lookup_entries')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('adapter_id', '=', adapterId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async removeExpired() {
      const result = await db
        .deleteFrom('lookup_entries')
        .where('expires_at', '<=', clock.now())
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

/** Values can be long lists: a page is read into memory as a whole. */
const MAX_PAGE_CHARACTERS = 16 * 2 ** 20;

/** Those that have not expired. */
async function listPage(
  db: Kysely<Database>,
  now: number,
  adapterId: string,
  { search, isDescending, limit, offset }: LookupEntriesRequest,
): Promise<Page<StoredLookupEntry>> {
  let matching = db
    .selectFrom('lookup_entries')
    .where('adapter_id', '=', adapterId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]));
  if (search !== '') {
    const key = sql.ref('key');
    const lowered = containsPattern(search.toLowerCase());
    // SQLite lowers ASCII only: what is written as the key is, is found in any case.
    matching = matching.where(
      sql<boolean>`(lower(${key}) like ${lowered} escape '!' or ${key} like ${containsPattern(search)} escape '!')`,
    );
  }
  const page = matching
    .select(['key', 'value', 'expires_at'])
    .orderBy('key', isDescending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset);
  const size = await db
    .selectFrom(page.as('page'))
    .select(sql<number | string | null>`sum(length(value))`.as('characters'))
    .executeTakeFirst();
  if (Number(size?.characters ?? 0) > MAX_PAGE_CHARACTERS) {
    throw new InvalidError(
      `These ${limit} keys have values of ${size?.characters} characters, and a page has at most ${MAX_PAGE_CHARACTERS}. Ask for fewer per page.`,
    );
  }
  const rows = await page.execute();
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const items = rows.map(({ key, value, expires_at }) => ({
    key,
    value: readJson(value),
    expiresAt: expires_at ?? undefined,
  }));
  return { items, total: Number(total) };
}

/** Another one each time: whoever read an entry before it was deleted must not change the new one of the same key. */
function firstRevision(): number {
  return randomInt(1, 2 ** 30);
}
