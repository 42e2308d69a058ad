import {
  accountStatusSchema,
  changePasswordSchema,
  changePermissionsSchema,
  changePreferencesSchema,
  changeUserSchema,
  createUserSchema,
  userListQuerySchema,
  userListSchema,
  userPageQuerySchema,
  userPageSchema,
  userParameter,
  userSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { UserCredentials, Users } from '#auth/index.ts';
import { emptyReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Users';
const params = z.object({ username: userParameter });
const instance = ({ username }: { readonly username: string }) => username;

export interface UserRouteDeps {
  readonly users: Users & UserCredentials;
}

export function userRoutes(deps: UserRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...permissionRoutes(deps), ...credentialRoutes(deps)];
}

function readRoutes({ users }: UserRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/users',
      tag,
      summary: 'List all users',
      description: 'The root user from the configuration comes first.',
      permission: 'users:list',
      query: userListQuerySchema,
      responses: { 200: userListSchema },
      errors: [],
      handler: async (request) => {
        const { include_permissions: permissions, include_sessions: sessions } = request.query;
        return { users: await users.list(request, { permissions, sessions }) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/users/paginated',
      tag,
      summary: 'List users page by page',
      description: 'The root user from the configuration is in `context`, not in the pages.',
      permission: 'users:list',
      query: userPageQuerySchema,
      responses: { 200: userPageSchema },
      errors: [],
      handler: (request) => users.page(request, request.query),
    }),
    defineRoute({
      method: 'GET',
      path: '/users/id/:userId',
      tag,
      summary: 'Get one user by id',
      permission: 'users:edit',
      instance: ({ userId }) => userId,
      params: z.object({ userId: userParameter }),
      responses: { 200: userSchema },
      errors: ['not_found'],
      handler: (request) => users.get(request, request.params.userId),
    }),
    defineRoute({
      method: 'GET',
      path: '/users/:username',
      tag,
      summary: 'Get one user',
      description: '`permissions` is empty unless the caller is this user or may change the permissions.',
      permission: 'users:edit',
      instance,
      params,
      responses: { 200: userSchema },
      errors: ['not_found'],
      handler: (request) => users.get(request, request.params.username),
    }),
  ];
}

function changeRoutes({ users }: UserRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/users',
      tag,
      summary: 'Create a user',
      description:
        'Without `roles` the user gets the role Reader. Granting permissions or roles that the caller does not have needs users:permissionsedit or users:rolesedit.',
      permission: 'users:create',
      body: createUserSchema,
      responses: { 201: null },
      errors: [],
      handler: async (request) => {
        const user = await users.create(request, request.body);
        return emptyReply(201, { location: `/api/users/${encodeURIComponent(user.username)}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/:username',
      tag,
      summary: 'Change a user',
      description:
        'Changes only what is in the body. Permissions and roles are ignored if the caller may not change them.',
      permission: 'users:edit',
      instance,
      params,
      body: changeUserSchema,
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: (request) => users.change(request, request.params.username, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/:username',
      tag,
      summary: 'Delete a user',
      description: 'Their sessions and access tokens become invalid immediately on every node.',
      permission: 'users:edit',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.remove(request, request.params.username),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/id/:userId',
      tag,
      summary: 'Delete a user by id',
      permission: 'users:edit',
      instance: ({ userId }) => userId,
      params: z.object({ userId: userParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.remove(request, request.params.userId),
    }),
  ];
}

function permissionRoutes({ users }: UserRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/users/:username/permissions',
      tag,
      summary: 'Replace the permissions of a user',
      permission: 'users:permissionsedit',
      instance,
      params,
      body: changePermissionsSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.setPermissions(request, request.params.username, request.body.permissions),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/:username/permissions',
      tag,
      summary: 'Remove all direct permissions of a user',
      description: 'The permissions of their roles stay.',
      permission: 'users:permissionsedit',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.setPermissions(request, request.params.username, []),
    }),
  ];
}

function credentialRoutes({ users }: UserRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/users/:username/preferences',
      tag,
      summary: 'Replace the preferences of a user',
      permission: 'users:edit',
      instance,
      params,
      body: changePreferencesSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.setPreferences(request, request.params.username, request.body.preferences),
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/:username/password',
      tag,
      summary: 'Change the password of a user',
      description:
        'Ends the other sessions of the user. Changing your own password needs the old one; changing that of another user needs every permission that user has, or users:permissionsedit.',
      permission: 'users:passwordchange',
      instance,
      params,
      body: changePasswordSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.changePassword(request, request.params.username, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/:username/status/:status',
      tag,
      summary: 'Enable or disable a user',
      description:
        'Disabling ends the user’s sessions; their tokens do not work until the user is enabled again.',
      permission: 'users:edit',
      instance,
      params: z.object({ username: userParameter, status: accountStatusSchema }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.setStatus(request, request.params.username, request.params.status),
    }),
  ];
}
