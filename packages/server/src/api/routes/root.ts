import { apiRootSchema } from '@millrace/contract';
import { emptyReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { acceptsHtml } from '../web-interface.ts';

export interface RootRouteDeps {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly version: string;
}

const TAGLINE = 'Turns a stream of logs into answers.';

export function rootRoutes(deps: RootRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      tag: 'System',
      summary: 'Identify this server',
      description: 'Needs no login. A browser that requests a page is redirected to the web interface.',
      permission: { kind: 'public' },
      responses: { 200: apiRootSchema, 303: null },
      errors: [],
      handler: ({ headers }) => {
        if (acceptsHtml({ headers })) return emptyReply(303, { location: '/' });
        return {
          cluster_id: deps.clusterId,
          node_id: deps.nodeId,
          version: deps.version,
          tagline: TAGLINE,
        };
      },
    }),
  ];
}
