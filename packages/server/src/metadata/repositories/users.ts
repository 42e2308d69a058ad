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
import { inTransaction } from './transaction.ts';

/** What can be changed later. The user name cannot: tokens, sessions and audit entries carry it. */
export interface UserProperties {
  readonly email: string;
  readonly fullName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
  /** Granted to the user directly, beside those of the roles. */
  readonly permissions: readonly string[];
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly timezone: string | null;
  readonly sessionTimeoutMs: number;
  readonly startpage: Startpage | null;
  /** Names of roles. Written in any case, read in the role's own, by name. */
  readonly roles: readonly string[];
  readonly status: UserStatus;
  readonly serviceAccount: boolean;
}

export interface NewUser extends UserProperties {
  /** Unique, whatever its case. */
  readonly username: string;
}

export type UserChanges = Partial<UserProperties>;

/** A user made through the API. The root user of the configuration is none. */
export interface UserRecord extends NewUser {
  readonly id: string;
  readonly createdAt: number;
  readonly lastActivity: number | null;
  readonly clientAddress: string | null;
}

export interface UserListRequest extends PageRequest {
  /** Part of the user name, the full name or the e-mail address, in any case. */
  readonly search?: string;
  /** By user name unless told otherwise; equal ones always by user name. */
  readonly sort?: 'username' | 'full_name' | 'email' | 'last_activity';
  readonly descending?: boolean;
}

export interface UsersRepository {
  /** Rejects with `ConflictError` when the name is taken, with `InvalidError` for a role that is not there. */
  insert(user: NewUser): Promise<UserRecord>;
  /** The user after the change, or undefined when there is none with this id. Rejects as `insert` does. */
  update(id: string, changes: UserChanges): Promise<UserRecord | undefined>;
  /** Removes their tokens and sessions with them. Whether there was one. */
  remove(id: string): Promise<boolean>;
  findById(id: string): Promise<UserRecord | undefined>;
  findByUsername(username: string): Promise<UserRecord | undefined>;
  /** All, by user name. */
  list(): Promise<readonly UserRecord[]>;
  /** One page. */
  listPage(request: UserListRequest): Promise<Page<UserRecord>>;
  /** Notes when and from where the user was last seen; an earlier time than the stored one is ignored. */
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
        const pattern = `%${escapeLike(nameKey(request.search))}%`;
        matching = matching.where(sql<boolean>`${sql.ref('search_key')} like ${pattern} escape '!'`);
      }
      const sort = request.sort === undefined || request.sort === 'username' ? 'username_key' : request.sort;
      const rows = await matching
        .selectAll()
        .orderBy(sort, (order) => {
          // Users who were never seen come last, in both databases.
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
        return found(await findOne(transaction, 'id', row.id));
      }),

    update: (id: string, changes: UserChanges): Promise<UserRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        // Locks the row on both databases (`for update` is PostgreSQL's alone), so that of two changes at
        // the same time the second starts from what the first has made.
        const before = await transaction
          .updateTable('users')
          .set({ id })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!before) return undefined;
        const after = { ...fromRow(before, []), ...changes };
        await transaction.updateTable('users').set(toColumns(after)).where('id', '=', id).execute();
        if (changes.roles) await replaceRoles(transaction, id, changes.roles);
        return findOne(transaction, 'id', id);
      }),

    async remove(id: string): Promise<boolean> {
      // Tokens, sessions and memberships go with the row: their foreign keys cascade.
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

function found(user: UserRecord | undefined): UserRecord {
  if (!user) throw new Error('a user that was just stored is not there');
  return user;
}

/** One query for the roles of all rows. Larger lists than this take all memberships instead of naming users. */
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
  if (unknown !== undefined) throw new InvalidError(`there is no role \`${unknown}\``);
  await db
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: userId, role_id: role.id })))
    .execute();
}

/** `!` and not a backslash, which the databases and their settings treat in different ways. */
function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
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
