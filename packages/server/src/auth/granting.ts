import { READER_ROLE } from '@millrace/contract';
import { ForbiddenError, type Principal } from '#core/index.ts';
import type { RoleRecord } from '#metadata/index.ts';

/**
 * Callers can only grant permissions they have themselves, with two exceptions: `users:permissionsedit` is the right to
 * grant any permission, `users:rolesedit` the right to assign any role. Without this rule, `users:create` or
 * `roles:edit` alone would lead to `*`.
 */
export function requireMayGrant(principal: Principal, permissions: readonly string[]): void {
  if (principal.can('users:permissionsedit')) return;
  const notHeld = permissions.find((permission) => !principal.can(permission));
  if (notHeld === undefined) return;
  throw new ForbiddenError(
    `Not authorized to grant ${notHeld}: you do not have it yourself, and you lack users:permissionsedit.`,
  );
}

/**
 * Whoever sets the password of a user can become that user. So callers need every permission the user has, or the right
 * to grant them to themselves.
 */
export function requireMaySetPassword(
  principal: Principal,
  user: { readonly username: string; readonly permissions: readonly string[] },
): void {
  if (principal.can('users:permissionsedit')) return;
  if (user.permissions.every((permission) => principal.can(permission))) return;
  throw new ForbiddenError(
    `Not authorized to set the password of ${user.username}, who has permissions you do not have.`,
    { needs: 'users:permissionsedit' },
  );
}

/** Everybody may assign the role Reader. */
export function requireMayAssignRole(principal: Principal, role: RoleRecord): void {
  if (role.name === READER_ROLE || principal.can('users:rolesedit')) return;
  if (role.permissions.every((permission) => principal.can(permission))) return;
  throw new ForbiddenError(
    `Not authorized to assign the role ${role.name}: it has permissions you do not have, and you lack users:rolesedit.`,
    { needs: 'users:rolesedit' },
  );
}
