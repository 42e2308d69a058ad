import { READER_ROLE } from '@millrace/contract';
import { ForbiddenError, type Principal } from '#core/index.ts';
import type { RoleRecord } from '#metadata/index.ts';

/**
 * Nobody hands out more than they hold, unless handing out is what they were given: `users:permissionsedit`
 * is the right to grant any permission, `users:rolesedit` the right to give anybody any role. Without this,
 * `users:create` or `roles:edit` alone would be a way to `*`.
 */
export function requireMayGrant(principal: Principal, permissions: readonly string[]): void {
  if (principal.can('users:permissionsedit')) return;
  const beyond = permissions.find((permission) => !principal.can(permission));
  if (beyond === undefined) return;
  throw new ForbiddenError(
    `Not authorized to grant ${beyond}: you do not have it yourself, and you lack users:permissionsedit.`,
  );
}

/** The role Reader is what everybody may give to everybody. */
export function requireMayGiveRole(principal: Principal, role: RoleRecord): void {
  if (role.name === READER_ROLE || principal.can('users:rolesedit')) return;
  if (role.permissions.every((permission) => principal.can(permission))) return;
  throw new ForbiddenError(
    `Not authorized to give the role ${role.name}: it has permissions you do not have, and you lack users:rolesedit.`,
  );
}
