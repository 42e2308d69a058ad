import { z } from 'zod';
import {
  indexSetPropertiesShape,
  MAX_INDEX_SET_DESCRIPTION_LENGTH,
  MAX_INDEX_SET_TITLE_LENGTH,
  strategiesShape,
} from './index-sets.ts';
import { elementPageShape, pagingQueryShape } from './paging.ts';

const { data_tiering, use_legacy_rotation } = indexSetPropertiesShape;

/** What a template says about an index set: nothing is added to it, because clients compare it with what they sent. */
export const indexSetTemplateConfigSchema = z
  .looseObject({
    index_analyzer: z.string().min(1).max(200).optional(),
    shards: indexSetPropertiesShape.shards.unwrap().optional(),
    replicas: indexSetPropertiesShape.replicas.unwrap().optional(),
    ...strategiesShape,
    data_tiering,
    use_legacy_rotation,
    index_optimization_max_num_segments: indexSetPropertiesShape.index_optimization_max_num_segments
      .unwrap()
      .optional(),
    index_optimization_disabled: z.boolean().optional(),
    field_type_refresh_interval: indexSetPropertiesShape.field_type_refresh_interval.unwrap().optional(),
  })
  .meta({ id: 'IndexSetTemplateConfig' });
export type IndexSetTemplateConfig = z.infer<typeof indexSetTemplateConfigSchema>;

export const indexSetTemplateSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    built_in: z.boolean(),
    default: z.boolean().describe('Whether new index sets that say nothing about it are kept as it says.'),
    enabled: z.boolean(),
    disabled_reason: z.string(),
    index_set_config: indexSetTemplateConfigSchema.describe('As it was sent.'),
  })
  .meta({ id: 'IndexSetTemplate' });
export type IndexSetTemplateView = z.infer<typeof indexSetTemplateSchema>;

/** `POST` and `PUT /system/indices/index_sets/templates` */
export const indexSetTemplateRequestSchema = z
  .looseObject({
    title: z.string().trim().min(1).max(MAX_INDEX_SET_TITLE_LENGTH),
    description: z.string().max(MAX_INDEX_SET_DESCRIPTION_LENGTH).nullable().optional(),
    index_set_config: indexSetTemplateConfigSchema,
  })
  .meta({ id: 'IndexSetTemplateRequest' });
export type IndexSetTemplateRequest = z.infer<typeof indexSetTemplateRequestSchema>;

export const indexSetTemplatePageQuerySchema = z.object({
  ...pagingQueryShape,
  sort: z.enum(['title', 'description', 'id']).default('title').describe('Field to sort by.'),
});
export type IndexSetTemplatePageQuery = z.infer<typeof indexSetTemplatePageQuerySchema>;

/** `GET /system/indices/index_sets/templates/paginated` */
export const indexSetTemplatePageSchema = z
  .object(elementPageShape(indexSetTemplateSchema))
  .meta({ id: 'IndexSetTemplatePage' });
export type IndexSetTemplatePage = z.infer<typeof indexSetTemplatePageSchema>;

/** `PUT /system/indices/index_set_defaults` */
export const defaultIndexSetTemplateSchema = z
  .looseObject({ id: z.string().min(1).max(100).describe('Id of a template.') })
  .meta({ id: 'DefaultIndexSetTemplate' });
