import {
  configurationProblemsSchema,
  entityIdParameter,
  inputConfigurationRequestSchema,
  inputCreatedSchema,
  inputListSchema,
  inputRequestSchema,
  inputSchema,
  inputTypeListSchema,
  inputTypeParameter,
  inputTypeSchema,
  inputTypesSchema,
  staticFieldParameter,
  staticFieldRequestSchema,
  testMessageSentSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { InputsService } from '#inputs/service.ts';
import { emptyReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Inputs';
const params = z.object({ inputId: entityIdParameter });
const instance = ({ inputId }: { readonly inputId: string }) => inputId;
const anybody = { kind: 'authenticated' } as const;

export interface InputRouteDeps {
  readonly inputs: InputsService;
}

/** The input types, and the inputs of the whole cluster. */
export function inputRoutes(deps: InputRouteDeps): Route[] {
  return [
    ...typeRoutes(deps),
    ...readRoutes(deps),
    ...changeRoutes(deps),
    testMessageRoute(deps),
    ...staticFieldRoutes(deps),
  ];
}

function typeRoutes({ inputs }: InputRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/inputs/types',
      tag,
      summary: 'List the input types',
      permission: anybody,
      responses: { 200: inputTypesSchema },
      errors: [],
      handler: () => ({ types: Object.fromEntries(inputs.types().map(({ type, name }) => [type, name])) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/inputs/types/all',
      tag,
      summary: 'List the input types with their configuration fields',
      permission: anybody,
      responses: { 200: inputTypeListSchema },
      errors: [],
      handler: () => Object.fromEntries(inputs.types().map((type) => [type.type, type])),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/inputs/types/:inputType',
      tag,
      summary: 'Get one input type with its configuration fields',
      permission: anybody,
      params: z.object({ inputType: inputTypeParameter }),
      responses: { 200: inputTypeSchema },
      errors: ['not_found'],
      handler: (request) => inputs.type(request.params.inputType),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/inputs/types/:inputType/validate',
      tag,
      summary: 'Check a configuration without creating an input',
      description:
        'Lists every problem with its field. Whether the port is free is known only when the input starts. A password that is shown as <password set> counts as set.',
      permission: 'inputs:create',
      params: z.object({ inputType: inputTypeParameter }),
      strictBody: true,
      body: inputConfigurationRequestSchema,
      responses: { 200: configurationProblemsSchema },
      errors: ['not_found'],
      handler: ({ params, body }) => ({ problems: inputs.problemsOf(params.inputType, body.configuration) }),
    }),
  ];
}

function readRoutes({ inputs }: InputRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/inputs',
      tag,
      summary: 'List the inputs of all nodes',
      description: 'Includes those for which the user has inputs:read.',
      permission: anybody,
      responses: { 200: inputListSchema },
      errors: [],
      handler: async (request) => {
        const all = await inputs.list(request.principal);
        return { inputs: all, total: all.length };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/inputs/:inputId',
      tag,
      summary: 'Get one input',
      permission: 'inputs:read',
      instance,
      params,
      responses: { 200: inputSchema },
      errors: ['not_found'],
      handler: (request) => inputs.get(request.params.inputId),
    }),
  ];
}

function changeRoutes({ inputs }: InputRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/inputs',
      tag,
      summary: 'Create an input and start it',
      description:
        'The input is created even if its port cannot be used: its state shows the reason, and starting is retried.',
      permission: 'inputs:create',
      body: inputRequestSchema,
      responses: { 201: inputCreatedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const id = await inputs.create(request, request.body);
        return reply(201, { id }, { location: `/api/system/inputs/${id}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/inputs/:inputId',
      tag,
      summary: 'Change an input',
      description:
        'Replaces everything except static fields. The input restarts if its configuration changed. 409 if it was changed since the revision that the request names.',
      permission: 'inputs:edit',
      instance,
      params,
      body: inputRequestSchema,
      responses: { 201: inputCreatedSchema },
      errors: ['not_found', 'conflict'],
      handler: async (request) => {
        const id = request.params.inputId;
        await inputs.change(request, id, request.body);
        return reply(201, { id }, { location: `/api/system/inputs/${id}` });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/inputs/:inputId',
      tag,
      summary: 'Stop and delete an input',
      description: 'Messages it has already accepted are still processed.',
      permission: 'inputs:terminate',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => inputs.remove(request, request.params.inputId),
    }),
  ];
}

function testMessageRoute({ inputs }: InputRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/system/inputs/:inputId/test_message',
    tag,
    summary: 'Send a test message to an input',
    description:
      'Through its socket, like the messages of senders, so it takes the whole way. The input must run on this node. The answer has the query that finds the message.',
    permission: 'inputs:edit',
    instance,
    params,
    responses: { 202: testMessageSentSchema },
    errors: ['not_found', 'conflict'],
    handler: async (request) =>
      reply(202, { query: await inputs.sendTestMessage(request, request.params.inputId) }),
  });
}

function staticFieldRoutes({ inputs }: InputRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/inputs/:inputId/staticfields',
      tag,
      summary: 'Add a static field to an input',
      description:
        'Every message of the input gets the field unless it already has a field of that name. Replaces the value of an existing static field.',
      permission: 'inputs:edit',
      instance,
      params,
      body: staticFieldRequestSchema,
      responses: { 201: null },
      errors: ['not_found'],
      handler: async (request) => {
        const id = request.params.inputId;
        await inputs.setStaticField(request, id, request.body);
        return emptyReply(201, { location: `/api/system/inputs/${id}` });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/inputs/:inputId/staticfields/:key',
      tag,
      summary: 'Remove a static field from an input',
      permission: 'inputs:edit',
      instance,
      params: z.object({ inputId: entityIdParameter, key: staticFieldParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => inputs.removeStaticField(request, request.params.inputId, request.params.key),
    }),
  ];
}
