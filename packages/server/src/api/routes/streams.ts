import {
  bulkRequestSchema,
  bulkResultSchema,
  cloneStreamRequestSchema,
  createStreamRequestSchema,
  entityIdParameter,
  streamCreatedSchema,
  streamIdListSchema,
  streamListSchema,
  streamPageQuerySchema,
  streamPageSchema,
  streamPreviewRequestSchema,
  streamPreviewSchema,
  streamSchema,
  testMatchRequestSchema,
  testMatchResponseSchema,
  updateStreamRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { ForbiddenError, forEachEntity, type Principal } from '#core/index.ts';
import type { StreamPreview, Streams } from '#streams/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';
import { streamRuleRoutes } from './stream-rules.ts';

const tag = 'Streams';
const params = z.object({ streamId: entityIdParameter });
const instance = ({ streamId }: { readonly streamId: string }) => streamId;
const anybody = { kind: 'authenticated' } as const;
const created = { location: (id: string) => ({ location: `/api/streams/${id}` }) };

export interface StreamRouteDeps {
  readonly streams: Streams;
  readonly preview: StreamPreview;
}

export function streamRoutes(deps: StreamRouteDeps): Route[] {
  return [
    ...listRoutes(deps),
    ...readRoutes(deps),
    previewRoute(deps),
    ...createRoutes(deps),
    ...changeRoutes(deps),
    ...stateRoutes(deps),
    ...bulkRoutes(deps),
    ...streamRuleRoutes(deps),
  ];
}

function listRoutes({ streams }: StreamRouteDeps): Route[] {
  const list = {
    method: 'GET',
    tag,
    permission: anybody,
    description: 'Includes those for which the user has streams:read.',
    responses: { 200: streamListSchema },
    errors: [],
  } as const;
  return [
    defineRoute({
      ...list,
      path: '/streams',
      summary: 'List the streams',
      handler: async ({ principal }) => {
        const all = await streams.list(principal);
        return { total: all.length, streams: all };
      },
    }),
    defineRoute({
      ...list,
      path: '/streams/enabled',
      summary: 'List the streams that route messages',
      handler: async ({ principal }) => {
        const enabled = await streams.listEnabled(principal);
        return { total: enabled.length, streams: enabled };
      },
    }),
    defineRoute({
      ...list,
      path: '/streams/paginated',
      summary: 'List the streams page by page',
      query: streamPageQuerySchema,
      responses: { 200: streamPageSchema },
      handler: ({ principal, query }) => streams.page(principal, query),
    }),
  ];
}

function readRoutes({ streams }: StreamRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId',
      tag,
      summary: 'Get one stream',
      permission: 'streams:read',
      instance,
      params,
      responses: { 200: streamSchema },
      errors: ['not_found'],
      handler: (request) => streams.get(request.principal, request.params.streamId),
    }),
    defineRoute({
      method: 'POST',
      path: '/streams/:streamId/testMatch',
      tag,
      summary: 'Test whether a message matches the rules of a stream',
      description: 'Also works for paused streams. Nothing is stored.',
      permission: 'streams:read',
      instance,
      params,
      body: testMatchRequestSchema,
      responses: { 200: testMatchResponseSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => streams.testMatch(request.params.streamId, request.body.message),
    }),
  ];
}

function previewRoute({ preview }: StreamRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/streams/preview',
    tag,
    summary: 'Show what rules would do to stored messages',
    description:
      'Matches the newest messages of the time range that the user may read, with the same compiled rules that route new messages. Nothing is stored and no message changes its streams.',
    permission: anybody,
    strictBody: true,
    body: streamPreviewRequestSchema,
    responses: { 200: streamPreviewSchema },
    errors: SEARCH_ERRORS,
    handler: ({ principal, signal, body }) => preview.preview({ principal, signal }, body),
  });
}

function createRoutes({ streams }: StreamRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/streams',
      tag,
      summary: 'Create a stream',
      description: 'It starts paused. Its creator may read, edit and resume it.',
      permission: 'streams:create',
      body: createStreamRequestSchema,
      responses: { 201: streamCreatedSchema },
      errors: [],
      handler: async (request) => {
        const id = await streams.create(request, request.body);
        return reply(201, { stream_id: id }, created.location(id));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/streams/:streamId/clone',
      tag,
      summary: 'Create a stream like another',
      description:
        'Copies its rules, alert conditions and alarm callbacks, and its outputs if the user has stream_outputs:create. Also needs streams:read for the original stream. The new stream starts paused.',
      permission: 'streams:create',
      params,
      body: cloneStreamRequestSchema,
      responses: { 201: streamCreatedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        requirePermission(request.principal, ['streams:read'], request.params.streamId);
        const id = await streams.clone(request, request.params.streamId, request.body);
        return reply(201, { stream_id: id }, created.location(id));
      },
    }),
  ];
}

