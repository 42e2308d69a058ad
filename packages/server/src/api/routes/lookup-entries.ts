import {
  lookupEntriesQuerySchema,
  lookupEntriesRequestSchema,
  lookupEntriesStoredSchema,
  lookupEntryKeyQuerySchema,
  lookupEntryPageSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { LookupEntries } from '#lookup/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { lookupNameParameter } from './lookup-parts.ts';

const path = '/system/lookup/adapters/:idOrName/entries';
const params = z.object({ idOrName: lookupNameParameter });
const instance = ({ idOrName }: { readonly idOrName: string }) => idOrName;

/** The keys of a key-value store. */
export function lookupEntryRoutes(tag: string, entries: LookupEntries): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the keys of a key-value store',
      description: 'With their values, by page and sorted by key.',
      permission: 'lookuptables:read',
      instance,
      params,
      query: lookupEntriesQuerySchema,
      responses: { 200: lookupEntryPageSchema },
      errors: ['not_found'],
      handler: (request) => entries.page(request.params.idOrName, request.query),
    }),
    defineRoute({
      method: 'PUT',
      path,
      tag,
      summary: 'Set keys of a key-value store',
      description:
        'Keys that exist get the new value; others stay as they are. Keys are set in their order; when the store is full, those before stay set and the error says how many.',
      permission: 'lookuptables:edit',
      instance,
      params,
      body: lookupEntriesRequestSchema,
      responses: { 200: lookupEntriesStoredSchema },
      errors: ['not_found'],
      handler: async (request) => ({
        stored: await entries.set(request, request.params.idOrName, request.body),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a key of a key-value store',
      permission: 'lookuptables:edit',
      instance,
      params,
      query: lookupEntryKeyQuerySchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => entries.remove(request, request.params.idOrName, request.query.key),
    }),
  ];
}
