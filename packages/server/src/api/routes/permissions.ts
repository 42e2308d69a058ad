import { permissionCatalogueSchema, readerPermissionsSchema, userParameter } from '@millrace/contract';
import { z } from 'zod';
import { permissionCatalogue, readerPermissions } from '#auth/index.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Permissions';

export function permissionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/permissions',
      tag,
      summary: 'List all permissions',
      permission: { kind: 'authenticated' },
      responses: { 200: permissionCatalogueSchema },
      errors: [],
      handler: () => ({ permissions: permissionCatalogue() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/permissions/reader/:username',
      tag,
      summary: 'List the permissions of a user with the role Reader',
      description: 'The same for every user except for the name, so the user need not exist.',
      permission: { kind: 'authenticated' },
      params: z.object({ username: userParameter }),
      responses: { 200: readerPermissionsSchema },
      errors: [],
      handler: ({ params }) => ({ permissions: readerPermissions(params.username) }),
    }),
  ];
}
