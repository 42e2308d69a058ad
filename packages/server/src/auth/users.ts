import {
  type ChangeUserRequest,
  type CreateUserRequest,
  READER_ROLE,
  type User,
  type UserPage,
  type UserPageQuery,
  type UserPreferences,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ConflictError,
  InvalidError,
  recordAction,
  requireRevision,
} from '#core/index.ts';
import {
  type Metadata,
  type NewUser,
  nameKey,
  type Repositories,
  type SessionRecord,
  type UserChanges,
  type UserRecord,
} from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import { requireMayAssignRole, requireMayGrant } from './granting.ts';
import { selfPermissions } from './permissions.ts';
import { type FoundUser, findUser, userNotFound } from './user-lookup.ts';
import {
  effectivePermissions,
  readName,
  toAuditView,
  toRootView,
  toUserView,
  userRevision,
} from './user-view.ts';

/**
 * The users of the API. Paths contain a user name or id. The root user is listed like the others, but comes from the
 * configuration: changing it is refused with 400.
 *
 * Administrators cannot lock themselves out: the root user and the role Admin cannot be changed or deleted here, and
 * nobody can delete or disable their own account. All other users can be removed, because root can always log in.
 */
export interface Users {
  list(
    caller: Caller,
    include: { readonly permissions: boolean; readonly sessions: boolean },
  ): Promise<User[]>;
  page(caller: Caller, query: UserPageQuery): Promise<UserPage>;
  get(caller: Caller, nameOrId: string): Promise<User>;
  create(caller: Caller, request: CreateUserRequest): Promise<User>;
  change(caller: Caller, nameOrId: string, request: ChangeUserRequest): Promise<void>;
  remove(caller: Caller, nameOrId: string): Promise<void>;
  setPreferences(caller: Caller, nameOrId: string, preferences: UserPreferences): Promise<void>;
}

export interface UsersDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly hashPassword: (password: string) => Promise<string>;
}

const ROOT_PREFERENCES_SETTING = 'root_user_preferences';

export function createUsers(deps: UsersDeps, settings: { readonly root: RootUserSettings }): Users {
  const { root } = settings;
  return {
    ...createUserReads(deps, root),
    ...createUserWrites(deps, root),
    ...createPreferences(deps, root),
  };
}

/** What a view of a user needs besides its row. */
interface ViewContext {
  readonly permissionsOfRole: ReadonlyMap<string, readonly string[]>;
  readonly sessions: ReadonlyMap<string, SessionRecord>;
  readonly rootPreferences: Readonly<Record<string, unknown>>;
}

async function readViewContext(repositories: Repositories, withSessions: boolean): Promise<ViewContext> {
  const roles = await repositories.roles.list();
  const latest = withSessions ? await repositories.sessions.listLatest() : [];
  const preferences = await repositories.clusterSettings.find(ROOT_PREFERENCES_SETTING);
  return {
    permissionsOfRole: new Map(roles.map((role) => [role.name, role.permissions])),
    sessions: new Map(latest.map((session) => [session.username, session])),
    rootPreferences: typeof preferences === 'object' && preferences !== null ? { ...preferences } : {},
  };
}

