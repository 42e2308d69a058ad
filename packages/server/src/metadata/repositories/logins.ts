import type { CompiledQuery, Kysely } from 'kysely';
import { BoundedMap } from '#core/index.ts';
import { nameKey } from '../columns.ts';
import type { ImmediateReader } from '../sqlite-reader.ts';
import type { Database } from '../tables/index.ts';
import type { UserStatus } from '../tables/users.ts';

/** What authentication needs to know about a user. It comes from one query, because it runs for every request. */
export interface LoginUser {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly status: UserStatus;
  readonly sessionTimeoutMs: number;
  /** The user's direct permissions and those of each role, as unparsed JSON arrays of strings. */
  readonly permissionLists: readonly string[];
}

export interface LoginSession {
  /** The name of the user who logged in. */
  readonly username: string;
  readonly lastUsedAt: number;
  readonly timeoutMs: number;
  /** Undefined for a session of the root user, who is not stored. */
  readonly user: LoginUser | undefined;
}

export interface LoginToken {
  readonly id: string;
  /** The name of the user who created the token. */
  readonly username: string;
  readonly lastAccess: number;
  /** Undefined for a token of the root user, who is not stored. */
  readonly user: LoginUser | undefined;
}

/**
 * The look-ups of authentication. Each one asks the database, so that a session ended or a user disabled on another
 * node is refused with the next request here. SQLite answers synchronously and returns the same object as before as
 * long as nothing has been written since. PostgreSQL answers with a promise. The statements are built once, because
 * building one takes several times as long as SQLite's answer.
 */
export interface LoginsRepository {
  /** Includes expired sessions: the caller checks the time. */
  findSession(idHash: string): Answer<LoginSession>;
  findToken(tokenHash: string): Answer<LoginToken>;
  /** Case matters. */
  findUser(username: string): Answer<LoginUser>;
}

type Answer<T> = T | undefined | Promise<T | undefined>;

interface UserColumns {
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly password_hash: string | null;
  readonly status: UserStatus | null;
  readonly session_timeout_ms: number | null;
  readonly permissions: string | null;
  readonly role_permissions: string | null;
}

export function createLoginsRepository(db: Kysely<Database>, reader?: ImmediateReader): LoginsRepository {
  const byName = lookup(db, reader, () => userQuery(db).compile(), toLoginUser);
  const exactly = (username: string, user: LoginUser | undefined) =>
    user?.username === username ? user : undefined;

  return {
    findSession: lookup(db, reader, () => sessionQuery(db).compile(), toLoginSession),
    findToken: lookup(db, reader, () => tokenQuery(db).compile(), toLoginToken),
    findUser(username) {
      const user = byName(nameKey(username));
      return user instanceof Promise
        ? user.then((found) => exactly(username, found))
        : exactly(username, user);
    },
  };
}

const MAX_CACHED_ANSWERS = 1000;

/** A statement with one parameter, built at its first use and run in the fastest available way. */
function lookup<Row, T>(
  db: Kysely<Database>,
  reader: ImmediateReader | undefined,
  build: () => CompiledQuery<Row>,
  convert: (rows: readonly Row[]) => T | undefined,
): (parameter: string) => Answer<T> {
  let compiled: CompiledQuery<Row> | undefined;
  let answersVersion: number | undefined;
  const answers = new BoundedMap<string, T>({ maxEntries: MAX_CACHED_ANSWERS });

  return (parameter) => {
    const version = reader?.version();
    if (version !== answersVersion) answers.clear();
    answersVersion = version;
    const known = answers.get(parameter);
    if (known !== undefined && version !== undefined) return known;

    compiled ??= build();
    // The statement selects the columns of `Row`, whichever connection runs it.
    const rows = reader?.read(compiled.sql, parameter) as readonly Row[] | undefined;
    if (rows !== undefined) {
      // A change between reading the version and this is cached under the old version; the next version drops it.
      const answer = convert(rows);
      if (answer !== undefined) answers.set(parameter, answer);
      return answer;
    }
    const query: CompiledQuery<Row> = { ...compiled, parameters: [parameter] };
    return db.executeQuery(query).then((result) => convert(result.rows));
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

interface SessionRow extends UserColumns {
  readonly username: string;
  readonly last_used_at: number;
  readonly timeout_ms: number;
}

function toLoginSession(rows: readonly SessionRow[]): LoginSession | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    username: row.username,
    lastUsedAt: row.last_used_at,
    timeoutMs: row.timeout_ms,
    user: toLoginUser(rows),
  };
}

interface TokenRow extends UserColumns {
  readonly id: string;
  readonly username: string;
  readonly last_access: number;
}

function toLoginToken(rows: readonly TokenRow[]): LoginToken | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  return { id: row.id, username: row.username, lastAccess: row.last_access, user: toLoginUser(rows) };
}

/** One row per role, or a single row without a role; all of the same user. */
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
