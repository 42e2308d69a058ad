import {
  entityIdParameter,
  FIELD_MAPPING_TYPES,
  fieldMappingRemovalSchema,
  fieldMappingRemovalsSchema,
  fieldMappingRequestSchema,
  fieldMappingsSchema,
  fieldMappingTypesSchema,
  indexSetFieldTypePageSchema,
  indexSetFieldTypeQuerySchema,
  indexSetFieldTypeSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { FieldMappingAdministration } from '#storage/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface FieldMappingRouteDeps {
  readonly storage: { readonly fieldMappings: FieldMappingAdministration };
}

const tag = 'Field types';
const anybody = { kind: 'authenticated' } as const;
const MAPPINGS = '/system/indices/mappings';
const TYPES = '/system/indices/index_sets/types';
const params = z.object({ indexSetId: entityIdParameter });
const instance = ({ indexSetId }: { readonly indexSetId: string }) => indexSetId;

export function fieldMappingRoutes({ storage: { fieldMappings } }: FieldMappingRouteDeps): Route[] {
  return [...readRoutes(fieldMappings), ...changeRoutes(fieldMappings)];
}

function readRoutes(fieldMappings: FieldMappingAdministration): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${MAPPINGS}/types`,
      tag,
      summary: 'List the types that fields can be given',
      permission: anybody,
      responses: { 200: fieldMappingTypesSchema },
      errors: [],
      handler: () => FIELD_MAPPING_TYPES,
    }),
    defineRoute({
      method: 'GET',
      path: `${TYPES}/:indexSetId`,
      tag,
      summary: 'List the fields of an index set with their types page by page',
      permission: 'indexsets:read',
      instance,
      params,
      query: indexSetFieldTypeQuerySchema,
      responses: { 200: indexSetFieldTypePageSchema },
      errors: ['not_found'],
      handler: (request) => fieldMappings.page(request.params.indexSetId, request.query),
    }),
    defineRoute({
      method: 'GET',
      path: `${TYPES}/:indexSetId/all`,
      tag,
      summary: 'List all fields of an index set with their types',
      permission: 'indexsets:read',
      instance,
      params,
      responses: { 200: z.array(indexSetFieldTypeSchema) },
      errors: ['not_found'],
      handler: (request) => fieldMappings.list(request.params.indexSetId),
    }),
  ];
}

function changeRoutes(fieldMappings: FieldMappingAdministration): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: MAPPINGS,
      tag,
      summary: 'Give a field of some index sets a type',
      description:
        'Messages are stored with values of that type from now on; a value that has no such form stays as it is. Needs typemappings:create for each index set.',
      permission: anybody,
      body: fieldMappingRequestSchema,
      responses: { 200: fieldMappingsSchema },
      errors: ['forbidden', 'not_found', 'unavailable'],
      handler: (request) => fieldMappings.set(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: `${MAPPINGS}/remove_mapping`,
      tag,
      summary: 'Take the chosen types from fields of some index sets',
      description: 'Needs typemappings:delete for each index set.',
      permission: anybody,
      body: fieldMappingRemovalSchema,
      responses: { 200: fieldMappingRemovalsSchema },
      errors: ['forbidden', 'not_found', 'unavailable'],
      handler: (request) => fieldMappings.remove(request, request.body),
    }),
  ];
}
