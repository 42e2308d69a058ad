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
      summary: 'Tell what a query means and what is wrong with it',
      description:
        'Without running it. Errors and warnings have their place in the text, what to do, and the query put right where there is one obvious way.',
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
        'Those that begin with the input, then those that contain it, the most frequent first, in the streams the user may read. For `message` and `full_message` words of them.',
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
      summary: 'Complete a query where the cursor stands',
      description: 'Names of fields, operators, or values of a field in the streams the user may read.',
      permission: anybody,
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
