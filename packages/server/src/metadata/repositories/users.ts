import { type Kysely, type Selectable, sql } from 'kysely';
import { type Clock, InvalidError, newEntityId } from '#core/index.ts';
import {
  nameKey,
  readBoolean,
  readJson,
  readOptionalJson,
  writeJson,
  writeOptionalJson,
} from '../columns.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Database } from '../tables/index.ts';
import type { Startpage, UserStatus, UsersTable } from '../tables/users.ts';
import { containsPattern } from './like-pattern.ts';
import { lockedRow } from './row.ts';
import { inTransaction } from './transaction.ts';

/** What can be changed. The user name cannot, because tokens, sessions and audit entries contain it. */
export interface UserProperties {
  readonly email: string;
  readonly fullName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
  /** Granted to the user directly, in addition to those of the roles. */
  readonly permissions: readonly string[];
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly timezone: string | null;
  readonly sessionTimeoutMs: number;
  readonly startpage: Startpage | null;
  /** Role names. Any case is accepted; reads return the role's own spelling, sorted by name. */
  readonly roles: readonly string[];
  readonly status: UserStatus;
  readonly serviceAccount: boolean;
}

export interface NewUser extends UserProperties {
  /** Unique, ignoring case. */
  readonly username: string;
}

export type UserChanges = Partial<UserProperties>;

/** A user created through the API. The root user is not stored here. */
export interface UserRecord extends NewUser {
  readonly id: string;
  readonly createdAt: number;
  readonly lastActivity: number | null;
  readonly clientAddress: string | null;
}

export interface UserListRequest extends PageRequest {
  /** Part of the user name, the full name or the e-mail address, in any case. */
  readonly search?: string;
  /** Default: by user name, which also breaks ties. */
  readonly sort?: 'username' | 'full_name' | 'email' | 'last_activity';
  readonly descending?: boolean;
}

export interface UsersRepository {
  /** Rejects with `ConflictError` if the name is taken, with `InvalidError` for an unknown role. */
  insert(user: NewUser): Promise<UserRecord>;
  /**
   * The user after the change, or undefined if the id is unknown. Rejects as `insert` does, and with what `check` throws
   * about the user as stored: nothing is changed then.
   */
  update(
    id: string,
    changes: UserChanges,
    check?: (before: UserRecord) => void,
  ): Promise<UserRecord | undefined>;
  /** Replaces `from`. False if the password is another one by now. */
  replacePasswordHash(id: string, from: string, to: string): Promise<boolean>;
  /** Also removes the user's tokens and sessions. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  findById(id: string): Promise<UserRecord | undefined>;
  findByUsername(username: string): Promise<UserRecord | undefined>;
  /** Sorted by user name. */
  list(): Promise<readonly UserRecord[]>;
  listPage(request: UserListRequest): Promise<Page<UserRecord>>;
  /** Stores when and from where the user was last active; ignores a time before the stored one. */
  touch(id: string, at: number, clientAddress: string | null): Promise<void>;
}

type UserRow = Selectable<UsersTable>;

export function createUsersRepository(db: Kysely<Database>, clock: Clock): UsersRepository {
  return { ...createUserReads(db), ...createUserWrites(db, clock) };
}

function createUserReads(db: Kysely<Database>) {
  return {
    findById: (id: string) => findOne(db, 'id', id),

    findByUsername: (username: string) => findOne(db, 'username_key', nameKey(username)),

    async list(): Promise<readonly UserRecord[]> {
      return withRoles(db, await db.selectFrom('users').selectAll().orderBy('username_key').execute());
    },

    async listPage(request: UserListRequest): Promise<Page<UserRecord>> {
      let matching = db.selectFrom('users');
      if (request.search) {
        const pattern = containsPattern(nameKey(request.search));
        matching = matching.where(sql<boolean>`${sql.ref('search_key')} like ${pattern} escape '!'`);
      }
      const sort = request.sort === undefined || request.sort === 'username' ? 'username_key' : request.sort;
      const rows = await matching
        .selectAll()
        .orderBy(sort, (order) => {
          // Users who were never active come last, in both databases.
          const nulls = order.nullsLast();
          return request.descending ? nulls.desc() : nulls.asc();
        })
        .orderBy('username_key')
        .limit(request.limit)
        .offset(request.offset)
        .execute();
      const { total } = await matching
        .select((expression) => expression.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: await withRoles(db, rows), total };
    },
  };
}

