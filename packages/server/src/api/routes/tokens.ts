import {
  createdTokenSchema,
  tokenListSchema,
  tokenNameParameter,
  tokenOrIdParameter,
  userParameter,
} from '@millrace/contract';
import { z } from 'zod';
import type { Tokens } from '#auth/index.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Access tokens';

export function tokenRoutes({ tokens }: { readonly tokens: Tokens }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/users/:username/tokens',
      tag,
      summary: 'List the access tokens of the user',
      description:
        'All users, including administrators, see only their own. The secrets are not shown again.',
      permission: 'users:tokenlist',
      instance: (params) => params.username,
      params: z.object({ username: userParameter }),
      responses: { 200: tokenListSchema },
      errors: [],
      handler: async (request) => ({ tokens: await tokens.list(request, request.params.username) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/users/:username/tokens/:name',
      tag,
      summary: 'Create an access token',
      description:
        'All users, including administrators, create tokens only for themselves. Only this answer contains the secret.',
      permission: 'users:tokencreate',
      instance: (params) => params.username,
      params: z.object({ username: userParameter, name: tokenNameParameter }),
      responses: { 200: createdTokenSchema },
      errors: [],
      handler: (request) => tokens.create(request, request.params.username, request.params.name),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/:username/tokens/:token',
      tag,
      summary: 'Delete an access token',
      description: 'By its secret value or its id. It stops working immediately on every node.',
      permission: 'users:tokenremove',
      instance: (params) => params.username,
      params: z.object({ username: userParameter, token: tokenOrIdParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      secretParams: ['token'],
      handler: (request) => tokens.remove(request, request.params.username, request.params.token),
    }),
  ];
}
