import { type Kysely, sql } from 'kysely';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import { containsPattern } from './like-pattern.ts';
import { inTransaction } from './transaction.ts';

/** Permissions on single objects: whoever creates an object gets them, and deleting the object removes them. */
export interface GrantsRepository {
  /** Adds to the user's direct permissions. False if the user does not exist. */
  add(userId: string, permissions: readonly string[]): Promise<boolean>;
  /** Removes these permissions from all users and roles. */
  removeFromAll(permissions: readonly string[]): Promise<void>;
}

export function createGrantsRepository(db: Kysely<Database>): GrantsRepository {
  return {
    add: (userId, permissions) =>
      inTransaction(db, (transaction) =>
        change(transaction, 'users', userId, (before) => [...new Set([...before, ...permissions])]),
      ),

    removeFromAll: (permissions) =>
      inTransaction(db, async (transaction) => {
        const removed = new Set(permissions);
        for (const table of ['users', 'roles'] as const) {
          for (const id of await holders(transaction, table, permissions)) {
            await change(transaction, table, id, (before) =>
              before.filter((permission) => !removed.has(permission)),
            );
          }
        }
      }),
  };
}

/** Locks the row before reading it, so that two concurrent changes both survive. */
async function change(
  db: Kysely<Database>,
  table: 'users' | 'roles',
  id: string,
  next: (before: readonly string[]) => string[],
): Promise<boolean> {
  const row = await db
    .updateTable(table)
    .set({ id })
    .where('id', '=', id)
    .returning('permissions')
    .executeTakeFirst();
  if (row === undefined) return false;
  await db
    .updateTable(table)
    .set({ permissions: writeJson<readonly string[]>(next(readJson(row.permissions))) })
    .where('id', '=', id)
    .execute();
  return true;
}

/** Rows whose permissions contain one of the texts. May include rows that only have a longer permission. */
async function holders(
  db: Kysely<Database>,
  table: 'users' | 'roles',
  permissions: readonly string[],
): Promise<readonly string[]> {
  if (permissions.length === 0) return [];
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where((expression) =>
      expression.or(
        permissions.map(
          (permission) =>
            sql<boolean>`${sql.ref('permissions')} like ${containsPattern(permission)} escape '!'`,
        ),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