function createUserWrites(db: Kysely<Database>, clock: Clock) {
  return {
    insert: (user: NewUser): Promise<UserRecord> =>
      inTransaction(db, async (transaction) => {
        const row = newRow(user, clock);
        await transaction.insertInto('users').values(row).execute();
        await replaceRoles(transaction, row.id, user.roles);
        return requireFound(await findOne(transaction, 'id', row.id));
      }),

    update: (
      id: string,
      changes: UserChanges,
      check?: (before: UserRecord) => void,
    ): Promise<UserRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        const before = await lockedRow(transaction, 'users', id);
        if (!before) return undefined;
        check?.(requireFound(await findOne(transaction, 'id', id)));
        const after = { ...fromRow(before, []), ...changes };
        await transaction.updateTable('users').set(toColumns(after)).where('id', '=', id).execute();
        if (changes.roles) await replaceRoles(transaction, id, changes.roles);
        return findOne(transaction, 'id', id);
      }),

    async replacePasswordHash(id: string, from: string, to: string): Promise<boolean> {
      const result = await db
        .updateTable('users')
        .set({ password_hash: to })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(id: string): Promise<boolean> {
      // Foreign keys delete tokens, sessions and memberships with the row.
      const result = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async touch(id: string, at: number, clientAddress: string | null): Promise<void> {
      await db
        .updateTable('users')
        .set({ last_activity: at, client_address: clientAddress })
        .where('id', '=', id)
        .where((expression) =>
          expression.or([expression('last_activity', 'is', null), expression('last_activity', '<', at)]),
        )
        .execute();
    },
  };
}

async function findOne(
  db: Kysely<Database>,
  column: 'id' | 'username_key',
  value: string,
): Promise<UserRecord | undefined> {
  const rows = await db.selectFrom('users').selectAll().where(column, '=', value).execute();
  return (await withRoles(db, rows))[0];
}

function requireFound(user: UserRecord | undefined): UserRecord {
  if (!user) throw new Error('a user that was just stored cannot be found');
  return user;
}

/** The roles of all rows come from one query. For more users than this, it reads all memberships. */
const MAX_NAMED_USERS = 500;

async function withRoles(db: Kysely<Database>, rows: readonly UserRow[]): Promise<readonly UserRecord[]> {
  if (rows.length === 0) return [];
  let query = db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.name'])
    .orderBy('roles.name_key');
  if (rows.length <= MAX_NAMED_USERS) {
    query = query.where(
      'user_roles.user_id',
      'in',
      rows.map((row) => row.id),
    );
  }
  const rolesOf = new Map<string, string[]>();
  for (const { user_id, name } of await query.execute()) {
    const names = rolesOf.get(user_id);
    if (names) names.push(name);
    else rolesOf.set(user_id, [name]);
  }
  return rows.map((row) => fromRow(row, rolesOf.get(row.id) ?? []));
}

async function replaceRoles(db: Kysely<Database>, userId: string, names: readonly string[]): Promise<void> {
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  const wanted = new Map(names.map((name) => [nameKey(name), name]));
  if (wanted.size === 0) return;
  const roles = await db
    .selectFrom('roles')
    .select(['id', 'name_key'])
    .where('name_key', 'in', [...wanted.keys()])
    .execute();
  for (const role of roles) wanted.delete(role.name_key);
  const [unknown] = wanted.values();
  if (unknown !== undefined) throw new InvalidError(`the role \`${unknown}\` does not exist`);
  await db
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: userId, role_id: role.id })))
    .execute();
}

function searchKey(user: NewUser): string {
  return nameKey([user.username, user.fullName, user.email].join('\n'));
}

function newRow(user: NewUser, clock: Clock) {
  return {
    id: newEntityId(clock.now()),
    username: user.username,
    username_key: nameKey(user.username),
    created_at: clock.now(),
    last_activity: null,
    client_address: null,
    ...toColumns(user),
  };
}

function toColumns(user: NewUser) {
  return {
    search_key: searchKey(user),
    email: user.email,
    full_name: user.fullName,
    first_name: user.firstName,
    last_name: user.lastName,
    password_hash: user.passwordHash,
    permissions: writeJson(user.permissions),
    preferences: writeJson(user.preferences),
    timezone: user.timezone,
    session_timeout_ms: user.sessionTimeoutMs,
    startpage: writeOptionalJson(user.startpage ?? undefined),
    status: user.status,
    service_account: user.serviceAccount,
  };
}

function fromRow(row: UserRow, roles: readonly string[]): UserRecord {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    fullName: row.full_name,
    firstName: row.first_name,
    lastName: row.last_name,
    passwordHash: row.password_hash,
    permissions: readJson(row.permissions),
    preferences: readJson(row.preferences),
    timezone: row.timezone,
    sessionTimeoutMs: row.session_timeout_ms,
    startpage: readOptionalJson(row.startpage) ?? null,
    roles,
    status: row.status,
    serviceAccount: readBoolean(row.service_account),
    createdAt: row.created_at,
    lastActivity: row.last_activity,
    clientAddress: row.client_address,
  };
}
