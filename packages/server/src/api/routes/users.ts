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
      description: 'The user from the configuration comes first.',
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
      description: 'The user from the configuration is in `context` and not in the pages.',
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
      description: '`permissions` is empty unless it is oneself or one may change them.',
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
        'Without `roles` the user gets the role Reader. Permissions and roles beyond one’s own need users:permissionsedit and users:rolesedit.',
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
        'Only what is in the body is changed. Permissions and roles are left alone when the caller may not change them.',
      permission: 'users:edit',
      instance,
      params,
      body: changeUserSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.change(request, request.params.username, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/:username',
      tag,
      summary: 'Delete a user',
      description: 'Their sessions and access tokens are dead at once on every node.',
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
      summary: 'Take all own permissions from a user',
      description: 'Those of their roles stay.',
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
      description: 'Ends the other sessions of the user. The old password is needed for one’s own.',
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
      description: 'Disabling ends their sessions; their tokens do not work until they are enabled again.',
      permission: 'users:edit',
      instance,
      params: z.object({ username: userParameter, status: accountStatusSchema }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => users.setStatus(request, request.params.username, request.params.status),
    }),
  ];
}
