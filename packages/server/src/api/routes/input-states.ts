import {
  type ClusterInputStates,
  clusterInputChangedSchema,
  clusterInputStatesSchema,
  entityIdParameter,
  inputCreatedSchema,
  inputPageQuerySchema,
  inputPageSchema,
  inputStateListSchema,
  inputStateSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { CallerRequest, NodeCalls } from '#cluster/service.ts';
import { type Caller, NotFoundError } from '#core/index.ts';
import type { InputsService } from '#inputs/service.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Inputs';
const params = z.object({ inputId: entityIdParameter });
const instance = ({ inputId }: { readonly inputId: string }) => inputId;
const anybody = { kind: 'authenticated' } as const;

export interface InputStateRouteDeps {
  readonly inputs: InputsService;
  readonly nodeCalls: NodeCalls;
}

/** The states of inputs, on this node and on all, and starting and stopping them. */
export function inputStateRoutes(deps: InputStateRouteDeps): Route[] {
  return [...readRoutes(deps), ...startAndStopRoutes(deps), ...clusterRoutes(deps)];
}

function readRoutes({ inputs }: InputStateRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/inputstates',
      tag,
      summary: 'List the inputs of this node and their states',
      description: 'Includes those for which the user has inputs:read.',
      permission: anybody,
      responses: { 200: inputStateListSchema },
      errors: [],
      handler: (request) => ({ states: inputs.states(request.principal) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/inputstates/:inputId',
      tag,
      summary: 'Get the state of an input on this node',
      permission: 'inputs:read',
      instance,
      params,
      responses: { 200: inputStateSchema },
      errors: ['not_found'],
      handler: (request) => inputs.state(request.params.inputId),
    }),
  ];
}

const ACTIONS = [
  {
    method: 'PUT',
    summary: 'Start an input',
    description: 'It stays started after a restart of the node. A failed input is retried immediately.',
    run: (inputs: InputsService, caller: Caller, id: string) => inputs.startInput(caller, id),
  },
  {
    method: 'DELETE',
    summary: 'Stop an input',
    description: 'It stays stopped, even after a restart of the node, until it is started.',
    run: (inputs: InputsService, caller: Caller, id: string) => inputs.stopInput(caller, id),
  },
] as const;

function startAndStopRoutes({ inputs }: InputStateRouteDeps): Route[] {
  return ACTIONS.map(({ method, summary, description, run }) =>
    defineRoute({
      method,
      path: '/system/inputstates/:inputId',
      tag,
      summary,
      description,
      permission: 'inputs:changestate',
      instance,
      params,
      responses: { 200: inputCreatedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const id = request.params.inputId;
        await run(inputs, request, id);
        return { id };
      },
    }),
  );
}

function clusterRoutes({ inputs, nodeCalls }: InputStateRouteDeps): Route[] {
  const statesByNode = async (
    caller: CallerRequest & Pick<Caller, 'principal'>,
  ): Promise<ClusterInputStates> => {
    const byNode = await nodeCalls.onAllNodes(
      { path: 'system/inputstates', caller },
      inputStateListSchema,
      () => ({ states: inputs.states(caller.principal) }),
    );
    return Object.fromEntries(Object.entries(byNode).map(([node, list]) => [node, list?.states ?? null]));
  };
  const page = defineRoute({
    method: 'GET',
    path: '/system/inputs/paginated',
    tag,
    summary: 'List inputs page by page',
    description:
      'Those of all nodes for which the user has inputs:read. Every word of `query` is looked for in title, type, state and address.',
    permission: anybody,
    query: inputPageQuerySchema,
    responses: { 200: inputPageSchema },
    errors: [],
    handler: async (request) => {
      const states = Object.values(await statesByNode(request)).flatMap((ofNode) => ofNode ?? []);
      return inputs.page(request.principal, states, request.query);
    },
  });
  const list = defineRoute({
    method: 'GET',
    path: '/cluster/inputstates',
    tag,
    summary: 'List the inputs of all nodes and their states',
    permission: anybody,
    responses: { 200: clusterInputStatesSchema },
    errors: [],
    handler: statesByNode,
  });
  const changes = ACTIONS.map(({ method, summary, run }) =>
    defineRoute({
      method,
      path: '/cluster/inputstates/:inputId',
      tag,
      summary: `${summary} on all nodes that have it`,
      permission: 'inputs:changestate',
      instance,
      params,
      responses: { 200: clusterInputChangedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const id = request.params.inputId;
        const changed = await nodeCalls.onAllNodes(
          { method, path: `system/inputstates/${encodeURIComponent(id)}`, caller: request },
          inputCreatedSchema,
          () => nullIfMissing(async () => run(inputs, request, id), id),
        );
        if (Object.values(changed).every((answer) => answer === null)) {
          throw new NotFoundError(`Input ${id} not found!`);
        }
        return changed;
      },
    }),
  );
  return [page, list, ...changes];
}

/** Null if this node does not have the input: another node may. */
async function nullIfMissing(work: () => Promise<void>, id: string): Promise<{ id: string } | null> {
  try {
    await work();
    return { id };
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
