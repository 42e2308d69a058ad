import {
  entityIdParameter,
  identifiedRoleSchema,
  pagingQuerySchema,
  roleAssigneesSchema,
  roleListSchema,
  roleMembersQuerySchema,
  roleMembersSchema,
  roleNameParameter,
  rolePageSchema,
  roleRequestSchema,
  roleSchema,
  userParameter,
  userRolesSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Roles, Users } from '#auth/index.ts';
import { ForbiddenError, pageOf } from '#core/index.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Roles';
const params = z.object({ rolename: roleNameParameter });
const instance = ({ rolename }: { readonly rolename: string }) => rolename;

export interface RoleRouteDeps {
  readonly roles: Roles;
  readonly users: Pick<Users, 'get'>;
}

export function roleRoutes(deps: RoleRouteDeps): Route[] {
  return [
    ...readRoutes(deps),
    ...changeRoutes(deps),
    ...memberRoutes(deps),
    ...identifiedRoutes(deps),
    userRolesRoute(deps),
  ];
}

function readRoutes({ roles }: RoleRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/roles',
      tag,
      summary: 'List all roles',
      permission: 'roles:read',
      responses: { 200: roleListSchema },
      errors: [],
      handler: async () => {
        const all = (await roles.list()).map(({ id: _, ...role }) => role);
        return { roles: all, total: all.length };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/roles/:rolename',
      tag,
      summary: 'Get one role',
      permission: 'roles:read',
      instance,
      params,
      responses: { 200: roleSchema },
      errors: ['not_found'],
      handler: (request) => roles.get(request.params.rolename),
    }),
  ];
}

function changeRoutes({ roles }: RoleRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/roles',
      tag,
      summary: 'Create a role',
      description:
        'Users can give a role only permissions they have themselves, except with users:permissionsedit.',
      permission: 'roles:create',
      body: roleRequestSchema,
      responses: { 201: roleSchema },
      errors: [],
      handler: async (request) => {
        const role = await roles.create(request, request.body);
        return reply(201, role, { location: `/api/roles/${encodeURIComponent(role.name)}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/roles/:rolename',
      tag,
      summary: 'Change a role',
      description:
        'Applies to all members with their next request. The built-in roles cannot be changed. 409 if it was changed since the revision that the request names.',
      permission: 'roles:edit',
      instance,
      params,
      body: roleRequestSchema,
      responses: { 200: roleSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => roles.change(request, request.params.rolename, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/roles/:rolename',
      tag,
      summary: 'Delete a role',
      description: 'Also removes it from its members. The built-in roles cannot be deleted.',
      permission: 'roles:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found', 'invalid_request'],
      handler: (request) => roles.remove(request, request.params.rolename),
    }),
  ];
}

function memberRoutes({ roles }: RoleRouteDeps): Route[] {
  const member = {
    tag,
    permission: 'roles:edit',
    instance,
    params: z.object({ rolename: roleNameParameter, username: userParameter }),
    responses: { 204: null },
    errors: ['not_found'],
  } as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/roles/:rolename/members',
      tag,
      summary: 'List the users who have a role',
      permission: 'users:list',
      params,
      query: roleMembersQuerySchema,
      responses: { 200: roleMembersSchema },
      errors: ['not_found'],
      handler: (request) => roles.members(request, request.params.rolename, request.query),
    }),
    defineRoute({
      ...member,
      method: 'PUT',
      path: '/roles/:rolename/members/:username',
      summary: 'Assign a role to a user',
      description: 'Also needs users:edit for the user. Does nothing if they already have it.',
      handler: (request) => {
        requireUserEdit(request.principal, request.params.username);
        return roles.addMember(request, request.params.rolename, request.params.username);
      },
    }),
    defineRoute({
      ...member,
      method: 'DELETE',
      path: '/roles/:rolename/members/:username',
      summary: 'Remove a role from a user',
      description: 'Also needs users:edit for the user. Does nothing if they do not have it.',
      handler: (request) => {
        requireUserEdit(request.principal, request.params.username);
        return roles.removeMember(request, request.params.rolename, request.params.username);
      },
    }),
  ];
}

/** Newer clients name roles by their ids. */
function identifiedRoutes({ roles }: RoleRouteDeps): Route[] {
  const one = { tag, params: z.object({ roleId: entityIdParameter }), errors: ['not_found'] } as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/authz/roles',
      tag,
      summary: 'List roles page by page',
      description: '`query` is looked for in name and description; `sort` is one of these.',
      permission: 'roles:read',
      query: pagingQuerySchema,
      responses: { 200: rolePageSchema },
      errors: [],
      handler: async (request) => {
        const { elements, numbers } = pageOf(await roles.list(), request.query, {
          name: ({ name }) => name,
          description: ({ description }) => description ?? '',
        });
        return { ...numbers, query: request.query.query, roles: elements.map((role) => role) };
      },
    }),
    defineRoute({
      ...one,
      method: 'GET',
      path: '/authz/roles/:roleId',
      summary: 'Get one role by its id',
      permission: 'roles:read',
      responses: { 200: identifiedRoleSchema },
      handler: (request) => roles.getById(request.params.roleId),
    }),
    defineRoute({
      ...one,
      method: 'GET',
      path: '/authz/roles/:roleId/assignees',
      summary: 'List the users who have a role page by page',
      description: '`query` is part of a user name or full name. They are sorted by user name.',
      permission: 'users:list',
      query: pagingQuerySchema,
      responses: { 200: roleAssigneesSchema },
      handler: async (request) => {
        const { page, per_page, query } = request.query;
        const { name } = await roles.getById(request.params.roleId);
        const { total, users } = await roles.members(request, name, { page, per_page, query });
        return { total, count: users.length, page, per_page, query, users };
      },
    }),
  ];
}

/** Newer clients ask for roles here; some test their connection with it. */
function userRolesRoute({ roles, users }: RoleRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/authz/roles/user/:username',
    tag,
    summary: 'List the roles of a user page by page',
    description: 'Includes those for which the caller has roles:read.',
    permission: 'users:edit',
    instance: ({ username }) => username,
    params: z.object({ username: userParameter }),
    query: pagingQuerySchema,
    responses: { 200: userRolesSchema },
    errors: ['not_found'],
    handler: async (request) =>
      roles.ofUser(request, await users.get(request, request.params.username), request.query),
  });
}

function requireUserEdit(
  principal: { can(permission: string, instance?: string): boolean },
  user: string,
): void {
  if (!principal.can('users:edit', user))
    throw new ForbiddenError(`Not authorized to access user ${user}`, { needs: `users:edit:${user}` });
}
