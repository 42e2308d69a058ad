import {
  booleanParameter,
  defaultIndexSetTemplateSchema,
  entityIdParameter,
  indexSetTemplateConfigSchema,
  indexSetTemplatePageQuerySchema,
  indexSetTemplatePageSchema,
  indexSetTemplateRequestSchema,
  indexSetTemplateSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { IndexSetTemplates } from '#storage/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface IndexSetTemplateRouteDeps {
  readonly storage: { readonly templates: IndexSetTemplates };
}

const tag = 'Index set templates';
const PATH = '/system/indices/index_sets/templates';
const params = z.object({ templateId: entityIdParameter });
const instance = ({ templateId }: { readonly templateId: string }) => templateId;

export function indexSetTemplateRoutes({ storage: { templates } }: IndexSetTemplateRouteDeps): Route[] {
  return [...readRoutes(templates), ...changeRoutes(templates)];
}

function readRoutes(templates: IndexSetTemplates): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${PATH}/paginated`,
      tag,
      summary: 'List the templates of index sets page by page',
      permission: 'indexset_templates:read',
      query: indexSetTemplatePageQuerySchema,
      responses: { 200: indexSetTemplatePageSchema },
      errors: [],
      handler: ({ query }) => templates.page(query),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/built-in`,
      tag,
      summary: 'List the templates of index sets that come with the program',
      permission: 'indexset_templates:read',
      query: z.object({
        warm_tier_enabled: booleanParameter()
          .default(false)
          .describe('Accepted for Graylog clients: there is no warm tier.'),
      }),
      responses: { 200: z.array(indexSetTemplateSchema) },
      errors: [],
      handler: () => templates.builtIn(),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/default_config`,
      tag,
      summary: 'Get what new index sets have if nobody says otherwise',
      permission: { kind: 'authenticated' },
      responses: { 200: indexSetTemplateConfigSchema },
      errors: [],
      handler: () => templates.defaultConfig(),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:templateId`,
      tag,
      summary: 'Get one template of index sets',
      permission: 'indexset_templates:read',
      instance,
      params,
      responses: { 200: indexSetTemplateSchema },
      errors: ['not_found'],
      handler: (request) => templates.get(request.params.templateId),
    }),
  ];
}

function changeRoutes(templates: IndexSetTemplates): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: PATH,
      tag,
      summary: 'Create a template of index sets',
      permission: 'indexset_templates:create',
      body: indexSetTemplateRequestSchema,
      responses: { 200: indexSetTemplateSchema },
      errors: [],
      handler: (request) => templates.create(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:templateId`,
      tag,
      summary: 'Change a template of index sets',
      description:
        'Index sets that were made with it stay as they are. Built-in templates cannot be changed.',
      permission: 'indexset_templates:edit',
      instance,
      params,
      body: indexSetTemplateRequestSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => templates.change(request, request.params.templateId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:templateId`,
      tag,
      summary: 'Delete a template of index sets',
      description: 'Built-in templates and the default one cannot be deleted.',
      permission: 'indexset_templates:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => templates.remove(request, request.params.templateId),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/indices/index_set_defaults',
      tag,
      summary: 'Choose the template of new index sets',
      description: 'New index sets that say nothing about it are rotated and retained as this template says.',
      permission: 'clusterconfigentry:edit',
      body: defaultIndexSetTemplateSchema,
      responses: { 200: null },
      errors: ['not_found'],
      handler: (request) => templates.setDefault(request, request.body.id),
    }),
  ];
}
