import type { ChangeUserRequest, User } from '@millrace/contract';
import { type SessionTimeout, sessionTimeoutOf, timeoutMs } from '../../lib/account/index.ts';
import { permissionsOf, type Rights, rightsOf } from './rights.ts';

/** What the form of a user edits. */
export interface UserDraft {
  readonly fullName: string;
  readonly email: string;
  readonly timeout: SessionTimeout;
  readonly roles: readonly string[];
  readonly rights: Rights;
}

export const draftOf = (user: User): UserDraft => ({
  fullName: user.full_name,
  email: user.email,
  timeout: sessionTimeoutOf(user.session_timeout_ms),
  roles: user.roles,
  rights: rightsOf(user.own_permissions ?? []),
});

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export const isSameDraft = (a: UserDraft, b: UserDraft) => isSame(a, b);

/** Only what differs: the rest may have been changed by somebody else since the page was opened. */
export function changesOf(draft: UserDraft, base: UserDraft): Partial<ChangeUserRequest> {
  const permissions = permissionsOf(draft.rights);
  const timeout = timeoutMs(draft.timeout);
  return {
    ...(draft.fullName !== base.fullName && { full_name: draft.fullName.trim() }),
    ...(draft.email !== base.email && { email: draft.email.trim() }),
    ...(timeout !== undefined && timeout !== timeoutMs(base.timeout) && { session_timeout_ms: timeout }),
    ...(!isSame(draft.roles, base.roles) && { roles: [...draft.roles] }),
    ...(!isSame(permissions, permissionsOf(base.rights)) && { permissions }),
  };
}

/** After saving: what is stored now, and on it what was typed since `sent` was on its way. */
export function rebased(draft: UserDraft, sent: UserDraft, stored: UserDraft): UserDraft {
  const newer = <Key extends keyof UserDraft>(key: Key): UserDraft[Key] =>
    isSame(draft[key], sent[key]) ? stored[key] : draft[key];
  return {
    fullName: newer('fullName'),
    email: newer('email'),
    timeout: newer('timeout'),
    roles: newer('roles'),
    rights: newer('rights'),
  };
}
