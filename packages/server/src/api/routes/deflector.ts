import {
  bulkRequestSchema,
  bulkResultSchema,
  deflectorSchema,
  entityIdParameter,
  indexNameParameter,
  indexRangeListSchema,
  indexRangeSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { ForbiddenError, forEachEntity } from '#core/index.ts';
import { emptyReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import type { IndexSetRouteDeps } from './index-sets.ts';

const params = z.object({ indexSetId: entityIdParameter });
const instance = ({ indexSetId }: { readonly indexSetId: string }) => indexSetId;
const indexParams = z.object({ index: indexNameParameter });
const indexInstance = ({ index }: { readonly index: string }) => index;

/** The active index of an index set, and the time ranges of indices. */
export function deflectorRoutes(deps: IndexSetRouteDeps): Route[] {
  return [...targetRoutes(deps), ...cycleRoutes(deps), ...rangeRoutes(deps), ...rebuildRoutes(deps)];
}

function targetRoutes({ storage }: IndexSetRouteDeps): Route[] {
  const tag = 'Deflector';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/deflector',
      tag,
      summary: 'Get the active index of the default index set',
      permission: 'deflector:read',
      responses: { 200: deflectorSchema },
      errors: [],
      deprecated: true,
      handler: () => storage.indices.deflector(storage.indexSets.defaultId()),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/deflector/:indexSetId',
      tag,
      summary: 'Get the active index of an index set',
      permission: 'deflector:read',
      instance,
      params,
      responses: { 200: deflectorSchema },
      errors: ['not_found'],
      handler: (request) => storage.indices.deflector(request.params.indexSetId),
    }),
  ];
}

/** Any node can do it: a rotation is one transaction in the shared metadata database. */
function cycleRoutes({ storage }: IndexSetRouteDeps): Route[] {
  return ['system', 'cluster'].flatMap((root) => [
    defineRoute({
      method: 'POST',
      path: `/${root}/deflector/cycle`,
      tag: 'Deflector',
      summary: 'Rotate the default index set to a new index',
      permission: 'deflector:cycle',
      responses: { 204: null },
      errors: ['conflict'],
      deprecated: true,
      handler: async (request) =>
        void (await storage.indexSets.cycle(request, storage.indexSets.defaultId())),
    }),
    defineRoute({
      method: 'POST',
      path: `/${root}/deflector/bulk_cycle`,
      tag: 'Deflector',
      summary: 'Rotate several index sets to new indices',
      description:
        'Needs deflector:cycle for each of them. The answer lists those for which it failed, with reasons.',
      permission: { kind: 'authenticated' },
      body: bulkRequestSchema,
      responses: { 200: bulkResultSchema },
      errors: [],
      handler: (request) =>
        forEachEntity(request.body.entity_ids, async (id) => {
          if (!request.principal.can('deflector:cycle', id))
            throw new ForbiddenError('Not authorized', { needs: `deflector:cycle:${id}` });
          await storage.indexSets.cycle(request, id);
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `/${root}/deflector/:indexSetId/cycle`,
      tag: 'Deflector',
      summary: 'Rotate an index set to a new index',
      description: 'New messages go there immediately. Refused for an index set that is not writable.',
      permission: 'deflector:cycle',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: async (request) => void (await storage.indexSets.cycle(request, request.params.indexSetId)),
    }),
  ]);
}

function rangeRoutes({ storage }: IndexSetRouteDeps): Route[] {
  const tag = 'Index ranges';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indices/ranges',
      tag,
      summary: 'List the time ranges of all open indices',
      permission: { kind: 'authenticated' },
      responses: { 200: indexRangeListSchema },
      errors: ['unavailable'],
      handler: async ({ principal }) => {
        const ranges = await storage.indices.ranges(principal);
        return { total: ranges.length, ranges };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indices/ranges/:index',
      tag,
      summary: 'Get the time range of an index',
      permission: 'indexranges:read',
      instance: indexInstance,
      params: indexParams,
      responses: { 200: indexRangeSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => storage.indices.range(request.params.index),
    }),
  ];
}

function rebuildRoutes({ storage }: IndexSetRouteDeps): Route[] {
  const tag = 'Index ranges';
  const description = 'For compatibility only: ranges are always up to date, so this does nothing.';
  return [
    defineRoute({
      method: 'POST',
      path: '/system/indices/ranges/rebuild',
      tag,
      summary: 'Recalculate the time ranges of all indices',
      description,
      permission: 'indexranges:rebuild',
      responses: { 202: null },
      errors: [],
      handler: () => emptyReply(202),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/indices/ranges/index_set/:indexSetId/rebuild',
      tag,
      summary: 'Recalculate the time ranges of an index set',
      description,
      permission: 'indexranges:rebuild',
      params,
      responses: { 202: null },
      errors: ['not_found'],
      handler: (request) => {
        storage.indexSets.get(request.params.indexSetId);
        return emptyReply(202);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/system/indices/ranges/:index/rebuild',
      tag,
      summary: 'Recalculate the time range of an index',
      description,
      permission: 'indexranges:rebuild',
      instance: indexInstance,
      params: indexParams,
      responses: { 202: null },
      errors: ['not_found', 'unavailable'],
      handler: async (request) => {
        await storage.indices.range(request.params.index);
        return emptyReply(202);
      },
    }),
  ];
}
