import { entityIdParameter } from '@millrace/contract';
import { z } from 'zod';
import { defineRoute, type Route } from '#api/index.ts';
import { type Bookmark, bookmarkSchema, createBookmarkSchema } from './contract.ts';

/** What the routes need of a service: they only pass requests on to it. */
export interface Bookmarks {
  get(id: string): Promise<Bookmark>;
  create(title: string): Promise<Bookmark>;
}

const tag = 'Bookmarks';

/** Steps 2 and 3 of docs/how-to/add-a-route.md. The permissions are those of dashboards, since nothing needs new ones. */
export function bookmarkRoutes({ bookmarks }: { readonly bookmarks: Bookmarks }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bookmarks/:bookmarkId',
      tag,
      summary: 'Get one bookmark',
      permission: 'dashboards:read',
      instance: (params) => params.bookmarkId,
      params: z.object({ bookmarkId: entityIdParameter }),
      responses: { 200: bookmarkSchema },
      errors: ['not_found'],
      handler: ({ params }) => bookmarks.get(params.bookmarkId),
    }),
    defineRoute({
      method: 'POST',
      path: '/bookmarks',
      tag,
      summary: 'Create a bookmark',
      permission: 'dashboards:create',
      body: createBookmarkSchema,
      responses: { 200: bookmarkSchema },
      errors: [],
      handler: ({ body }) => bookmarks.create(body.title),
    }),
  ];
}
