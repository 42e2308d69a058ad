import {
  entityIdParameter,
  storedViewSearchRequestSchema,
  storedViewSearchSchema,
  viewExecutionSchema,
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
  return [syncRoute(deps), ...storedRoutes(deps), ...jobRoutes(deps)];
}

function syncRoute({ viewJobs, nodeId }: ViewSearchRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/views/search/sync',
    tag,
    summary: 'Ask several questions about messages at once',
    description:
      'Lists of messages (`messages`) and figures for groups (`pivot`), each with a query, time range and streams of its own if it has them. Waits for the answers, and ends with the client. What cannot be answered is among the errors of its query, with status 200.',
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
      description: 'The last 200 of a user are kept. With the id of one of them it takes its place.',
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
        'Does not wait for the answers: ask for the status of the job by its id, on the same node.',
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
      summary: 'Get the answers of a search that is executed, or how far it is',
      description:
        'Of the user’s own jobs. Answers are kept for five minutes. A job that has failed as a whole answers with its error.',
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
      summary: 'Cancel a search that is executed',
      permission: anybody,
      params: jobParams,
      responses: { 204: null },
      errors: ['not_found'],
      handler: ({ principal, params }) => viewJobs.cancel(principal, params.jobId),
    }),
  ];
}
