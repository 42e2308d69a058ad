import { matchRequestSchema, matchResponseSchema } from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';

export type SearchMatchRouteDeps = Pick<SearchService, 'matcher'>;

/** Matching takes time for each byte of each message and query. */
const MAX_BODY_SIZE = 4 * 1024 * 1024;

export function searchMatchRoutes({ matcher }: SearchMatchRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/match',
      tag: 'Search',
      summary: 'Test messages against queries',
      description:
        'Says which of the queries would find each message. Reads nothing that is stored; for rules that highlight messages.',
      permission: { kind: 'authenticated' },
      maxBodySize: MAX_BODY_SIZE,
      strictBody: true,
      body: matchRequestSchema,
      responses: { 200: matchResponseSchema },
      errors: [],
      handler: ({ body }) => matcher.match(body),
    }),
  ];
}
