import { z } from 'zod';
import { elementPageShape, pagingQueryShape } from './paging.ts';

/** The types that a field of an index set can be given. Graylog has more: date, ip, geo-point and binary. */
export const FIELD_MAPPING_TYPES = {
  string: 'String (aggregatable)',
  string_fts: 'String (full-text searchable)',
  long: 'Number',
  double: 'Number (Floating Point)',
  boolean: 'Boolean',
} as const;
export type FieldMappingType = keyof typeof FIELD_MAPPING_TYPES;

const MAX_FIELDS = 1000;
const fieldName = z.string().min(1).max(1000);
const indexSets = z.array(z.string().min(1).max(100)).min(1).max(MAX_FIELDS).describe('Ids of index sets.');
const rotate = z
  .boolean()
  .default(false)
  .describe('Whether to begin a new index. The type applies to messages from now on, with or without it.');

/** `GET /system/indices/mappings/types` */
export const fieldMappingTypesSchema = z
  .record(z.string(), z.string())
  .meta({ id: 'FieldMappingTypes', description: 'What the types are called, by their names.' });

/** `PUT /system/indices/mappings` */
export const fieldMappingRequestSchema = z
  .looseObject({ index_sets: indexSets, field: fieldName, type: z.string().min(1).max(100), rotate })
  .meta({ id: 'FieldMappingRequest' });
export type FieldMappingRequest = z.infer<typeof fieldMappingRequestSchema>;

/** `PUT /system/indices/mappings/remove_mapping` */
export const fieldMappingRemovalSchema = z
  .looseObject({ index_sets: indexSets, fields: z.array(fieldName).min(1).max(MAX_FIELDS), rotate })
  .meta({ id: 'FieldMappingRemoval' });
export type FieldMappingRemoval = z.infer<typeof fieldMappingRemovalSchema>;

export const indexSetFieldTypeSchema = z
  .object({
    field_name: z.string(),
    type: z.string(),
    origin: z.enum(['INDEX', 'OVERRIDDEN_INDEX']).describe('OVERRIDDEN_INDEX: somebody chose the type.'),
    is_reserved: z.boolean().describe('Whether its type cannot be changed.'),
  })
  .meta({ id: 'IndexSetFieldType' });
export type IndexSetFieldType = z.infer<typeof indexSetFieldTypeSchema>;

export const fieldMappingsSchema = z
  .record(z.string(), indexSetFieldTypeSchema)
  .meta({ id: 'FieldMappings', description: 'By the id of the index set.' });
export type FieldMappings = z.infer<typeof fieldMappingsSchema>;

export const fieldMappingRemovalsSchema = z
  .record(
    z.string(),
    z.object({
      successfully_performed: z.int().min(0),
      failures: z.array(z.object({ entity_id: z.string(), failure_explanation: z.string() })),
      errors: z.array(z.string()),
      succeeded: z.array(indexSetFieldTypeSchema),
    }),
  )
  .meta({ id: 'FieldMappingRemovals', description: 'By the id of the index set.' });
export type FieldMappingRemovals = z.infer<typeof fieldMappingRemovalsSchema>;

export const indexSetFieldTypeQuerySchema = z.object({
  ...pagingQueryShape,
  sort: z.enum(['field_name', 'type', 'origin', 'is_reserved']).default('field_name'),
});
export type IndexSetFieldTypeQuery = z.infer<typeof indexSetFieldTypeQuerySchema>;

/** `GET /system/indices/index_sets/types/{id}` */
export const indexSetFieldTypePageSchema = z
  .object(elementPageShape(indexSetFieldTypeSchema))
  .meta({ id: 'IndexSetFieldTypePage' });
export type IndexSetFieldTypePage = z.infer<typeof indexSetFieldTypePageSchema>;
