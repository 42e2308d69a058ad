import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { nameKey, readBoolean, readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { RolesTable } from '../tables/roles.ts';
import { changedRow, lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

export interface NewRole {
  /** Unique, ignoring case. */
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  /** Built in: the API cannot change or remove it. */
  readonly readOnly: boolean;
}

export interface RoleRecord extends NewRole {
  readonly id: string;
  readonly createdAt: number;
}

export type RoleChanges = Partial<Pick<NewRole, 'name' | 'description' | 'permissions'>>;

export interface RolesRepository {
  /** Rejects with `ConflictError` if the name is taken. */
  insert(role: NewRole): Promise<RoleRecord>;
  /** Creates or updates a built-in role. */
  ensure(role: NewRole): Promise<void>;
  /** The role after the change, or undefined if the id is unknown. `check` throws to refuse it. */
  update(
    id: string,
    changes: RoleChanges,
    check?: (before: RoleRecord) => void,
  ): Promise<RoleRecord | undefined>;
  /** Also removes it from its members. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  findByName(name: string): Promise<RoleRecord | undefined>;
  /** Those of `names` that exist, sorted by name. */
  findByNames(names: readonly string[]): Promise<readonly RoleRecord[]>;
  /** Sorted by name. */
  list(): Promise<readonly RoleRecord[]>;
  /** The names of the users who have the role, sorted. */
  listMembers(id: string): Promise<readonly string[]>;
  /** Does nothing if the user has it. Rejects with `ConflictError` if the role or user does not exist. */
  addMember(id: string, userId: string): Promise<void>;
  /** False if the user did not have it. */
  removeMember(id: string, userId: string): Promise<boolean>;
}

export function createRolesRepository(db: Kysely<Database>, clock: Clock): RolesRepository {
  return { ...createRoleWrites(db, clock), ...createRoleReads(db), ...createMembership(db) };
}

function createRoleWrites(db: Kysely<Database>, clock: Clock) {
  const newRow = (role: NewRole) => ({
    id: newEntityId(clock.now()),
    name: role.name,
    name_key: nameKey(role.name),
    description: role.description,
    permissions: writeJson(role.permissions),
    read_only: role.readOnly,
    created_at: clock.now(),
  });
  return {
    async insert(role: NewRole): Promise<RoleRecord> {
      const row = newRow(role);
      await db.insertInto('roles').values(row).execute();
      return fromRow(row);
    },

    async ensure(role: NewRole): Promise<void> {
      const row = newRow(role);
      const { name, description, permissions, read_only } = row;
      await db
        .insertInto('roles')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('name_key').doUpdateSet({ name, description, permissions, read_only }),
        )
        .execute();
    },

    update: (
      id: string,
      changes: RoleChanges,
      check?: (before: RoleRecord) => void,
    ): Promise<RoleRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        const before = await lockedRow(transaction, 'roles', id);
        if (before === undefined) return undefined;
        check?.(fromRow(before));
        const after = await changedRow(transaction, 'roles', id, {
          ...(changes.name !== undefined && { name: changes.name, name_key: nameKey(changes.name) }),
          ...(changes.description !== undefined && { description: changes.description }),
          ...(changes.permissions !== undefined && { permissions: writeJson(changes.permissions) }),
        });
        return after && fromRow(after);
      }),

    async remove(id: string): Promise<boolean> {
      const result = await db.deleteFrom('roles').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function createRoleReads(db: Kysely<Database>) {
  return {
    async findByName(name: string): Promise<RoleRecord | undefined> {
      const row = await db
        .selectFrom('roles')
        .selectAll()
        .where('name_key', '=', nameKey(name))
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async findByNames(names: readonly string[]): Promise<readonly RoleRecord[]> {
      if (names.length === 0) return [];
      const rows = await db
        .selectFrom('roles')
        .selectAll()
        .where('name_key', 'in', names.map(nameKey))
        .orderBy('name_key')
        .execute();
      return rows.map(fromRow);
    },

    async list(): Promise<readonly RoleRecord[]> {
      return (await db.selectFrom('roles').selectAll().orderBy('name_key').execute()).map(fromRow);
    },
  };
}

function createMembership(db: Kysely<Database>) {
  return {
    async listMembers(id: string): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('user_roles')
        .innerJoin('users', 'users.id', 'user_roles.user_id')
        .select('users.username')
        .where('user_roles.role_id', '=', id)
        .orderBy('users.username_key')
        .execute();
      return rows.map((row) => row.username);
    },

    async addMember(id: string, userId: string): Promise<void> {
      await db
        .insertInto('user_roles')
        .values({ user_id: userId, role_id: id })
        .onConflict((conflict) => conflict.columns(['user_id', 'role_id']).doNothing())
        .execute();
    },

    async removeMember(id: string, userId: string): Promise<boolean> {
      const result = await db
        .deleteFrom('user_roles')
        .where('user_id', '=', userId)
        .where('role_id', '=', id)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function fromRow(row: Selectable<RolesTable>): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    permissions: readJson(row.permissions),
    readOnly: readBoolean(row.read_only),
    createdAt: row.created_at,
  };
}
