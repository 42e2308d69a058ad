import {
  completeRequestSchema,
  completeResponseSchema,
  queryValidationSchema,
  suggestRequestSchema,
  suggestResponseSchema,
  type ValidateQueryRequest,
  validateQueryRequestSchema,
} from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';

const anybody = { kind: 'authenticated' } as const;
const tag = 'Search';

export type SearchQueryRouteDeps = Pick<SearchService, 'validator' | 'completion'>;

/** Help with writing queries. */
export function searchQueryRoutes({ validator, completion }: SearchQueryRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/validate',
      tag,
      summary: 'Explain a query and find its errors',
      description:
        'Does not run it. Errors and warnings have a position in the text, advice and, where there is one obvious fix, the corrected query.',
      permission: anybody,
      body: validateQueryRequestSchema,
      responses: { 200: queryValidationSchema },
      errors: ['forbidden'],
      handler: ({ principal, body }) =>
        validator.validate(principal, {
          query: queryText(body.query),
          streams: body.streams ?? undefined,
          timeZone: body.time_zone,
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/search/suggest',
      tag,
      summary: 'Suggest values of a field',
      description:
        'First values that start with the input, then those that contain it, each most frequent first, from the streams the user may read. For `message` and `full_message` it suggests words.',
      permission: anybody,
      body: suggestRequestSchema,
      responses: { 200: suggestResponseSchema },
      errors: ['forbidden'],
      handler: (request) => completion.suggest(request, request.body),
    }),
    defineRoute({
      method: 'POST',
      path: '/search/complete',
      tag,
      summary: 'Complete a query at the cursor',
      description: 'Suggests field names, operators, or values of a field in the streams the user may read.',
      permission: anybody,
      strictBody: true,
      body: completeRequestSchema,
      responses: { 200: completeResponseSchema },
      errors: ['forbidden'],
      handler: (request) => completion.complete(request, request.body),
    }),
  ];
}

function queryText(query: ValidateQueryRequest['query']): string {
  return typeof query === 'string' ? query : (query?.query_string ?? '');
}
