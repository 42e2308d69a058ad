import { ADMIN_ROLE, formatTimestamp, type User } from '@millrace/contract';
import { revisionOf } from '#core/index.ts';
import type { SessionRecord, UserRecord } from '#metadata/index.ts';
import { ROOT_USER_ID, type RootUserSettings } from './accounts.ts';
import { selfPermissions } from './permissions.ts';

/** What Graylog's web clients expect for a user who has not chosen anything. */
const DEFAULT_PREFERENCES = { updateUnfocussed: false, enableSmartSearch: true };

export interface UserViewOptions {
  /** Effective permissions; empty if the caller may not see them. */
  readonly permissions: readonly string[];
  /** The user's most recently used session, if requested and present. */
  readonly session?: Pick<SessionRecord, 'lastUsedAt' | 'clientAddress'> | undefined;
}

export function toUserView(user: UserRecord, { permissions, session }: UserViewOptions): User {
  const lastActivity = Math.max(session?.lastUsedAt ?? 0, user.lastActivity ?? 0);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    full_name: user.fullName,
    first_name: user.firstName,
    last_name: user.lastName,
    permissions: [...permissions],
    // Whoever may see none sees not even those on the own account, which everybody has.
    own_permissions: permissions.length === 0 ? null : [...user.permissions],
    grn_permissions: [],
    preferences: { ...DEFAULT_PREFERENCES, ...user.preferences },
    timezone: user.timezone,
    session_timeout_ms: user.sessionTimeoutMs,
    read_only: false,
    external: false,
    startpage: user.startpage,
    roles: [...user.roles],
    session_active: session !== undefined,
    last_activity: lastActivity === 0 ? null : formatTimestamp(lastActivity),
    client_address: session?.clientAddress ?? user.clientAddress,
    account_status: user.status,
    service_account: user.serviceAccount,
    auth_service_enabled: true,
    revision: userRevision(user),
  };
}

/** Of what people edit about a user. */
export function userRevision(user: UserRecord): string {
  const { fullName, firstName, lastName, email, permissions, roles, timezone, sessionTimeoutMs } = user;
  return revisionOf([
    fullName,
    firstName,
    lastName,
    email,
    [...permissions].sort(),
    [...roles].sort(),
    timezone,
    sessionTimeoutMs,
    user.startpage,
  ]);
}

export function toRootView(
  root: RootUserSettings,
  { permissions, session }: UserViewOptions,
  preferences: Readonly<Record<string, unknown>>,
): User {
  return {
    id: ROOT_USER_ID,
    username: root.username,
    email: root.email,
    full_name: 'Administrator',
    first_name: 'Administrator',
    last_name: '',
    permissions: [...permissions],
    own_permissions: permissions.length === 0 ? null : [...permissions],
    grn_permissions: [],
    preferences: { ...DEFAULT_PREFERENCES, ...preferences },
    timezone: root.timezone,
    session_timeout_ms: root.sessionTimeoutMs,
    read_only: true,
    external: false,
    startpage: null,
    roles: [ADMIN_ROLE],
    session_active: session !== undefined,
    last_activity: session === undefined ? null : formatTimestamp(session.lastUsedAt),
    client_address: session?.clientAddress ?? null,
    account_status: 'enabled',
    service_account: false,
    auth_service_enabled: true,
    // Comes from the configuration: nobody edits it.
    revision: revisionOf([root.username]),
  };
}

/** The user's direct permissions, those of their roles, and those on their own account. */
export function effectivePermissions(
  user: Pick<UserRecord, 'username' | 'permissions' | 'roles'>,
  permissionsOfRole: ReadonlyMap<string, readonly string[]>,
): string[] {
  const fromRoles = user.roles.flatMap((role) => permissionsOfRole.get(role) ?? []);
  return [...new Set([...user.permissions, ...fromRoles, ...selfPermissions(user.username)])].sort();
}

/** What the audit log keeps of a user: the fields that can be changed, but never the password or its hash. */
export function toAuditView(user: UserRecord): Record<string, unknown> {
  return {
    username: user.username,
    email: user.email,
    full_name: user.fullName,
    permissions: user.permissions,
    roles: user.roles,
    timezone: user.timezone,
    session_timeout_ms: user.sessionTimeoutMs,
    startpage: user.startpage,
    account_status: user.status,
    service_account: user.serviceAccount,
  };
}

export interface PersonName {
  readonly fullName: string;
  readonly firstName: string;
  readonly lastName: string;
}

/**
 * The name in both forms, whichever was sent. A full name is split at its last space: a guess, for clients that want
 * two fields. The full name itself is kept as given.
 */
export function readName(request: {
  readonly full_name?: string | undefined;
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
}): PersonName | undefined {
  const first = request.first_name?.trim() ?? '';
  const last = request.last_name?.trim() ?? '';
  if (first !== '' || last !== '') {
    return { fullName: `${first} ${last}`.trim(), firstName: first, lastName: last };
  }
  if (request.full_name === undefined) return undefined;
  const fullName = request.full_name.trim();
  const space = fullName.lastIndexOf(' ');
  return {
    fullName,
    firstName: space < 0 ? fullName : fullName.slice(0, space).trim(),
    lastName: space < 0 ? '' : fullName.slice(space + 1),
  };
}
