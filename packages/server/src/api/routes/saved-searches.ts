import {
  entityIdParameter,
  forgetQuerySchema,
  savedSearchCreatedSchema,
  savedSearchListSchema,
  savedSearchPageQuerySchema,
  savedSearchRequestSchema,
  savedSearchSchema,
  searchHistoryQuerySchema,
  searchHistorySchema,
  usedQueryRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { QueryHistory, SavedSearches } from '#search/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Saved searches';
const params = z.object({ searchId: entityIdParameter });
const instance = ({ searchId }: { readonly searchId: string }) => searchId;
const anybody = { kind: 'authenticated' } as const;

export interface SavedSearchRouteDeps {
  readonly saved: SavedSearches;
  readonly history: QueryHistory;
}

export function savedSearchRoutes(deps: SavedSearchRouteDeps): Route[] {
  return [...savedRoutes(deps), ...changeRoutes(deps), ...historyRoutes(deps)];
}

function savedRoutes({ saved }: SavedSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/search/saved',
      tag,
      summary: 'List the saved searches',
      description: 'Includes those for which the user has savedsearches:read, sorted by title.',
      permission: anybody,
      query: savedSearchPageQuerySchema,
      responses: { 200: savedSearchListSchema },
      errors: [],
      handler: ({ principal, query }) => saved.list(principal, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/search/saved/:searchId',
      tag,
      summary: 'Get one saved search',
      permission: 'savedsearches:read',
      instance,
      params,
      responses: { 200: savedSearchSchema },
      errors: ['not_found'],
      handler: (request) => saved.get(request.params.searchId),
    }),
  ];
}

function changeRoutes({ saved }: SavedSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/saved',
      tag,
      summary: 'Save a search',
      description: 'Its creator may read, change and delete it. The title must be unique.',
      permission: 'savedsearches:create',
      body: savedSearchRequestSchema,
      responses: { 201: savedSearchCreatedSchema },
      errors: [],
      handler: async (request) => {
        const id = await saved.create(request, request.body);
        return reply(201, { search_id: id }, { location: `/api/search/saved/${id}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/search/saved/:searchId',
      tag,
      summary: 'Replace a saved search',
      description: 'Replaces all of it: what is left out is removed.',
      permission: 'savedsearches:edit',
      instance,
      params,
      body: savedSearchRequestSchema,
      responses: { 200: savedSearchSchema },
      errors: ['not_found'],
      handler: (request) => saved.update(request, request.params.searchId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/search/saved/:searchId',
      tag,
      summary: 'Delete a saved search',
      permission: 'savedsearches:edit',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => saved.remove(request, request.params.searchId),
    }),
  ];
}

function historyRoutes({ history }: SavedSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/search/history',
      tag,
      summary: 'List the queries the user has used recently',
      permission: anybody,
      query: searchHistoryQuerySchema,
      responses: { 200: searchHistorySchema },
      errors: [],
      handler: ({ principal, query }) => history.list(principal, query.limit),
    }),
    defineRoute({
      method: 'POST',
      path: '/search/history',
      tag,
      summary: 'Record the use of a query',
      description:
        'The web interface does so when a user runs a search. Only the last 50 queries are kept, each with the time range and the streams of its last use.',
      permission: anybody,
      strictBody: true,
      body: usedQueryRequestSchema,
      responses: { 204: null },
      errors: [],
      handler: ({ principal, body }) => history.record(principal, body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/search/history',
      tag,
      summary: 'Delete the queries the user has used, or one of them',
      permission: anybody,
      query: forgetQuerySchema,
      responses: { 204: null },
      errors: [],
      handler: ({ principal, query }) => history.forget(principal, query.query),
    }),
  ];
}
