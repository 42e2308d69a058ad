import { naturalDateQuerySchema, naturalDateSchema } from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';

export type ToolRouteDeps = Pick<SearchService, 'timeWords'>;

/** Questions whose answers depend on nothing that is stored. */
export function toolRoutes({ timeWords }: ToolRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/tools/natural_date_tester',
      tag: 'Tools',
      summary: 'Show what a time range in words means',
      description: 'As a search with the same keyword would understand it now.',
      permission: { kind: 'authenticated' },
      query: naturalDateQuerySchema,
      responses: { 200: naturalDateSchema },
      errors: [],
      handler: ({ query }) => timeWords.meaning(query.string, query.timezone),
    }),
  ];
}
