import {
  entityIdParameter,
  type GrokImportQuery,
  type GrokImportStrategy,
  grokImportQuerySchema,
  grokImportRequestSchema,
  grokPatternListSchema,
  grokPatternPageSchema,
  grokPatternRequestSchema,
  grokPatternSchema,
  grokPatternTestRequestSchema,
  grokPatternTestSchema,
  MAX_GROK_PATTERN_LENGTH,
  pagingQuerySchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { GrokPatterns } from '#processing/service.ts';
import { emptyReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'System/Grok';
const path = '/system/grok';
const params = z.object({ patternId: entityIdParameter });
const MAX_FILE_LENGTH = 1024 * 1024;

export interface GrokRouteDeps {
  readonly grokPatterns: GrokPatterns;
}

/** Permissions are those of inputs, as in Graylog. */
export function grokRoutes(deps: GrokRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), importRoute(deps)];
}

function readRoutes({ grokPatterns }: GrokRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the grok patterns',
      description: 'Sorted by name.',
      permission: 'inputs:read',
      responses: { 200: grokPatternListSchema },
      errors: [],
      handler: async () => ({ patterns: await grokPatterns.list() }),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/paginated`,
      tag,
      summary: 'List grok patterns by page',
      description: 'Those whose name or pattern contains the query, sorted by `name` or `pattern`.',
      permission: 'inputs:read',
      query: pagingQuerySchema,
      responses: { 200: grokPatternPageSchema },
      errors: [],
      handler: ({ query }) => grokPatterns.page(query),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:patternId`,
      tag,
      summary: 'Get one grok pattern',
      permission: 'inputs:read',
      params,
      responses: { 200: grokPatternSchema },
      errors: ['not_found'],
      handler: (request) => grokPatterns.get(request.params.patternId),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/test`,
      tag,
      summary: 'Try a grok pattern with a text',
      permission: 'inputs:read',
      body: grokPatternTestRequestSchema,
      responses: { 200: grokPatternTestSchema },
      errors: ['unavailable'],
      handler: ({ body }) => grokPatterns.test(body),
    }),
  ];
}

function changeRoutes({ grokPatterns }: GrokRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path,
      tag,
      summary: 'Add a grok pattern, or import a file of them',
      description:
        'With `Content-Type: text/plain` the body is a pattern file; it is answered with 202 when all of it was imported. A pattern that is not valid, contains itself or takes very long is refused.',
      permission: 'inputs:create',
      query: grokImportQuerySchema,
      body: z.union([grokPatternRequestSchema, z.string().max(MAX_FILE_LENGTH)]),
      textBody: `Lines of a name, a space and a pattern of at most ${MAX_GROK_PATTERN_LENGTH} characters. Lines that start with # are comments.`,
      responses: { 201: grokPatternSchema, 202: null },
      errors: ['unavailable'],
      handler: async (request) => {
        const { body, query } = request;
        if (typeof body === 'string') {
          await grokPatterns.importFile(request, body, strategyOf(query));
          return emptyReply(202);
        }
        const created = await grokPatterns.create(request, body);
        return reply(201, created, { location: `/api${path}/${created.id}` });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/:patternId`,
      tag,
      summary: 'Replace a grok pattern',
      description:
        'Rules that use it use the new one for the next messages. 409 if it was changed since the revision that the request names.',
      permission: 'inputs:edit',
      params,
      body: grokPatternRequestSchema,
      responses: { 200: grokPatternSchema },
      errors: ['not_found', 'conflict', 'unavailable'],
      handler: (request) => grokPatterns.update(request, request.params.patternId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:patternId`,
      tag,
      summary: 'Delete a grok pattern',
      description: 'One that rules or other patterns use is not deleted; the answer names them.',
      permission: 'inputs:edit',
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => grokPatterns.remove(request, request.params.patternId),
    }),
  ];
}

function importRoute({ grokPatterns }: GrokRouteDeps): Route {
  return defineRoute({
    method: 'PUT',
    path,
    tag,
    summary: 'Import a list of grok patterns',
    description: 'All of them or, when one is not valid, none.',
    permission: 'inputs:create',
    query: grokImportQuerySchema,
    body: grokImportRequestSchema,
    responses: { 202: null },
    errors: ['unavailable'],
    handler: async (request) => {
      await grokPatterns.import(request, request.body.patterns, strategyOf(request.query));
      return emptyReply(202);
    },
  });
}

function strategyOf({ replace, 'import-strategy': strategy }: GrokImportQuery): GrokImportStrategy {
  return strategy ?? (replace ? 'DROP_ALL_EXISTING' : 'ABORT_ON_CONFLICT');
}
