import { fieldLinksSchema } from '@millrace/contract';
import type { SearchService } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';

export type FieldLinkRouteDeps = Pick<SearchService, 'fieldLinks'>;

const tag = 'Fields';
const path = '/system/field_links';

/** Links from the values of fields to other systems. */
export function fieldLinkRoutes({ fieldLinks }: FieldLinkRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the links of fields to other systems',
      permission: { kind: 'authenticated' },
      responses: { 200: fieldLinksSchema },
      errors: [],
      handler: () => fieldLinks.list(),
    }),
    defineRoute({
      method: 'PUT',
      path,
      tag,
      summary: 'Replace the links of fields to other systems',
      description: 'For all users. A link appears beside the values of its field.',
      permission: 'clusterconfigentry:edit',
      body: fieldLinksSchema,
      responses: { 200: fieldLinksSchema },
      errors: [],
      handler: (request) => fieldLinks.replace(request, request.body),
    }),
  ];
}
