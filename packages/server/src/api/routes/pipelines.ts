import {
  connectPipelineRequestSchema,
  connectStreamRequestSchema,
  entityIdParameter,
  messageProcessorsRequestSchema,
  messageProcessorsSchema,
  pagingQuerySchema,
  pipelineConnectionListSchema,
  pipelineConnectionSchema,
  pipelineListSchema,
  pipelinePageSchema,
  pipelineSchema,
  pipelineSourceRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { PipelinesService } from '#processing/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { grokRoutes } from './grok.ts';
import { orProblems, problemsResponse, requireAuthor } from './pipeline-answers.ts';
import { pipelineRuleRoutes } from './pipeline-rules.ts';
import { pipelineSimulationRoutes } from './pipeline-simulation.ts';

const tag = 'Pipelines/Pipelines';
const connectionTag = 'Pipelines/Connections';
const params = z.object({ pipelineId: entityIdParameter });
const instance = ({ pipelineId }: { readonly pipelineId: string }) => pipelineId;
const NEEDED = 'Also needs streams:read for each of the streams and pipeline:read for each of the pipelines.';
const anybody = { kind: 'authenticated' } as const;

export type PipelineRouteDeps = PipelinesService;

export function pipelineRoutes(deps: PipelineRouteDeps): Route[] {
  return [
    ...readRoutes(deps),
    ...changeRoutes(deps),
    ...pipelineRuleRoutes(deps),
    ...connectionRoutes(deps),
    ...pipelineSimulationRoutes(deps),
    ...processorRoutes(deps),
    ...grokRoutes(deps),
  ];
}

function readRoutes({ pipelines }: PipelineRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/pipeline',
      tag,
      summary: 'List the pipelines',
      description: 'Includes those for which the user has pipeline:read, sorted by title.',
      permission: anybody,
      responses: { 200: pipelineListSchema },
      errors: [],
      handler: ({ principal }) => pipelines.list(principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/pipeline/paginated',
      tag,
      summary: 'List the pipelines by page',
      description:
        'Those for which the user has pipeline:read and whose title, description or source contains the query, sorted by `title`, `description`, `created_at` or `modified_at`.',
      permission: anybody,
      query: pagingQuerySchema,
      responses: { 200: pipelinePageSchema },
      errors: [],
      handler: async ({ principal, query }) => {
        const { elements, numbers } = await pipelines.page(principal, query);
        return { ...numbers, query: query.query, pipelines: elements };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/pipeline/:pipelineId',
      tag,
      summary: 'Get one pipeline',
      permission: 'pipeline:read',
      instance,
      params,
      responses: { 200: pipelineSchema },
      errors: ['not_found'],
      handler: ({ principal, params: { pipelineId } }) => pipelines.get(principal, pipelineId),
    }),
  ];
}

function changeRoutes({ pipelines }: PipelineRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/pipeline/parse',
      tag,
      summary: 'Check the source of a pipeline without storing it',
      description: 'Needs pipeline:create or pipeline:edit.',
      permission: anybody,
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineSchema, 400: problemsResponse },
      errors: [],
      handler: ({ principal, body }) => {
        requireAuthor(principal, 'pipeline');
        return orProblems(() => pipelines.parse(body));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/pipeline',
      tag,
      summary: 'Create a pipeline',
      description:
        'Its title is the name in the source, which must be unique. It runs once it is connected to a stream.',
      permission: 'pipeline:create',
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineSchema, 400: problemsResponse },
      errors: [],
      handler: (request) => orProblems(() => pipelines.create(request, request.body)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/pipelines/pipeline/:pipelineId',
      tag,
      summary: 'Replace a pipeline',
      description: '409 if it was changed since the revision that the request names.',
      permission: 'pipeline:edit',
      instance,
      params,
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineSchema, 400: problemsResponse },
      errors: ['not_found', 'conflict'],
      handler: (request) =>
        orProblems(() => pipelines.update(request, request.params.pipelineId, request.body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/pipelines/pipeline/:pipelineId',
      tag,
      summary: 'Delete a pipeline and its connections',
      permission: 'pipeline:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => pipelines.remove(request, request.params.pipelineId),
    }),
  ];
}

function connectionRoutes({ connections }: PipelineRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/connections',
      tag: connectionTag,
      summary: 'List which pipelines are connected to which streams',
      description: 'Includes streams for which the user has pipeline_connection:read.',
      permission: anybody,
      responses: { 200: pipelineConnectionListSchema },
      errors: [],
      handler: ({ principal }) => connections.list(principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/connections/:streamId',
      tag: connectionTag,
      summary: 'Get the pipelines of a stream',
      permission: 'pipeline_connection:read',
      instance: ({ streamId }) => streamId,
      params: z.object({ streamId: entityIdParameter }),
      responses: { 200: pipelineConnectionSchema },
      errors: ['not_found'],
      handler: (request) => connections.get(request.params.streamId),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/connections/to_stream',
      tag: connectionTag,
      summary: 'Replace the pipelines of a stream',
      description: `${NEEDED} Pipelines that the user may not read stay connected.`,
      permission: 'pipeline_connection:edit',
      body: connectStreamRequestSchema,
      responses: { 200: pipelineConnectionSchema },
      errors: ['not_found'],
      handler: (request) =>
        connections.connectStream(request, request.body.stream_id, request.body.pipeline_ids),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/connections/to_pipeline',
      tag: connectionTag,
      summary: 'Replace the streams of a pipeline',
      description:
        'Also needs streams:read for each stream that is added and pipeline:read for the pipeline. Streams stay connected unless the user has streams:read, pipeline_connection:read and pipeline_connection:edit for them.',
      permission: 'pipeline_connection:edit',
      body: connectPipelineRequestSchema,
      responses: { 200: pipelineConnectionListSchema },
      errors: ['not_found'],
      handler: (request) =>
        connections.connectPipeline(request, request.body.pipeline_id, request.body.stream_ids),
    }),
  ];
}

function processorRoutes({ processors }: PipelineRouteDeps): Route[] {
  const processorTag = 'System/MessageProcessors';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/messageprocessors/config',
      tag: processorTag,
      summary: 'Get the order in which message processors run',
      permission: 'clusterconfigentry:read',
      responses: { 200: messageProcessorsSchema },
      errors: [],
      handler: () => processors.get(),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/messageprocessors/config',
      tag: processorTag,
      summary: 'Set the order in which message processors run',
      description:
        'Processors that are not named run after those that are. Before stream rules, a message is in the default stream only.',
      permission: 'clusterconfigentry:edit',
      body: messageProcessorsRequestSchema,
      responses: { 200: messageProcessorsSchema },
      errors: [],
      handler: (request) => processors.set(request, request.body),
    }),
  ];
}
