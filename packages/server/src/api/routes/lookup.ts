import {
  lookupAdapterPageSchema,
  lookupCachePageSchema,
  lookupErrorStatesRequestSchema,
  lookupErrorStatesSchema,
  lookupKeyQuerySchema,
  lookupPurgeQuerySchema,
  lookupResolveQuerySchema,
  lookupResultSchema,
  lookupTablePageSchema,
  lookupTableQuerySchema,
  lookupTableRequestSchema,
  lookupTableSchema,
  lookupValidationSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { LookupService } from '#lookup/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { lookupEntryRoutes } from './lookup-entries.ts';
import { lookupNameParameter, lookupPartRoutes } from './lookup-parts.ts';
import { lookupTesterRoutes } from './lookup-tester.ts';

const tag = 'System/Lookup';
const path = '/system/lookup/tables';
const params = z.object({ idOrName: lookupNameParameter });
const instance = ({ idOrName }: { readonly idOrName: string }) => idOrName;

export interface LookupRouteDeps {
  readonly lookup: Omit<
    LookupService,
    'start' | 'stop' | 'onSnapshot' | 'onForget' | 'serve' | 'changesUnderWay' | 'snapshot'
  >;
}

export function lookupRoutes({ lookup }: LookupRouteDeps): Route[] {
  const { adapters, caches, types } = lookup;
  return [
    ...readRoutes({ lookup }),
    ...changeRoutes({ lookup }),
    ...queryRoutes({ lookup }),
    ...lookupTesterRoutes(lookup),
    ...lookupEntryRoutes(tag, lookup.entries),
    ...lookupPartRoutes({
      path: 'adapters',
      tag,
      label: 'data adapter',
      listName: 'data_adapters',
      page: lookupAdapterPageSchema,
      parts: adapters,
      types: types.adapters,
    }),
    ...lookupPartRoutes({
      path: 'caches',
      tag,
      label: 'lookup cache',
      listName: 'caches',
      page: lookupCachePageSchema,
      parts: caches,
      types: types.caches,
    }),
  ];
}

function readRoutes({ lookup: { tables } }: LookupRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the lookup tables',
      permission: 'lookuptables:read',
      query: lookupTableQuerySchema,
      responses: { 200: lookupTablePageSchema },
      errors: [],
      handler: ({ query }) => tables.page(query),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:idOrName`,
      tag,
      summary: 'Get one lookup table',
      description: 'A page with one table, as in Graylog.',
      permission: 'lookuptables:read',
      instance,
      params,
      query: lookupResolveQuerySchema,
      responses: { 200: lookupTablePageSchema },
      errors: ['not_found'],
      handler: (request) => tables.get(request.params.idOrName, request.query.resolve),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/validate`,
      tag,
      summary: 'Check a lookup table without storing it',
      permission: 'lookuptables:read',
      body: lookupTableRequestSchema,
      responses: { 200: lookupValidationSchema },
      errors: [],
      handler: ({ body }) => tables.validate(body),
    }),
  ];
}

function changeRoutes({ lookup: { tables } }: LookupRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path,
      tag,
      summary: 'Create a lookup table',
      description: 'An adapter and a cache under a name that rules use.',
      permission: 'lookuptables:create',
      body: lookupTableRequestSchema,
      responses: { 200: lookupTableSchema },
      errors: [],
      handler: (request) => tables.create(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/:idOrName`,
      tag,
      summary: 'Replace a lookup table',
      description: '409 if it was changed since the revision that the request names.',
      permission: 'lookuptables:edit',
      instance,
      params,
      body: lookupTableRequestSchema,
      responses: { 200: lookupTableSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => tables.update(request, request.params.idOrName, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:idOrName`,
      tag,
      summary: 'Delete a lookup table',
      description: 'Rules that name it find nothing any more. The answer is what was deleted, as in Graylog.',
      permission: 'lookuptables:delete',
      instance,
      params,
      responses: { 200: lookupTableSchema },
      errors: ['not_found'],
      handler: (request) => tables.remove(request, request.params.idOrName),
    }),
  ];
}

function queryRoutes({ lookup }: LookupRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/:idOrName/query`,
      tag,
      summary: 'Look up a key',
      description:
        'As rules would on this node. A key of a remote data adapter that the node does not know yet is fetched, and the call waits for it.',
      permission: 'lookuptables:read',
      instance,
      params,
      query: lookupKeyQuerySchema,
      responses: { 200: lookupResultSchema },
      errors: ['not_found'],
      handler: (request) => lookup.queryTable(request.params.idOrName, request.query.key),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/lookup/adapters/:idOrName/query',
      tag,
      summary: 'Look up a key in a data adapter',
      description: 'Without the defaults of a table.',
      permission: 'lookuptables:read',
      instance,
      params,
      query: lookupKeyQuerySchema,
      responses: { 200: lookupResultSchema },
      errors: ['not_found'],
      handler: (request) => lookup.queryAdapter(request.params.idOrName, request.query.key),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:idOrName/purge`,
      tag,
      summary: 'Forget what was looked up',
      description:
        'On this node. The data of the table is loaded again; of a remote data adapter, each key when it is next looked up.',
      permission: 'lookuptables:read',
      instance,
      params,
      query: lookupPurgeQuerySchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => lookup.purge(request.params.idOrName, request.query.key),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/lookup/errorstates',
      tag,
      summary: 'Show what is wrong with lookup tables, data adapters and caches',
      description: 'On this node.',
      permission: 'lookuptables:read',
      body: lookupErrorStatesRequestSchema,
      responses: { 200: lookupErrorStatesSchema },
      errors: [],
      handler: ({ body }) => lookup.errorStates(body),
    }),
  ];
}