function createUserReads({ metadata }: UsersDeps, root: RootUserSettings) {
  const { repositories } = metadata;

  /** Only the user and callers who may change the user's permissions see them. */
  const view = ({ principal }: Caller, user: FoundUser, context: ViewContext): User => {
    const maySeePermissions =
      principal.username === user.username || principal.can('users:permissionsedit', user.username);
    const session = context.sessions.get(user.username);
    if (user.isRoot) {
      const permissions = maySeePermissions ? ['*'] : [];
      return toRootView(root, { permissions, session }, context.rootPreferences);
    }
    const permissions = maySeePermissions ? effectivePermissions(user.record, context.permissionsOfRole) : [];
    return toUserView(user.record, { permissions, session });
  };
  const storedUser = (record: UserRecord): FoundUser => ({
    isRoot: false,
    username: record.username,
    record,
  });
  const rootUser: FoundUser = { isRoot: true, username: root.username };

  return {
    async list(caller: Caller, include: { readonly permissions: boolean; readonly sessions: boolean }) {
      const context = await readViewContext(repositories, include.sessions);
      const users = [rootUser, ...(await repositories.users.list()).map(storedUser)];
      const views = users.map((user) => view(caller, user, context));
      return include.permissions
        ? views
        : views.map((user) => ({ ...user, permissions: [], own_permissions: null }));
    },

    async page(caller: Caller, query: UserPageQuery): Promise<UserPage> {
      const context = await readViewContext(repositories, true);
      const { items, total } = await repositories.users.listPage({
        limit: query.per_page,
        offset: (query.page - 1) * query.per_page,
        search: query.query,
        sort: query.sort,
        descending: query.order === 'desc',
      });
      const numbers = { total, count: items.length, page: query.page, per_page: query.per_page };
      return {
        query: query.query,
        sort: query.sort,
        order: query.order,
        ...numbers,
        pagination: numbers,
        users: items.map((record) => view(caller, storedUser(record), context)),
        context: { admin_user: view(caller, rootUser, context) },
      };
    },

    async get(caller: Caller, nameOrId: string): Promise<User> {
      const user = await findUser(repositories.users, root, nameOrId);
      return view(caller, user, await readViewContext(repositories, true));
    },
  };
}

function createUserWrites(deps: UsersDeps, root: RootUserSettings) {
  const { metadata, audit } = deps;
  const { repositories } = metadata;

  return {
    async create(caller: Caller, request: CreateUserRequest): Promise<User> {
      const { principal } = caller;
      if (nameKey(request.username) === nameKey(root.username)) throw nameTaken(request.username);
      const roles = request.roles ?? [READER_ROLE];
      requireMayGrant(principal, request.permissions);
      await requireMayAssignRoles(caller, repositories, roles);
      // Avoids the slow hash for a taken name. The insert below makes the final decision.
      if (await repositories.users.findByUsername(request.username)) throw nameTaken(request.username);
      const passwordHash = await deps.hashPassword(request.password);
      const user = newUser(request, roles, passwordHash, root.sessionTimeoutMs);
      const record = await repositories.users.insert(user).catch((error: unknown) => {
        throw error instanceof ConflictError ? nameTaken(request.username) : error;
      });
      await recordAction(audit, caller, 'user.create', {
        objectId: record.username,
        after: toAuditView(record),
      });
      return toUserView(record, { permissions: [] });
    },

    async change(caller: Caller, nameOrId: string, request: ChangeUserRequest): Promise<void> {
      const { username, record } = await requireStoredUser(repositories, root, nameOrId, 'changed');
      const changes = await readChanges(caller, repositories, record, request);
      const after = await metadata.transaction(async (scope) => {
        const { users, sessions } = scope.repositories;
        // First the user, then the sessions, as everywhere: otherwise two changes at once would wait for each other.
        const changed = await users.update(record.id, changes, (stored) =>
          requireRevision({
            what: `user "${username}"`,
            revision: userRevision(stored),
            wanted: request.revision,
          }),
        );
        if (changes.sessionTimeoutMs !== undefined) {
          await sessions.changeTimeout(username, changes.sessionTimeoutMs);
        }
        return changed;
      });
      if (after === undefined) throw userNotFound(nameOrId);
      await recordAction(audit, caller, 'user.update', {
        objectId: username,
        before: toAuditView(record),
        after: toAuditView(after),
      });
    },

    async remove(caller: Caller, nameOrId: string): Promise<void> {
      const { username, record } = await requireStoredUser(repositories, root, nameOrId, 'deleted');
      requireOtherUser(caller, record, 'delete');
      // The row's tokens and sessions are deleted with it, so they fail with the next request on every node.
      if (!(await repositories.users.remove(record.id))) throw userNotFound(nameOrId);
      await recordAction(audit, caller, 'user.delete', {
        objectId: username,
        before: toAuditView(record),
      });
    },
  };
}

function createPreferences({ metadata, audit }: UsersDeps, root: RootUserSettings) {
  const { repositories } = metadata;

  return {
    async setPreferences(caller: Caller, nameOrId: string, preferences: UserPreferences): Promise<void> {
      const user = await findUser(repositories.users, root, nameOrId);
      // Preferences of the web interface are the only thing about the root user that can be changed here.
      if (user.isRoot) await repositories.clusterSettings.set(ROOT_PREFERENCES_SETTING, preferences);
      else await repositories.users.update(user.record.id, { preferences });
      await recordAction(audit, caller, 'user.preferences.update', {
        objectId: user.username,
        after: preferences,
      });
    },
  };
}

