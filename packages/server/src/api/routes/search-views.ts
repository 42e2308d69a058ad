import {
  entityIdParameter,
  storedViewSearchRequestSchema,
  storedViewSearchSchema,
  type ViewMetadata,
  viewExecutionSchema,
  viewMetadataSchema,
  viewSearchRequestSchema,
  viewSearchResultSchema,
  viewSyncQuerySchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { SearchService } from '#search/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export interface ViewSearchRouteDeps extends Pick<SearchService, 'viewJobs' | 'storedViews'> {
  readonly nodeId: string;
}

const tag = 'Search';
const anybody = { kind: 'authenticated' } as const;
const searchParams = z.object({ searchId: entityIdParameter });
const jobParams = z.object({ jobId: entityIdParameter });

export function viewSearchRoutes(deps: ViewSearchRouteDeps): Route[] {
  return [syncRoute(deps), ...metadataRoutes(deps), ...storedRoutes(deps), ...jobRoutes(deps)];
}

function syncRoute({ viewJobs, nodeId }: ViewSearchRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/views/search/sync',
    tag,
    summary: 'Run several searches in one request',
    description:
      'Message lists (`messages`) and aggregations (`pivot`), each optionally with its own query, time range and streams. Waits for the results; disconnecting cancels it. Parts that fail are listed in the errors of their query, with status 200.',
    permission: anybody,
    query: viewSyncQuerySchema,
    body: viewSearchRequestSchema,
    responses: { 200: viewSearchResultSchema },
    errors: ['forbidden'],
    handler: async (request) => ({
      ...(await viewJobs.startAndWait(request, request.body, request.query.timeout)),
      executing_node: nodeId,
    }),
  });
}

function storedRoutes({ viewJobs, storedViews, nodeId }: ViewSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/views/search',
      tag,
      summary: 'Store a search to execute it later',
      description: 'The last 200 of a user are kept. An existing id replaces that search.',
      permission: anybody,
      body: storedViewSearchRequestSchema,
      responses: { 201: storedViewSearchSchema },
      errors: ['forbidden'],
      handler: async ({ principal, body }) => {
        const stored = await storedViews.store(principal, body);
        return reply(201, stored, { location: `/api/views/search/${encodeURIComponent(stored.id)}` });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/views/search/:searchId',
      tag,
      summary: 'Get one of the searches the user has stored',
      permission: anybody,
      params: searchParams,
      responses: { 200: storedViewSearchSchema },
      errors: ['not_found'],
      handler: (request) => storedViews.get(request.principal, request.params.searchId),
    }),
    defineRoute({
      method: 'POST',
      path: '/views/search/:searchId/execute',
      tag,
      summary: 'Execute a stored search',
      description:
        'Does not wait for the results: request the status of the job by its id, on the same node.',
      permission: anybody,
      params: searchParams,
      body: viewExecutionSchema.optional(),
      responses: { 201: viewSearchResultSchema },
      errors: ['not_found'],
      handler: async ({ principal, params, body }) => {
        const job = viewJobs.start(principal, await storedViews.request(principal, params.searchId, body));
        const location = `/api/views/search/status/${job.id}`;
        return reply(201, { ...job, executing_node: nodeId }, { location });
      },
    }),
  ];
}

function jobRoutes({ viewJobs, nodeId }: ViewSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/views/search/status/:jobId',
      tag,
      summary: 'Get the results or the progress of a running search',
      description:
        'Only the user’s own jobs. Results are kept for five minutes. If the whole job failed, this answers with its error.',
      permission: anybody,
      params: jobParams,
      responses: { 200: viewSearchResultSchema },
      errors: ['not_found', ...SEARCH_ERRORS],
      handler: ({ principal, params }) => ({
        ...viewJobs.status(principal, params.jobId),
        executing_node: nodeId,
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/views/search/cancel/:jobId',
      tag,
      summary: 'Cancel a running search',
      permission: anybody,
      params: jobParams,
      responses: { 204: null },
      errors: ['not_found'],
      handler: ({ principal, params }) => viewJobs.cancel(principal, params.jobId),
    }),
  ];
}

function metadataRoutes({ storedViews }: ViewSearchRouteDeps): Route[] {
  const description = 'Queries cannot have parameters, so none is used and none is declared.';
  return [
    defineRoute({
      method: 'POST',
      path: '/views/search/metadata',
      tag,
      summary: 'Get the parameters of a search',
      description,
      permission: anybody,
      body: viewSearchRequestSchema,
      responses: { 200: viewMetadataSchema },
      errors: [],
      handler: ({ body }) => metadataOf(body.queries.map(({ id }) => id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/views/search/metadata/:searchId',
      tag,
      summary: 'Get the parameters of a search that the user has stored',
      description,
      permission: anybody,
      params: searchParams,
      responses: { 200: viewMetadataSchema },
      errors: ['not_found'],
      handler: async ({ principal, params }) => {
        const { queries } = await storedViews.request(principal, params.searchId);
        return metadataOf(queries.map(({ id }) => id));
      },
    }),
  ];
}

function metadataOf(queryIds: readonly string[]): ViewMetadata {
  return {
    query_metadata: Object.fromEntries(queryIds.map((id) => [id, { used_parameters_names: [] }])),
    declared_parameters: {},
  };
}
