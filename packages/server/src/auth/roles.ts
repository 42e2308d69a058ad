import {
  ADMIN_ROLE,
  type IdentifiedRole,
  type PagingQuery,
  READER_PERMISSIONS,
  READER_ROLE,
  type Role,
  type RoleMembers,
  type RoleMembersQuery,
  type RoleRequest,
  type User,
  type UserRoles,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ConflictError,
  InvalidError,
  NotFoundError,
  pageOf,
  recordAction,
  requireRevision,
  revisionOf,
} from '#core/index.ts';
import type { Metadata, RoleRecord } from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import { requireMayAssignRole, requireMayGrant } from './granting.ts';
import { requireStoredUser, type Users } from './users.ts';

/** Named sets of permissions. Names ignore case. Admin and Reader are built in. */
export interface Roles {
  /** Creates or updates the built-in roles as this version defines them. */
  ensureBuiltIn(): Promise<void>;
  list(): Promise<IdentifiedRole[]>;
  get(name: string): Promise<Role>;
  getById(id: string): Promise<IdentifiedRole>;
  create(caller: Caller, request: RoleRequest): Promise<Role>;
  change(caller: Caller, name: string, request: RoleRequest): Promise<Role>;
  remove(caller: Caller, name: string): Promise<void>;
  members(caller: Caller, name: string, page: RoleMembersQuery): Promise<RoleMembers>;
  /** Those of a user that the caller may read. */
  ofUser(caller: Caller, user: User, page: PagingQuery): Promise<UserRoles>;
  addMember(caller: Caller, name: string, user: string): Promise<void>;
  removeMember(caller: Caller, name: string, user: string): Promise<void>;
}

export interface RolesDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly users: Pick<Users, 'list'>;
}

const BUILT_IN = [
  {
    name: ADMIN_ROLE,
    description: 'Grants all permissions for Millrace administrators (built-in)',
    permissions: ['*'],
    readOnly: true,
  },
  {
    name: READER_ROLE,
    description: 'Grants basic permissions for every Millrace user (built-in)',
    permissions: READER_PERMISSIONS,
    readOnly: true,
  },
] as const;

export function createRoles(deps: RolesDeps, settings: { readonly root: RootUserSettings }): Roles {
  return { ...createRoleDefinitions(deps), ...createRoleMembership(deps, settings.root) };
}

function createRoleDefinitions({ metadata, audit }: RolesDeps) {
  const { roles } = metadata.repositories;
  const record = (caller: Caller, action: `role.${string}`, before?: RoleRecord, after?: RoleRecord) =>
    recordAction(audit, caller, action, {
      objectId: (after ?? before)?.name,
      before: before && toAuditView(before),
      after: after && toAuditView(after),
    });

  return {
    async ensureBuiltIn(): Promise<void> {
      for (const role of BUILT_IN) await roles.ensure(role);
    },

    async list(): Promise<IdentifiedRole[]> {
      return (await roles.list()).map(toIdentifiedView);
    },

    async getById(id: string): Promise<IdentifiedRole> {
      const role = (await roles.list()).find((each) => each.id === id);
      if (role === undefined) throw new NotFoundError(`No role found with id ${id}`);
      return toIdentifiedView(role);
    },

    async get(name: string): Promise<Role> {
      return toView(await requireRole(metadata, name));
    },

    async create(caller: Caller, request: RoleRequest): Promise<Role> {
      requireMayGrant(caller.principal, request.permissions);
      const stored = await roles
        .insert({
          name: request.name,
          description: request.description ?? '',
          permissions: [...new Set(request.permissions)],
          readOnly: false,
        })
        .catch((error: unknown) => {
          throw error instanceof ConflictError ? nameTaken(request.name) : error;
        });
      await record(caller, 'role.create', undefined, stored);
      return toView(stored);
    },

    async change(caller: Caller, name: string, request: RoleRequest): Promise<Role> {
      const { id } = await requireChangeable(metadata, name, 'changed');
      // Somebody else may change it at the same time: only what is seen inside the transaction was replaced.
      let replaced: RoleRecord | undefined;
      const check = (stored: RoleRecord) => {
        requireRevision({
          what: `role "${stored.name}"`,
          revision: revisionOfRole(stored),
          wanted: request.revision,
        });
        const added = request.permissions.filter((permission) => !stored.permissions.includes(permission));
        requireMayGrant(caller.principal, added);
        replaced = stored;
      };
      const changes = {
        name: request.name,
        description: request.description ?? '',
        permissions: [...new Set(request.permissions)],
      };
      const after = await roles.update(id, changes, check).catch((error: unknown) => {
        throw error instanceof ConflictError ? nameTaken(request.name) : error;
      });
      if (after === undefined) throw roleNotFound(name);
      await record(caller, 'role.update', replaced, after);
      return toView(after);
    },

    async remove(caller: Caller, name: string): Promise<void> {
      const role = await requireChangeable(metadata, name, 'deleted');
      if (!(await roles.remove(role.id))) throw roleNotFound(name);
      await record(caller, 'role.delete', role);
    },
  };
}

