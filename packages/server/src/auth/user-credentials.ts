import type { AccountStatus, ChangePasswordRequest } from '@millrace/contract';
import { type AuditLog, type Caller, InvalidError, TooManyRequestsError } from '#core/index.ts';
import type { Metadata, UserRecord } from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import { requireMayGrant } from './granting.ts';
import type { PasswordLogin } from './login.ts';
import { hashSessionId } from './sessions.ts';
import { userNotFound } from './user-lookup.ts';
import { requireSomebodyElse, requireStored, withoutOwn } from './users.ts';

/** What decides whether a user comes in and what they may do then. Every change holds with the next request. */
export interface UserCredentials {
  /** Ends the user's other sessions: whoever knew the old password is out. Access tokens stay. */
  changePassword(caller: Caller, nameOrId: string, request: ChangePasswordRequest): Promise<void>;
  /** A disabled user's sessions end; their tokens stop working and work again when the user is enabled. */
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
  return { ...createPasswordAndStatus(deps, settings.root), ...createGrants(deps, settings.root) };
}

function createPasswordAndStatus(deps: UserCredentialsDeps, root: RootUserSettings) {
  const { metadata, audit } = deps;
  const record = (caller: Caller, action: string, username: string, after: unknown) =>
    audit.record({
      actor: caller.principal.username,
      address: caller.remoteAddress,
      action,
      objectType: 'user',
      objectId: username,
      after,
    });

  return {
    async changePassword(caller: Caller, nameOrId: string, request: ChangePasswordRequest): Promise<void> {
      const user = await requireStored(metadata.repositories, root, nameOrId, 'given another password');
      const { principal } = caller;
      const isOwn = principal.userId === user.record.id;
      if (isOwn || !principal.can('users:passwordchange')) {
        await requireOldPassword(deps.login, caller, user.record, request.old_password);
      }
      const passwordHash = await deps.hashPassword(request.password);
      const kept =
        isOwn && principal.sessionId !== undefined ? hashSessionId(principal.sessionId) : undefined;
      await metadata.transaction(async ({ repositories }) => {
        await repositories.users.update(user.record.id, { passwordHash });
        await repositories.sessions.removeByUsername(user.username, kept);
      });
      await record(caller, 'user.password.update', user.username, { password: 'changed' });
    },

    async setStatus(caller: Caller, nameOrId: string, status: AccountStatus): Promise<void> {
      if (status === 'deleted') {
        throw new InvalidError('A user is deleted with DELETE; here the status is "enabled" or "disabled".');
      }
      const user = await requireStored(metadata.repositories, root, nameOrId, `${status}`);
      if (status === 'disabled') requireSomebodyElse(caller, user.record, 'disable');
      await metadata.transaction(async ({ repositories }) => {
        await repositories.users.update(user.record.id, { status });
        if (status === 'disabled') await repositories.sessions.removeByUsername(user.username);
      });
      await record(caller, 'user.status.update', user.username, { account_status: status });
    },
  };
}

/** The check is a login, so guessing here is slowed down and refused like guessing there. */
async function requireOldPassword(
  login: PasswordLogin,
  { remoteAddress }: Caller,
  user: UserRecord,
  oldPassword: string | null | undefined,
): Promise<void> {
  if (typeof oldPassword !== 'string' || oldPassword === '') {
    throw new InvalidError('The old password is needed: send it as old_password.');
  }
  const outcome = await login.verify({ username: user.username, password: oldPassword, remoteAddress });
  if (outcome.kind === 'refused') {
    throw new TooManyRequestsError(
      `Too many wrong passwords. Try again in ${outcome.retryAfterSeconds} seconds.`,
      outcome.retryAfterSeconds,
    );
  }
  if (outcome.kind === 'wrong') throw new InvalidError('The old password is wrong.');
}

function createGrants({ metadata, audit }: UserCredentialsDeps, root: RootUserSettings) {
  return {
    async setPermissions(caller: Caller, nameOrId: string, permissions: readonly string[]): Promise<void> {
      const { username, record } = await requireStored(metadata.repositories, root, nameOrId, 'changed');
      const own = withoutOwn(permissions, username);
      requireMayGrant(
        caller.principal,
        own.filter((permission) => !record.permissions.includes(permission)),
      );
      const after = await metadata.repositories.users.update(record.id, { permissions: own });
      if (after === undefined) throw userNotFound(nameOrId);
      await audit.record({
        actor: caller.principal.username,
        address: caller.remoteAddress,
        action: 'user.permissions.update',
        objectType: 'user',
        objectId: username,
        before: { permissions: record.permissions },
        after: { permissions: own },
      });
    },
  };
}
