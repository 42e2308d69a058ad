import { entityIdParameter, nodeIdParameter, viewSearchResultSchema } from '@millrace/contract';
import { z } from 'zod';
import type { NodeCalls } from '#cluster/service.ts';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export interface SearchJobRouteDeps extends Pick<SearchService, 'viewJobs'> {
  readonly nodeId: string;
  readonly nodeCalls: Pick<NodeCalls, 'onNode'>;
}

const tag = 'Search';
const anybody = { kind: 'authenticated' } as const;
/** Results have up to 64 MiB in memory, and as JSON rarely twice as many. */
const RESULT_LIMITS = { timeoutMs: 60_000, maxAnswerBytes: 128 * 2 ** 20 };
const nodeJobParams = z.object({ nodeId: nodeIdParameter, jobId: entityIdParameter });

/** A search runs on one node; these find it through any node. */
export function searchJobRoutes({ viewJobs, nodeId, nodeCalls }: SearchJobRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/views/searchjobs/:nodeId/:jobId/status',
      tag,
      summary: 'Get the results or the progress of a search that runs on a node',
      description: 'As `/views/search/status/{jobId}` on that node.',
      permission: anybody,
      params: nodeJobParams,
      responses: { 200: viewSearchResultSchema },
      errors: ['not_found', ...SEARCH_ERRORS],
      handler: (request) => {
        const { jobId } = request.params;
        return nodeCalls.onNode(
          request.params.nodeId,
          {
            path: `views/search/status/${encodeURIComponent(jobId)}`,
            caller: request,
            limits: RESULT_LIMITS,
          },
          viewSearchResultSchema,
          () => ({ ...viewJobs.status(request.principal, jobId), executing_node: nodeId }),
        );
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/views/searchjobs/:nodeId/:jobId/cancel',
      tag,
      summary: 'Cancel a search that runs on a node',
      permission: anybody,
      params: nodeJobParams,
      responses: { 204: null },
      errors: ['not_found', 'unavailable'],
      handler: async (request) => {
        const { jobId } = request.params;
        await nodeCalls.onNode<unknown>(
          request.params.nodeId,
          { method: 'DELETE', path: `views/search/cancel/${encodeURIComponent(jobId)}`, caller: request },
          z.unknown(),
          () => viewJobs.cancel(request.principal, jobId),
        );
      },
    }),
  ];
}
