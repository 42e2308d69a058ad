import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';

/** Settings shared by all nodes: a JSON value under a key. Readers validate the value. */
export interface ClusterSettingsRepository {
  find(key: string): Promise<unknown>;
  /** All settings whose key starts with `prefix`, sorted by key. */
  listByPrefix(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  set(key: string, value: unknown): Promise<void>;
  /** Stores `value` unless the key is set, and returns the stored value: the same for all nodes. */
  setIfAbsent(key: string, value: unknown): Promise<unknown>;
  /** False if the key was not set. */
  remove(key: string): Promise<boolean>;
  /** The id of this cluster (a UUID), created by the first node that asks for it. */
  clusterId(): Promise<string>;
}

const CLUSTER_ID = 'cluster_id';

export function createClusterSettingsRepository(
  db: Kysely<Database>,
  clock: Clock,
): ClusterSettingsRepository {
  const find = async (key: string): Promise<unknown> => {
    const row = await db
      .selectFrom('cluster_settings')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst();
    return row && readJson(row.value);
  };

  const setIfAbsent = async (key: string, value: unknown): Promise<unknown> => {
    const row = { key, value: writeJson(value), updated_at: clock.now() };
    await db
      .insertInto('cluster_settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return find(key);
  };

  return {
    find,
    setIfAbsent,

    async listByPrefix(prefix) {
      const rows = await db
        .selectFrom('cluster_settings')
        .select(['key', 'value'])
        // A range, not `like`, because its wildcard and case rules differ between the databases.
        .where('key', '>=', prefix)
        .where('key', '<', `${prefix}\u{10ffff}`)
        .orderBy('key')
        .execute();
      return new Map(rows.map((row) => [row.key, readJson(row.value)]));
    },

    async set(key, value) {
      const row = { value: writeJson(value), updated_at: clock.now() };
      await db
        .insertInto('cluster_settings')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
    },

    async remove(key) {
      const result = await db.deleteFrom('cluster_settings').where('key', '=', key).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async clusterId() {
      const stored = (await find(CLUSTER_ID)) ?? (await setIfAbsent(CLUSTER_ID, randomUUID()));
      return String(stored);
    },
  };
}
