import type { AccountStatus, ChangePasswordRequest } from '@millrace/contract';
import { type AuditLog, type Caller, InvalidError, recordAction, TooManyRequestsError } from '#core/index.ts';
import type { Metadata, Repositories, UserRecord } from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import { requireMayGrant, requireMaySetPassword } from './granting.ts';
import type { PasswordLogin } from './login.ts';
import { hashSessionId } from './sessions.ts';
import { userNotFound } from './user-lookup.ts';
import { requireOtherUser, requireStoredUser, withoutSelfPermissions } from './users.ts';

/** What decides whether a user can log in and what they may do. Every change takes effect with the next request. */
export interface UserCredentials {
  /** Ends the user's other sessions, so that whoever knew the old password is logged out. Access tokens stay valid. */
  changePassword(caller: Caller, nameOrId: string, request: ChangePasswordRequest): Promise<void>;
  /** Disabling a user ends their sessions; their tokens stop working until the user is enabled again. */
  setStatus(caller: Caller, nameOrId: string, status: AccountStatus): Promise<void>;
  setPermissions(caller: Caller, nameOrId: string, permissions: readonly string[]): Promise<void>;
}

export interface UserCredentialsDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly login: PasswordLogin;
  readonly hashPassword: (password: string) => Promise<string>;
}

export function createUserCredentials(
  deps: UserCredentialsDeps,
  settings: { readonly root: RootUserSettings },
): UserCredentials {
  return { ...createPasswordAndStatus(deps, settings.root), ...createPermissionChanges(deps, settings.root) };
}

function createPasswordAndStatus(deps: UserCredentialsDeps, root: RootUserSettings) {
  const { metadata, audit } = deps;
  return {
    async changePassword(caller: Caller, nameOrId: string, request: ChangePasswordRequest): Promise<void> {
      const user = await requireStoredUser(metadata.repositories, root, nameOrId, 'given another password');
      const { principal } = caller;
      const isOwn = principal.userId === user.record.id;
      if (isOwn || !principal.can('users:passwordchange')) {
        await requireOldPassword(deps.login, caller, user.record, request.old_password);
      } else {
        const permissions = await grantedPermissions(metadata.repositories, user.record);
        requireMaySetPassword(principal, { username: user.username, permissions });
      }
      const passwordHash = await deps.hashPassword(request.password);
      const kept =
        isOwn && principal.sessionId !== undefined ? hashSessionId(principal.sessionId) : undefined;
      await metadata.transaction(async ({ repositories }) => {
        await repositories.users.update(user.record.id, { passwordHash });
        await repositories.sessions.removeByUsername(user.username, kept);
      });
      await recordAction(audit, caller, 'user.password.update', {
        objectId: user.username,
        after: { password: 'changed' },
      });
    },

    async setStatus(caller: Caller, nameOrId: string, status: AccountStatus): Promise<void> {
      if (status === 'deleted') {
        throw new InvalidError('Use DELETE to delete a user. The status must be "enabled" or "disabled".');
      }
      const user = await requireStoredUser(metadata.repositories, root, nameOrId, `${status}`);
      if (status === 'disabled') requireOtherUser(caller, user.record, 'disable');
      await metadata.transaction(async ({ repositories }) => {
        await repositories.users.update(user.record.id, { status });
        if (status === 'disabled') await repositories.sessions.removeByUsername(user.username);
      });
      await recordAction(audit, caller, 'user.status.update', {
        objectId: user.username,
        after: { account_status: status },
      });
    },
  };
}

/** Direct and from roles; without those that all users have on their own account. */
async function grantedPermissions(repositories: Repositories, user: UserRecord): Promise<string[]> {
  const roles = await repositories.roles.findByNames(user.roles);
  const all = [...user.permissions, ...roles.flatMap((role) => role.permissions)];
  return withoutSelfPermissions(all, user.username);
}

/** The check counts as a login, so guessing is throttled in the same way. */
async function requireOldPassword(
  login: PasswordLogin,
  { principal, remoteAddress }: Caller,
  user: UserRecord,
  oldPassword: string | null | undefined,
): Promise<void> {
  if (typeof oldPassword !== 'string' || oldPassword === '') {
    throw new InvalidError('The old password is required: send it as old_password.', {
      path: 'old_password',
    });
  }
  const outcome = await login.verify({
    username: user.username,
    password: oldPassword,
    remoteAddress,
    callerId: principal.userId,
  });
  if (outcome.kind === 'refused') {
    throw new TooManyRequestsError(
      `Too many wrong passwords. Try again in ${outcome.retryAfterSeconds} seconds.`,
      outcome.retryAfterSeconds,
    );
  }
  if (outcome.kind === 'wrong')
    throw new InvalidError('The old password is wrong.', { path: 'old_password' });
}

function createPermissionChanges({ metadata, audit }: UserCredentialsDeps, root: RootUserSettings) {
  return {
    async setPermissions(caller: Caller, nameOrId: string, permissions: readonly string[]): Promise<void> {
      const { username, record } = await requireStoredUser(metadata.repositories, root, nameOrId, 'changed');
      const direct = withoutSelfPermissions(permissions, username);
      requireMayGrant(
        caller.principal,
        direct.filter((permission) => !record.permissions.includes(permission)),
      );
      const after = await metadata.repositories.users.update(record.id, { permissions: direct });
      if (after === undefined) throw userNotFound(nameOrId);
      await recordAction(audit, caller, 'user.permissions.update', {
        objectId: username,
        before: { permissions: record.permissions },
        after: { permissions: direct },
      });
    },
  };
}