/** Finds a stored user by name or id; refuses the root user. */
export async function requireStoredUser(
  repositories: Repositories,
  root: RootUserSettings,
  nameOrId: string,
  attemptedChange: string,
): Promise<Extract<FoundUser, { isRoot: false }>> {
  const user = await findUser(repositories.users, root, nameOrId);
  if (!user.isRoot) return user;
  throw new InvalidError(
    `User ${user.username} comes from the server configuration and cannot be ${attemptedChange} here. Change root_username, root_password_sha2 or root_email there.`,
  );
}

export function requireOtherUser({ principal }: Caller, user: UserRecord, verb: string): void {
  if (principal.userId !== user.id) return;
  throw new InvalidError(`You cannot ${verb} your own account ${user.username}; ask another administrator.`);
}

function nameTaken(username: string): InvalidError {
  return new InvalidError(`Cannot create user ${username}. Username is already taken.`, { path: 'username' });
}

async function requireMayAssignRoles(
  { principal }: Caller,
  repositories: Repositories,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const role = await repositories.roles.findByName(name);
    if (role === undefined) throw new InvalidError(`The role ${name} does not exist.`, { path: 'roles' });
    requireMayAssignRole(principal, role);
  }
}

function newUser(
  request: CreateUserRequest,
  roles: readonly string[],
  passwordHash: string,
  defaultSessionTimeoutMs: number,
): NewUser {
  const name = readName(request) ?? { fullName: '', firstName: '', lastName: '' };
  return {
    username: request.username,
    passwordHash,
    email: request.email,
    ...name,
    permissions: withoutSelfPermissions(request.permissions, request.username),
    preferences: request.preferences ?? {},
    timezone: request.timezone ?? null,
    sessionTimeoutMs: request.session_timeout_ms ?? defaultSessionTimeoutMs,
    startpage: request.startpage ?? null,
    roles,
    status: 'enabled',
    serviceAccount: request.service_account ?? false,
  };
}

/**
 * The changes of a request that the caller may make. Clients send back a whole user as they read it, so permissions and
 * roles that the caller may not change are ignored, as in Graylog, not refused.
 */
async function readChanges(
  caller: Caller,
  repositories: Repositories,
  user: UserRecord,
  request: ChangeUserRequest,
): Promise<UserChanges> {
  const { principal } = caller;
  const changes: { -readonly [Key in keyof UserChanges]: UserChanges[Key] } = { ...readName(request) };
  if (request.email !== undefined) changes.email = request.email;
  if (request.timezone !== undefined) changes.timezone = request.timezone;
  if (request.startpage !== undefined) changes.startpage = request.startpage;
  if (typeof request.session_timeout_ms === 'number') changes.sessionTimeoutMs = request.session_timeout_ms;
  if (typeof request.service_account === 'boolean' && principal.can('users:edit')) {
    changes.serviceAccount = request.service_account;
  }
  if (Array.isArray(request.roles) && principal.can('users:rolesedit', user.username)) {
    await requireMayAssignRoles(caller, repositories, addedTo(user.roles, request.roles));
    changes.roles = request.roles;
  }
  if (request.permissions !== undefined && principal.can('users:permissionsedit', user.username)) {
    const inherited = await repositories.roles.findByNames(changes.roles ?? user.roles);
    const fromRoles = new Set(inherited.flatMap((role) => role.permissions));
    const direct = withoutSelfPermissions(request.permissions, user.username).filter(
      (permission) => !fromRoles.has(permission) || user.permissions.includes(permission),
    );
    requireMayGrant(principal, addedTo(user.permissions, direct));
    changes.permissions = direct;
  }
  return changes;
}

function addedTo(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((value) => !before.includes(value));
}

/** Every user has these permissions on their own account, so they are not stored. */
export function withoutSelfPermissions(permissions: readonly string[], username: string): string[] {
  const self = new Set(selfPermissions(username));
  return [...new Set(permissions)].filter((permission) => !self.has(permission));
}
