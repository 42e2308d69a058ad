import {
  entityIdParameter,
  pagingQuerySchema,
  pipelineFunctionListSchema,
  pipelineRuleListSchema,
  pipelineRuleNamesSchema,
  pipelineRulePageSchema,
  pipelineRuleSchema,
  pipelineSourceRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { functionViews, type PipelinesService } from '#processing/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { orProblems, problemsResponse, requireAuthor } from './pipeline-answers.ts';

const tag = 'Pipelines/Rules';
const params = z.object({ ruleId: entityIdParameter });
const instance = ({ ruleId }: { readonly ruleId: string }) => ruleId;
const anybody = { kind: 'authenticated' } as const;

export type PipelineRuleRouteDeps = Pick<PipelinesService, 'rules'>;

export function pipelineRuleRoutes(deps: PipelineRuleRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps)];
}

function readRoutes({ rules }: PipelineRuleRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/rule',
      tag,
      summary: 'List the rules',
      description: 'Includes those for which the user has pipeline_rule:read, sorted by title.',
      permission: anybody,
      responses: { 200: pipelineRuleListSchema },
      errors: [],
      handler: ({ principal }) => rules.list(principal),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/rule/multiple',
      tag,
      summary: 'Get the rules with these names',
      description: 'Names without a rule are left out.',
      permission: anybody,
      body: pipelineRuleNamesSchema,
      responses: { 200: pipelineRuleListSchema },
      errors: [],
      handler: ({ principal, body }) => rules.listNamed(principal, body.rules),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/rule/functions',
      tag,
      summary: 'List the functions that rules can call',
      permission: anybody,
      responses: { 200: pipelineFunctionListSchema },
      errors: [],
      handler: () => functionViews(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/rule/paginated',
      tag,
      summary: 'List the rules by page',
      description:
        'Those for which the user has pipeline_rule:read and whose title, description or source contains the query, sorted by `title`, `description`, `created_at` or `modified_at`.',
      permission: anybody,
      query: pagingQuerySchema,
      responses: { 200: pipelineRulePageSchema },
      errors: [],
      handler: async ({ principal, query }) => {
        const { elements, numbers } = await rules.page(principal, query);
        return { ...numbers, query: query.query, rules: elements };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/pipelines/rule/:ruleId',
      tag,
      summary: 'Get one rule',
      permission: 'pipeline_rule:read',
      instance,
      params,
      responses: { 200: pipelineRuleSchema },
      errors: ['not_found'],
      handler: ({ principal, params: { ruleId } }) => rules.get(principal, ruleId),
    }),
  ];
}

function changeRoutes({ rules }: PipelineRuleRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/rule/parse',
      tag,
      summary: 'Check the source of a rule without storing it',
      description: 'Needs pipeline_rule:create or pipeline_rule:edit.',
      permission: anybody,
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineRuleSchema, 400: problemsResponse },
      errors: [],
      handler: ({ principal, body }) => {
        requireAuthor(principal, 'pipeline_rule');
        return orProblems(() => rules.parse(body));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/rule',
      tag,
      summary: 'Create a rule',
      description: 'Its title is the name in the source, which must be unique.',
      permission: 'pipeline_rule:create',
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineRuleSchema, 400: problemsResponse },
      errors: [],
      handler: (request) => orProblems(() => rules.create(request, request.body)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/pipelines/rule/:ruleId',
      tag,
      summary: 'Replace a rule',
      description:
        'A rule that was disabled because it took too long runs again. When its name changes, the pipelines that use it get the new name, too; that needs pipeline:edit for each of them. 409 if it was changed since the revision that the request names.',
      permission: 'pipeline_rule:edit',
      instance,
      params,
      body: pipelineSourceRequestSchema,
      responses: { 200: pipelineRuleSchema, 400: problemsResponse },
      errors: ['not_found', 'conflict'],
      handler: (request) => orProblems(() => rules.update(request, request.params.ruleId, request.body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/pipelines/rule/:ruleId',
      tag,
      summary: 'Delete a rule',
      description:
        'Pipelines that name it go on; for them it never matches. `used_in_pipelines` of the rule says which these are.',
      permission: 'pipeline_rule:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => rules.remove(request, request.params.ruleId),
    }),
  ];
}