function createRoleMembership({ metadata, audit, users }: RolesDeps, root: RootUserSettings) {
  const { repositories } = metadata;
  const record = (caller: Caller, action: `role.${string}`, role: string, member: string) =>
    recordAction(audit, caller, action, { objectId: role, after: { member } });

  return {
    async members(caller: Caller, name: string, wanted: RoleMembersQuery): Promise<RoleMembers> {
      const role = await requireRole(metadata, name);
      const isMember = (user: User) => user.roles.includes(role.name);
      const all = await users.list(caller, { permissions: true, sessions: true });
      const members = all.filter(isMember);
      const page = {
        ...wanted,
        per_page: wanted.per_page ?? Math.max(1, members.length),
        order: 'asc' as const,
      };
      const { elements, numbers } = pageOf(members, page, {
        username: ({ username }) => username,
        full_name: ({ full_name }) => full_name,
      });
      return { role: role.name, total: numbers.total, users: [...elements] };
    },

    async ofUser({ principal }: Caller, user: User, page: PagingQuery): Promise<UserRoles> {
      const all = await repositories.roles.list();
      const own = all.filter(({ name }) => user.roles.includes(name) && principal.can('roles:read', name));
      const { elements, numbers } = pageOf(own, page, {
        name: ({ name }) => name,
        description: ({ description }) => description,
        id: ({ id }) => id,
      });
      const roles = elements.map(toIdentifiedView);
      return { ...numbers, query: page.query, pagination: numbers, roles };
    },

    async addMember(caller: Caller, name: string, user: string): Promise<void> {
      const role = await requireRole(metadata, name);
      const member = await requireStoredUser(repositories, root, user, 'given another role');
      requireMayAssignRole(caller.principal, role);
      await repositories.roles.addMember(role.id, member.record.id);
      await record(caller, 'role.member.add', role.name, member.username);
    },

    async removeMember(caller: Caller, name: string, user: string): Promise<void> {
      const role = await requireRole(metadata, name);
      const member = await requireStoredUser(repositories, root, user, 'removed from a role');
      await repositories.roles.removeMember(role.id, member.record.id);
      await record(caller, 'role.member.remove', role.name, member.username);
    },
  };
}

async function requireRole(metadata: Metadata, name: string): Promise<RoleRecord> {
  const role = name.includes('\0') ? undefined : await metadata.repositories.roles.findByName(name);
  if (role === undefined) throw roleNotFound(name);
  return role;
}

async function requireChangeable(
  metadata: Metadata,
  name: string,
  attemptedChange: string,
): Promise<RoleRecord> {
  const role = await requireRole(metadata, name);
  if (!role.readOnly) return role;
  throw new InvalidError(
    `The role ${role.name} is built in and cannot be ${attemptedChange}. Create your own role instead.`,
  );
}

function roleNotFound(name: string): NotFoundError {
  return new NotFoundError(`No role found with name ${name}`);
}

function nameTaken(name: string): InvalidError {
  return new InvalidError(`The role name ${name} is already taken.`, { path: 'name' });
}

/** Of what people edit about a role; its members are changed elsewhere. */
function revisionOfRole({ name, description, permissions }: RoleRecord): string {
  return revisionOf([name, description, [...permissions].sort()]);
}

function toView(role: RoleRecord): Role {
  return { ...toAuditView(role), revision: revisionOfRole(role) };
}

function toIdentifiedView(role: RoleRecord): IdentifiedRole {
  return { id: role.id, ...toView(role) };
}

function toAuditView(role: RoleRecord): Omit<Role, 'revision'> {
  return {
    name: role.name,
    description: role.description === '' ? null : role.description,
    permissions: [...role.permissions],
    read_only: role.readOnly,
  };
}
