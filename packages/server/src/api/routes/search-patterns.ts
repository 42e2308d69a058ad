import { patternRequestSchema, patternResponseSchema } from '@millrace/contract';
import type { PatternSearch } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export interface SearchPatternRouteDeps {
  readonly patterns: PatternSearch;
}

export function searchPatternRoutes({ patterns }: SearchPatternRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/patterns',
      tag: 'Search',
      summary: 'Group the messages of a search by pattern',
      description:
        'Marks the parts that vary between the messages of a pattern, with their most frequent values. Covers the streams the user may read.',
      permission: { kind: 'authenticated' },
      strictBody: true,
      body: patternRequestSchema,
      responses: { 200: patternResponseSchema },
      errors: SEARCH_ERRORS,
      handler: (request) => patterns.find(request, request.body),
    }),
  ];
}
