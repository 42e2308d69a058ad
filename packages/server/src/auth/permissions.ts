import { PERMISSION_CATALOGUE, READER_PERMISSIONS, SELF_PERMISSIONS } from '@millrace/contract';

export type { PermissionSet, PermittedInstances } from '@millrace/contract';
export { compilePermissions } from '@millrace/contract';

/** The permissions every user has on their own account. User names cannot contain `*`, `,` or `:`. */
export function selfPermissions(username: string): string[] {
  return SELF_PERMISSIONS.map((permission) => `${permission}:${username}`);
}

/** What the role Reader grants to `username`, including the permissions on their own account. */
export function readerPermissions(username: string): string[] {
  return [...READER_PERMISSIONS, ...selfPermissions(username)];
}

/** Groups and actions in the form of `GET /system/permissions`. */
export function permissionCatalogue(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(PERMISSION_CATALOGUE).map(([group, actions]) => [group, [...actions]]),
  );
}
