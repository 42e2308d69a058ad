import {
  type LookupTypes,
  lookupPartRequestSchema,
  lookupPartSchema,
  lookupTypesSchema,
  lookupValidationSchema,
  pagingQuerySchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { LookupParts } from '#lookup/service.ts';
import { defineRoute, type Route } from '../route.ts';

export const lookupNameParameter = z.string().min(1).max(100).describe('The id or the name.');
const params = z.object({ idOrName: lookupNameParameter });

export interface LookupPartRoutesOptions<Name extends string> {
  readonly path: 'adapters' | 'caches';
  readonly tag: string;
  /** For people. */
  readonly label: string;
  /** The list in a page, by Graylog's name. */
  readonly listName: Name;
  readonly page: z.ZodType;
  readonly parts: LookupParts;
  types(): LookupTypes;
}

/** The same routes for data adapters and for caches. */
export function lookupPartRoutes<Name extends string>(options: LookupPartRoutesOptions<Name>): Route[] {
  return [...readRoutes(options), ...changeRoutes(options)];
}

function readRoutes<Name extends string>(options: LookupPartRoutesOptions<Name>): Route[] {
  const { parts, label, tag, listName, page } = options;
  const path = `/system/lookup/${options.path}`;
  return [
    defineRoute({
      method: 'GET',
      path: `/system/lookup/types/${options.path}`,
      tag,
      summary: `List the types of ${label}s with their configuration fields`,
      permission: 'lookuptables:read',
      responses: { 200: lookupTypesSchema },
      errors: [],
      handler: () => options.types(),
    }),
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: `List the ${label}s`,
      permission: 'lookuptables:read',
      query: pagingQuerySchema,
      responses: { 200: page },
      errors: [],
      handler: async ({ query }) => {
        const { elements, numbers } = await parts.page(query);
        return { ...numbers, query: query.query, [listName]: elements };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:idOrName`,
      tag,
      summary: `Get one ${label}`,
      permission: 'lookuptables:read',
      instance: ({ idOrName }) => idOrName,
      params,
      responses: { 200: lookupPartSchema },
      errors: ['not_found'],
      handler: (request) => parts.get(request.params.idOrName),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/validate`,
      tag,
      summary: `Check a ${label} without storing it`,
      permission: 'lookuptables:read',
      body: lookupPartRequestSchema,
      responses: { 200: lookupValidationSchema },
      errors: [],
      handler: ({ body }) => parts.validate(body),
    }),
  ];
}

function changeRoutes<Name extends string>(options: LookupPartRoutesOptions<Name>): Route[] {
  const { parts, label, tag } = options;
  const path = `/system/lookup/${options.path}`;
  return [
    defineRoute({
      method: 'POST',
      path,
      tag,
      summary: `Create a ${label}`,
      permission: 'lookuptables:create',
      body: lookupPartRequestSchema,
      responses: { 200: lookupPartSchema },
      errors: [],
      handler: (request) => parts.create(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/:idOrName`,
      tag,
      summary: `Replace a ${label}`,
      description: '409 if it was changed since the revision that the request names.',
      permission: 'lookuptables:edit',
      instance: ({ idOrName }) => idOrName,
      params,
      body: lookupPartRequestSchema,
      responses: { 200: lookupPartSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => parts.update(request, request.params.idOrName, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:idOrName`,
      tag,
      summary: `Delete a ${label}`,
      description:
        'One that a lookup table uses is not deleted. The answer is what was deleted, as in Graylog.',
      permission: 'lookuptables:delete',
      instance: ({ idOrName }) => idOrName,
      params,
      responses: { 200: lookupPartSchema },
      errors: ['not_found'],
      handler: (request) => parts.remove(request, request.params.idOrName),
    }),
  ];
}
