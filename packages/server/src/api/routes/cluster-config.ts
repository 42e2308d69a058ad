import {
  clusterConfigClassParameter,
  clusterConfigListSchema,
  clusterConfigSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { ClusterConfigs } from '#system/service.ts';
import { emptyReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

export interface ClusterConfigRouteDeps {
  readonly clusterConfigs: ClusterConfigs;
}

const tag = 'System/ClusterConfig';
const PATH = '/system/cluster_config';
const params = z.object({ configClass: clusterConfigClassParameter });

export function clusterConfigRoutes({ clusterConfigs }: ClusterConfigRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      tag,
      summary: 'List the classes of settings that clients of Graylog set',
      permission: 'clusterconfigentry:read',
      responses: { 200: clusterConfigListSchema },
      errors: [],
      handler: ({ principal }) => clusterConfigs.list(principal),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:configClass`,
      tag,
      summary: 'Get the settings of a class',
      description: 'No content when nothing was set.',
      permission: 'clusterconfigentry:read',
      params,
      responses: { 200: clusterConfigSchema, 204: null },
      errors: ['forbidden', 'not_found'],
      handler: async ({ principal, params: { configClass } }) => {
        const config = await clusterConfigs.get(principal, configClass);
        return config === undefined ? emptyReply(204) : reply(200, config);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:configClass`,
      tag,
      summary: 'Replace the settings of a class',
      description: 'A value that would have no effect here is refused.',
      permission: 'clusterconfigentry:edit',
      params,
      body: clusterConfigSchema,
      responses: { 202: clusterConfigSchema },
      errors: ['forbidden', 'not_found'],
      handler: (request) => clusterConfigs.set(request, request.params.configClass, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:configClass`,
      tag,
      summary: 'Set a class back to its defaults',
      permission: 'clusterconfigentry:delete',
      params,
      responses: { 204: null },
      errors: ['forbidden', 'not_found'],
      handler: (request) => clusterConfigs.reset(request, request.params.configClass),
    }),
  ];
}
