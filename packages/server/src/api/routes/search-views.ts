import { viewSearchRequestSchema, viewSearchResultSchema } from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface ViewSearchRouteDeps extends Pick<SearchService, 'views'> {
  readonly nodeId: string;
}

export function viewSearchRoutes({ views, nodeId }: ViewSearchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/views/search/sync',
      tag: 'Search',
      summary: 'Ask several questions about messages at once',
      description:
        'Lists of messages (`messages`) and figures for groups (`pivot`), each with a query, time range and streams of its own if it has them. Waits for the answers. What cannot be answered is among the errors of its query, with status 200.',
      permission: { kind: 'authenticated' },
      body: viewSearchRequestSchema,
      responses: { 200: viewSearchResultSchema },
      errors: ['forbidden'],
      handler: async (request) => ({
        ...(await views.run(request, request.body)),
        executing_node: nodeId,
      }),
    }),
  ];
}
