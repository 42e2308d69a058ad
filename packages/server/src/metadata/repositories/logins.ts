import type { CompiledQuery, Kysely } from 'kysely';
import { nameKey } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { UserStatus } from '../tables/users.ts';

/** What must be known of a user to let them in. Everything comes with one query: it runs for every request. */
export interface LoginUser {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly status: UserStatus;
  readonly sessionTimeoutMs: number;
  /** The user's own permissions and those of each role, as JSON arrays of texts, unparsed. */
  readonly permissionLists: readonly string[];
}

export interface LoginSession {
  /** The name the session was made for. */
  readonly username: string;
  readonly lastUsedAt: number;
  readonly timeoutMs: number;
  /** Undefined for a session of the root user, who is not in the database. */
  readonly user: LoginUser | undefined;
}

export interface LoginToken {
  readonly id: string;
  /** The name the token was made for. */
  readonly username: string;
  readonly lastAccess: number;
  /** Undefined for a token of the root user, who is not in the database. */
  readonly user: LoginUser | undefined;
}

/**
 * The look-ups of authentication. Nothing is cached, so that a session that was ended or a user that was
 * disabled on another node is out with the next request here. The statements are built once: building one costs
 * several times what SQLite takes to answer it.
 */
export interface LoginsRepository {
  /** Expired sessions too: the caller knows the time. */
  findSession(idHash: string): Promise<LoginSession | undefined>;
  findToken(tokenHash: string): Promise<LoginToken | undefined>;
  /** The user with exactly this name: case counts. */
  findUser(username: string): Promise<LoginUser | undefined>;
}

interface UserColumns {
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly password_hash: string | null;
  readonly status: UserStatus | null;
  readonly session_timeout_ms: number | null;
  readonly permissions: string | null;
  readonly role_permissions: string | null;
}

export function createLoginsRepository(db: Kysely<Database>): LoginsRepository {
  const bySession = prepared(() => sessionQuery(db).compile());
  const byToken = prepared(() => tokenQuery(db).compile());
  const byName = prepared(() => userQuery(db).compile());

  return {
    async findSession(idHash) {
      const { rows } = await db.executeQuery(bySession(idHash));
      const [row] = rows;
      return (
        row && {
          username: row.username,
          lastUsedAt: row.last_used_at,
          timeoutMs: row.timeout_ms,
          user: toLoginUser(rows),
        }
      );
    },

    async findToken(tokenHash) {
      const { rows } = await db.executeQuery(byToken(tokenHash));
      const [row] = rows;
      return (
        row && { id: row.id, username: row.username, lastAccess: row.last_access, user: toLoginUser(rows) }
      );
    },

    async findUser(username) {
      const { rows } = await db.executeQuery(byName(nameKey(username)));
      const user = toLoginUser(rows);
      return user?.username === username ? user : undefined;
    },
  };
}

/** A statement with one parameter, built at its first use. */
function prepared<Row>(build: () => CompiledQuery<Row>): (parameter: string) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (parameter) => {
    compiled ??= build();
    return { ...compiled, parameters: [parameter] };
  };
}

function sessionQuery(db: Kysely<Database>) {
  return db
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .where('sessions.id_hash', '=', '')
    .orderBy('roles.id')
    .select(['sessions.username', 'sessions.last_used_at', 'sessions.timeout_ms', ...USER_COLUMNS]);
}

function tokenQuery(db: Kysely<Database>) {
  return db
    .selectFrom('access_tokens')
    .leftJoin('users', 'users.id', 'access_tokens.user_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .where('access_tokens.token_hash', '=', '')
    .orderBy('roles.id')
    .select(['access_tokens.id', 'access_tokens.username', 'access_tokens.last_access', ...USER_COLUMNS]);
}

function userQuery(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .where('users.username_key', '=', '')
    .orderBy('roles.id')
    .select(USER_COLUMNS);
}

const USER_COLUMNS = [
  'users.id as user_id',
  'users.username as user_name',
  'users.password_hash',
  'users.status',
  'users.session_timeout_ms',
  'users.permissions',
  'roles.permissions as role_permissions',
] as const;

/** One row for each role, or one without: the same user in all of them. */
function toLoginUser(rows: readonly UserColumns[]): LoginUser | undefined {
  const [row] = rows;
  if (row === undefined || row.user_id === null || row.user_name === null) return undefined;
  const permissionLists = row.permissions === null ? [] : [row.permissions];
  for (const { role_permissions: list } of rows) if (list !== null) permissionLists.push(list);
  return {
    id: row.user_id,
    username: row.user_name,
    passwordHash: row.password_hash ?? '',
    status: row.status ?? 'disabled',
    sessionTimeoutMs: row.session_timeout_ms ?? 0,
    permissionLists,
  };
}
