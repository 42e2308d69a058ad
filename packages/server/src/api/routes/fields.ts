import {
  facetRequestSchema,
  facetResponseSchema,
  fieldNamesQuerySchema,
  fieldNamesSchema,
  fieldStatisticsRequestSchema,
  fieldStatisticsSchema,
  fieldTypeListSchema,
  fieldTypesRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Fields } from '#search/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Fields';
const anybody = { kind: 'authenticated' } as const;

export interface FieldRouteDeps {
  readonly fields: Fields;
}

export function fieldRoutes(deps: FieldRouteDeps): Route[] {
  return [...listRoutes(deps), ...searchRoutes(deps)];
}

function listRoutes({ fields }: FieldRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/fields',
      tag,
      summary: 'List the names of all message fields',
      description: 'Those that messages of the streams the user may read have or had, and the built-in ones.',
      permission: 'fieldnames:read',
      query: fieldNamesQuerySchema,
      responses: { 200: fieldNamesSchema },
      errors: [],
      handler: ({ principal, query }) => fields.names(principal, query.limit),
    }),
    defineRoute({
      method: 'GET',
      path: '/views/fields',
      tag,
      summary: 'List the fields with their types',
      description: 'Those that messages of the streams the user may read have or had, and the built-in ones.',
      permission: anybody,
      responses: { 200: fieldTypeListSchema },
      errors: [],
      handler: ({ principal }) => fields.types(principal),
    }),
    defineRoute({
      method: 'POST',
      path: '/views/fields',
      tag,
      summary: 'List the fields of some streams with their types',
      description:
        'Needs streams:read for each stream. For users who may read all streams, the fields of the index sets of these streams.',
      permission: anybody,
      body: fieldTypesRequestSchema,
      responses: { 200: fieldTypeListSchema },
      errors: ['forbidden'],
      handler: ({ principal, body }) => fields.types(principal, body.streams ?? []),
    }),
  ];
}

function searchRoutes({ fields }: FieldRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/search/fields/:field/statistics',
      tag,
      summary: 'Summarize a field of the messages of a search',
      description:
        'How many messages have it, its types, its most frequent values, statistics of its numbers, and its distribution over time.',
      permission: anybody,
      params: z.object({ field: z.string().min(1).max(1000) }),
      strictBody: true,
      body: fieldStatisticsRequestSchema,
      responses: { 200: fieldStatisticsSchema },
      errors: SEARCH_ERRORS,
      handler: (request) => fields.statistics(request, request.params.field, request.body),
    }),
    defineRoute({
      method: 'POST',
      path: '/search/facets',
      tag,
      summary: 'Count the most frequent values of several fields',
      permission: anybody,
      strictBody: true,
      body: facetRequestSchema,
      responses: { 200: facetResponseSchema },
      errors: SEARCH_ERRORS,
      handler: (request) => fields.facets(request, request.body),
    }),
  ];
}
