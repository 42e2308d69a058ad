import {
  entityIdParameter,
  replaceRulesRequestSchema,
  streamRuleCreatedSchema,
  streamRuleListSchema,
  streamRuleRequestSchema,
  streamRuleSchema,
  streamRuleTypesSchema,
  streamSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Streams } from '#streams/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Stream rules';
const params = z.object({ streamId: entityIdParameter });
const ruleParams = z.object({ streamId: entityIdParameter, ruleId: entityIdParameter });
const instance = ({ streamId }: { readonly streamId: string }) => streamId;

export interface StreamRuleRouteDeps {
  readonly streams: Streams;
}

export function streamRuleRoutes(deps: StreamRuleRouteDeps): Route[] {
  return [...readRoutes(deps), replaceRoute(deps), ...changeRoutes(deps)];
}

function readRoutes({ streams }: StreamRuleRouteDeps): Route[] {
  const read = {
    method: 'GET',
    tag,
    permission: 'streams:read',
    instance,
    errors: ['not_found'],
  } as const;
  return [
    defineRoute({
      ...read,
      path: '/streams/:streamId/rules',
      summary: 'List the rules of a stream',
      params,
      responses: { 200: streamRuleListSchema },
      handler: async (request) => {
        const rules = await streams.rules(request.params.streamId);
        return { total: rules.length, stream_rules: rules };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/rules/types',
      tag,
      summary: 'List the rule types',
      description:
        'The same for every stream, so whoever is signed in may ask, also before there is a stream.',
      permission: { kind: 'authenticated' },
      params,
      responses: { 200: streamRuleTypesSchema },
      errors: [],
      handler: () => streams.ruleTypes(),
    }),
    defineRoute({
      ...read,
      path: '/streams/:streamId/rules/:ruleId',
      summary: 'Get one rule of a stream',
      params: ruleParams,
      responses: { 200: streamRuleSchema },
      handler: (request) => streams.rule(request.params.streamId, request.params.ruleId),
    }),
  ];
}

function replaceRoute({ streams }: StreamRuleRouteDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/streams/:streamId/rules',
    tag,
    summary: 'Replace all rules of a stream',
    description:
      'At once: no message is matched against a part of the change. Rules that are not named are deleted. It applies to new messages on all nodes within a second.',
    permission: 'streams:edit',
    instance,
    params,
    body: replaceRulesRequestSchema,
    responses: { 200: streamSchema },
    errors: ['not_found', 'conflict'],
    handler: (request) => streams.replaceRules(request, request.params.streamId, request.body),
  });
}

function changeRoutes({ streams }: StreamRuleRouteDeps): Route[] {
  const change = {
    tag,
    permission: 'streams:edit',
    instance,
    errors: ['not_found'],
  } as const;
  const replacing = {
    ...change,
    path: '/streams/:streamId/rules/:ruleId',
    params: ruleParams,
    body: streamRuleRequestSchema,
    responses: { 200: streamRuleCreatedSchema },
  } as const;
  return [
    defineRoute({
      ...change,
      method: 'POST',
      path: '/streams/:streamId/rules',
      summary: 'Add a rule to a stream',
      description: 'It applies to new messages on all nodes within a second.',
      params,
      body: streamRuleRequestSchema,
      responses: { 201: streamRuleCreatedSchema },
      handler: async (request) => {
        const { streamId } = request.params;
        const id = await streams.createRule(request, streamId, request.body);
        return reply(201, { streamrule_id: id }, { location: `/api/streams/${streamId}/rules/${id}` });
      },
    }),
    defineRoute({
      ...replacing,
      method: 'PUT',
      summary: 'Change a rule of a stream',
      handler: async (request) => {
        const { streamId, ruleId } = request.params;
        return { streamrule_id: await streams.updateRule(request, streamId, ruleId, request.body) };
      },
    }),
    defineRoute({
      ...replacing,
      method: 'POST',
      summary: 'Change a rule of a stream',
      description: 'The same as PUT, for older clients.',
      deprecated: true,
      handler: async (request) => {
        const { streamId, ruleId } = request.params;
        return { streamrule_id: await streams.updateRule(request, streamId, ruleId, request.body) };
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/streams/:streamId/rules/:ruleId',
      summary: 'Delete a rule of a stream',
      params: ruleParams,
      responses: { 204: null },
      handler: (request) => streams.removeRule(request, request.params.streamId, request.params.ruleId),
    }),
  ];
}
