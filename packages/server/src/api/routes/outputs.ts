import {
  entityIdParameter,
  type OutputStateList,
  outputChangesSchema,
  outputListSchema,
  outputPageQuerySchema,
  outputPageSchema,
  outputRequestSchema,
  outputSchema,
  outputStateListSchema,
  outputStatesQuerySchema,
  outputStreamsSchema,
  outputTypeListSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { CallerRequest, NodeCalls } from '#cluster/service.ts';
import type { OutputsService } from '#outputs/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Outputs';
const params = z.object({ outputId: entityIdParameter });
const instance = ({ outputId }: { readonly outputId: string }) => outputId;

export interface OutputRouteDeps {
  readonly outputs: OutputsService;
  readonly nodeCalls: NodeCalls;
}

/** The outputs of the cluster and what they do. Which streams use them is in `stream-outputs.ts`. */
export function outputRoutes(deps: OutputRouteDeps): Route[] {
  return [...listRoutes(deps), ...changeRoutes(deps), ...stateRoutes(deps)];
}

const ownStates = ({ outputs }: OutputRouteDeps): OutputStateList => ({
  states: outputs.states(),
  missing_nodes: [],
});

async function clusterStates(deps: OutputRouteDeps, caller: CallerRequest): Promise<OutputStateList> {
  const byNode = await deps.nodeCalls.onAllNodes(
    { path: 'system/outputs/states?local=true', caller },
    outputStateListSchema,
    () => ownStates(deps),
  );
  const answers = Object.entries(byNode);
  return {
    states: answers.flatMap(([, answer]) => answer?.states ?? []),
    missing_nodes: answers.filter(([, answer]) => answer === null).map(([node]) => node),
  };
}

function listRoutes(deps: OutputRouteDeps, { outputs } = deps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/outputs',
      tag,
      summary: 'List the outputs',
      permission: 'outputs:read',
      responses: { 200: outputListSchema },
      errors: [],
      handler: async () => {
        const all = await outputs.list();
        return { total: all.length, outputs: all };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/outputs/paginated',
      tag,
      summary: 'List outputs page by page',
      description:
        'Every word of `query` is looked for in title, type, state and the titles of the streams that use the output.',
      permission: 'outputs:read',
      query: outputPageQuerySchema,
      responses: { 200: outputPageSchema },
      errors: [],
      handler: async (request) => {
        const { states } = await clusterStates(deps, request);
        return outputs.page(request.principal, states, request.query);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/outputs/available',
      tag,
      summary: 'List the output types with their configuration fields',
      permission: 'outputs:read',
      responses: { 200: outputTypeListSchema },
      errors: [],
      handler: () => ({ types: Object.fromEntries(outputs.types().map((type) => [type.type, type])) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/outputs/states',
      tag,
      summary: 'Show what the outputs do on all nodes',
      description:
        'State, queue, age of the oldest message, rate and last error of each output on each node.',
      permission: 'outputs:read',
      query: outputStatesQuerySchema,
      responses: { 200: outputStateListSchema },
      errors: [],
      handler: (request) => (request.query.local === 'true' ? ownStates(deps) : clusterStates(deps, request)),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/outputs/streams',
      tag,
      summary: 'List which streams use the outputs',
      description:
        'Only streams for which the user has streams:read; none for users without stream_outputs:read.',
      permission: 'outputs:read',
      responses: { 200: outputStreamsSchema },
      errors: [],
      handler: async ({ principal }) => ({ streams: await outputs.byOutput(principal) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/outputs/:outputId',
      tag,
      summary: 'Get one output',
      permission: 'outputs:read',
      instance,
      params,
      responses: { 200: outputSchema },
      errors: ['not_found'],
      handler: (request) => outputs.get(request.params.outputId),
    }),
  ];
}

function changeRoutes({ outputs }: OutputRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/outputs',
      tag,
      summary: 'Create an output',
      description:
        'It gets messages as soon as it is attached to a stream. It is created even if its destination cannot be reached: messages wait in its queue.',
      permission: 'outputs:create',
      body: outputRequestSchema,
      responses: { 201: outputSchema },
      errors: [],
      handler: async (request) => {
        const output = await outputs.create(request, request.body);
        return reply(201, output, { location: `/api/system/outputs/${output.id}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/outputs/:outputId',
      tag,
      summary: 'Change an output',
      description:
        'Queued messages are sent with the new configuration. 409 if it was changed since the revision that the request names.',
      permission: 'outputs:edit',
      instance,
      params,
      body: outputChangesSchema,
      responses: { 200: outputSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => outputs.change(request, request.params.outputId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/outputs/:outputId',
      tag,
      summary: 'Delete an output',
      description: 'It is detached from all streams, and messages in its queue are deleted.',
      permission: 'outputs:terminate',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => outputs.remove(request, request.params.outputId),
    }),
  ];
}

function stateRoutes({ outputs }: OutputRouteDeps): Route[] {
  const route = {
    method: 'PUT',
    tag,
    permission: 'outputs:edit',
    instance,
    params,
    responses: { 204: null },
    errors: ['not_found'],
  } as const;
  return [
    defineRoute({
      ...route,
      path: '/system/outputs/:outputId/pause',
      summary: 'Pause an output on all nodes',
      description: 'Messages wait in its queue, also after a restart, until it is resumed.',
      handler: (request) => outputs.pause(request, request.params.outputId),
    }),
    defineRoute({
      ...route,
      path: '/system/outputs/:outputId/resume',
      summary: 'Resume an output on all nodes',
      handler: (request) => outputs.resume(request, request.params.outputId),
    }),
  ];
}
