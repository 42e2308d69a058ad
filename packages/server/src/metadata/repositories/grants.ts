import { type Kysely, sql } from 'kysely';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import { inTransaction } from './transaction.ts';

/** Permissions for single objects: who makes one gets them, and they go with it. */
export interface GrantsRepository {
  /** Adds to what the user has of their own. Whether there is such a user. */
  add(userId: string, permissions: readonly string[]): Promise<boolean>;
  /** Takes these permissions from all users and roles. */
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
        const gone = new Set(permissions);
        for (const table of ['users', 'roles'] as const) {
          for (const id of await holders(transaction, table, permissions)) {
            await change(transaction, table, id, (before) => before.filter((one) => !gone.has(one)));
          }
        }
      }),
  };
}

/** Locks the row before it is read, so that of two changes at the same time none is lost. */
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

/** Rows whose permissions contain one of the texts: a little more than those that have it. */
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
        permissions.map((permission) => {
          const pattern = `%${escapeLike(permission)}%`;
          return sql<boolean>`${sql.ref('permissions')} like ${pattern} escape '!'`;
        }),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** `!` and not a backslash, which the databases and their settings treat in different ways. */
function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
