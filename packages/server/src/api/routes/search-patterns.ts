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
      summary: 'Group the messages of a search by the pattern they follow',
      description:
        'What varies between the messages of a pattern is marked, with its most frequent values. Looks at the streams the user may read.',
      permission: { kind: 'authenticated' },
      body: patternRequestSchema,
      responses: { 200: patternResponseSchema },
      errors: SEARCH_ERRORS,
      handler: (request) => patterns.find(request, request.body),
    }),
  ];
}
