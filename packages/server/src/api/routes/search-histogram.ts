import { searchHistogramRequestSchema, searchHistogramSchema } from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export type SearchHistogramRouteDeps = Pick<SearchService, 'histograms'>;

export function searchHistogramRoutes({ histograms }: SearchHistogramRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/histogram',
      tag: 'Search',
      summary: 'Count the messages of a search over time, in groups by a field',
      description: 'In buckets of equal length, including empty ones. Covers the streams the user may read.',
      permission: { kind: 'authenticated' },
      strictBody: true,
      body: searchHistogramRequestSchema,
      responses: { 200: searchHistogramSchema },
      errors: SEARCH_ERRORS,
      handler: (request) => histograms.find(request, request.body),
    }),
  ];
}
