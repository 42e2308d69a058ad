import {
  booleanParameter,
  entityIdParameter,
  indexSetChangesSchema,
  indexSetListSchema,
  indexSetOutlookSchema,
  indexSetOutlooksSchema,
  indexSetSchema,
  indexSetStatsSchema,
  indexSetsQuerySchema,
  listParameter,
  newIndexSetSchema,
  outlookRequestSchema,
  strategyListSchema,
  strategyParameter,
  strategySchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { StorageService } from '#storage/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface IndexSetRouteDeps {
  readonly storage: Pick<StorageService, 'indexSets' | 'indices'>;
}

const tag = 'Index sets';
const params = z.object({ indexSetId: entityIdParameter });
const instance = ({ indexSetId }: { readonly indexSetId: string }) => indexSetId;

export function indexSetRoutes(deps: IndexSetRouteDeps): Route[] {
  return [...readRoutes(deps), ...outlookRoutes(deps), ...changeRoutes(deps), ...strategyRoutes(deps)];
}

function readRoutes({ storage }: IndexSetRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indices/index_sets',
      tag,
      summary: 'List the index sets',
      description: 'Includes those for which the user has indexsets:read.',
      permission: { kind: 'authenticated' },
      query: indexSetsQuerySchema,
      responses: { 200: indexSetListSchema },
      errors: ['unavailable'],
      handler: ({ principal, query }) => storage.indexSets.list(principal, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indices/index_sets/stats',
      tag,
      summary: 'Get the statistics of all index sets together',
      permission: 'indexsets:read',
      responses: { 200: indexSetStatsSchema },
      errors: ['unavailable'],
      handler: async ({ principal }) => {
        const all = [...(await storage.indices.statsOfAll(principal)).values()];
        const sum = (key: 'indices' | 'documents' | 'size') =>
          all.reduce((total, each) => total + each[key], 0);
        return { indices: sum('indices'), documents: sum('documents'), size: sum('size') };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indices/index_sets/:indexSetId',
      tag,
      summary: 'Get one index set',
      permission: 'indexsets:read',
      instance,
      params,
      responses: { 200: indexSetSchema },
      errors: ['not_found'],
      handler: (request) => storage.indexSets.get(request.params.indexSetId),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indices/index_sets/:indexSetId/stats',
      tag,
      summary: 'Get the statistics of one index set',
      permission: 'indexsets:read',
      instance,
      params,
      responses: { 200: indexSetStatsSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => storage.indices.stats(request.params.indexSetId),
    }),
  ];
}

function outlookRoutes({ storage: { indexSets } }: IndexSetRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indices/index_sets/outlook',
      tag,
      summary: 'Get how long each index set keeps messages',
      description:
        'Includes those for which the user has indexsets:read. One whose strategy is of a plugin that is switched off is left out.',
      permission: { kind: 'authenticated' },
      query: z.object({ ids: listParameter().optional().describe('Only of these; all by default.') }),
      responses: { 200: indexSetOutlooksSchema },
      errors: ['unavailable'],
      handler: async ({ principal, query }) => ({
        outlooks: Object.fromEntries(await indexSets.outlooks(principal, query.ids)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/indices/index_sets/outlook',
      tag,
      summary: 'Try strategies for a new index set',
      description: 'Nothing is created. A new index set has no messages, so only times are known.',
      permission: 'indexsets:create',
      body: outlookRequestSchema,
      responses: { 200: indexSetOutlookSchema },
      errors: [],
      handler: ({ body }) => indexSets.outlookOfNew(body),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/indices/index_sets/:indexSetId/outlook',
      tag,
      summary: 'Try other strategies for an index set',
      description: 'Nothing is changed. The answer says what the retention would delete or close with them.',
      permission: 'indexsets:read',
      instance,
      params,
      body: outlookRequestSchema,
      responses: { 200: indexSetOutlookSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indexSets.outlook(request.params.indexSetId, request.body),
    }),
  ];
}

function changeRoutes({ storage }: IndexSetRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/indices/index_sets',
      tag,
      summary: 'Create an index set',
      permission: 'indexsets:create',
      body: newIndexSetSchema,
      responses: { 200: indexSetSchema },
      errors: ['unavailable', 'conflict'],
      handler: (request) => storage.indexSets.create(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/indices/index_sets/:indexSetId',
      tag,
      summary: 'Change an index set',
      description:
        'Prefix, analyzer, creation date and default never change; values sent for them are ignored.',
      permission: 'indexsets:edit',
      instance,
      params,
      body: indexSetChangesSchema,
      responses: { 200: indexSetSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => storage.indexSets.change(request, request.params.indexSetId, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/indices/index_sets/:indexSetId/default',
      tag,
      summary: 'Make an index set the default',
      permission: 'indexsets:edit',
      instance,
      params,
      responses: { 200: indexSetSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => storage.indexSets.setDefault(request, request.params.indexSetId),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/indices/index_sets/:indexSetId',
      tag,
      summary: 'Delete an index set',
      description:
        'A system job deletes its messages in the background; with delete_indices=false they stay in ClickHouse. Refused while streams use it.',
      permission: 'indexsets:delete',
      instance,
      params,
      query: z.object({ delete_indices: booleanParameter().default(true) }),
      responses: { 204: null },
      errors: ['not_found', 'conflict', 'unavailable'],
      handler: (request) =>
        storage.indexSets.remove(request, request.params.indexSetId, request.query.delete_indices),
    }),
  ];
}

function strategyRoutes({ storage }: IndexSetRouteDeps): Route[] {
  const kinds = [
    {
      kind: 'rotation',
      list: () => storage.indexSets.rotationStrategies(),
      get: (name: string) => storage.indexSets.rotationStrategy(name),
    },
    {
      kind: 'retention',
      list: () => storage.indexSets.retentionStrategies(),
      get: (name: string) => storage.indexSets.retentionStrategy(name),
    },
  ];
  return kinds.flatMap(({ kind, list, get }) => [
    defineRoute({
      method: 'GET',
      path: `/system/indices/${kind}/strategies`,
      tag,
      summary: `List the ${kind} strategies`,
      permission: { kind: 'authenticated' },
      responses: { 200: strategyListSchema },
      errors: [],
      handler: () => {
        const strategies = list();
        return { total: strategies.length, strategies };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `/system/indices/${kind}/strategies/:strategy`,
      tag,
      summary: `Get one of the ${kind} strategies`,
      permission: { kind: 'authenticated' },
      params: z.object({ strategy: strategyParameter }),
      responses: { 200: strategySchema },
      errors: ['not_found'],
      handler: (request) => get(request.params.strategy),
    }),
  ]);
}