function changeRoutes({ streams }: StreamRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/streams/:streamId',
      tag,
      summary: 'Change a stream',
      description:
        'Missing and empty values keep the current ones. A new index set applies to new messages only; stored messages stay where they are.',
      permission: 'streams:edit',
      instance,
      params,
      body: updateStreamRequestSchema,
      responses: { 200: streamSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => streams.update(request, request.params.streamId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/streams/:streamId',
      tag,
      summary: 'Delete a stream',
      description:
        'Messages already routed into it stay stored. Its open alerts are resolved; their history stays.',
      permission: 'streams:edit',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => streams.remove(request, request.params.streamId),
    }),
    defineRoute({
      method: 'PUT',
      path: '/streams/indexSet/:indexSetId',
      tag,
      summary: 'Set the index set of several streams',
      description: 'Needs streams:edit for each stream. Applies to new messages only.',
      permission: 'indexsets:read',
      instance: ({ indexSetId }) => indexSetId,
      params: z.object({ indexSetId: entityIdParameter }),
      body: streamIdListSchema,
      responses: { 200: null },
      errors: ['not_found'],
      handler: async (request) => {
        for (const id of request.body) requirePermission(request.principal, ['streams:edit'], id);
        await streams.assignIndexSet(request, request.params.indexSetId, request.body);
      },
    }),
  ];
}

const MAY_CHANGE_STATE = ['streams:changestate', 'streams:edit'];

function stateRoutes({ streams }: StreamRouteDeps): Route[] {
  const change = {
    method: 'POST',
    tag,
    description: 'Needs streams:changestate or streams:edit. Repeating it changes nothing.',
    permission: anybody,
    params,
    responses: { 204: null },
    errors: ['forbidden', 'not_found'],
  } as const;
  return [
    defineRoute({
      ...change,
      path: '/streams/:streamId/pause',
      summary: 'Pause a stream',
      handler: (request) => {
        requirePermission(request.principal, MAY_CHANGE_STATE, request.params.streamId);
        return streams.pause(request, request.params.streamId);
      },
    }),
    defineRoute({
      ...change,
      path: '/streams/:streamId/resume',
      summary: 'Resume a paused or disabled stream',
      handler: (request) => {
        requirePermission(request.principal, MAY_CHANGE_STATE, request.params.streamId);
        return streams.resume(request, request.params.streamId);
      },
    }),
  ];
}

function bulkRoutes({ streams }: StreamRouteDeps): Route[] {
  const bulk = {
    method: 'POST',
    tag,
    description: 'The answer lists the streams for which it failed, with reasons.',
    permission: anybody,
    body: bulkRequestSchema,
    responses: { 200: bulkResultSchema },
    errors: [],
  } as const;
  return [
    defineRoute({
      ...bulk,
      path: '/streams/bulk_delete',
      summary: 'Delete several streams',
      handler: (request) =>
        forEachEntity(request.body.entity_ids, async (id) => {
          requirePermission(request.principal, ['streams:edit'], id);
          await streams.remove(request, id);
        }),
    }),
    defineRoute({
      ...bulk,
      path: '/streams/bulk_pause',
      summary: 'Pause several streams',
      handler: (request) =>
        forEachEntity(request.body.entity_ids, async (id) => {
          requirePermission(request.principal, MAY_CHANGE_STATE, id);
          await streams.pause(request, id);
        }),
    }),
    defineRoute({
      ...bulk,
      path: '/streams/bulk_resume',
      summary: 'Resume several streams',
      handler: (request) =>
        forEachEntity(request.body.entity_ids, async (id) => {
          requirePermission(request.principal, MAY_CHANGE_STATE, id);
          await streams.resume(request, id);
        }),
    }),
  ];
}

/** One of the permissions is enough. */
function requirePermission(principal: Principal, permissions: readonly string[], streamId: string): void {
  if (permissions.some((permission) => principal.can(permission, streamId))) return;
  throw new ForbiddenError(`Not authorized to access stream ${streamId}`, {
    needs: `${permissions[0]}:${streamId}`,
  });
}
