import { z } from 'zod';
import { booleanParameter, integerParameter, listParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

export const MAX_INDEX_SET_TITLE_LENGTH = 200;
export const MAX_INDEX_SET_DESCRIPTION_LENGTH = 2000;
export const MAX_INDEX_PREFIX_LENGTH = 100;

/** A strategy's configuration: `type` and the fields of that type. */
export const strategyConfigSchema = z
  .looseObject({ type: z.string().describe('Class name of the configuration.') })
  .meta({ id: 'StrategyConfig', description: 'The fields depend on the type.' });
export type StrategyConfig = z.infer<typeof strategyConfigSchema>;

/** Where messages are stored, for how long, and how they are split into indices. */
export const indexSetSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    default: z.boolean().describe('Whether new streams and "All messages" use it.'),
    can_be_default: z.boolean(),
    writable: z.boolean().describe('Whether streams may use it. If not, it is neither rotated nor retained.'),
    index_prefix: z.string().describe('Its indices are called `<prefix>_<number>`.'),
    shards: z.int().min(1),
    replicas: z.int().min(0),
    rotation_strategy_class: z.string(),
    rotation_strategy: strategyConfigSchema.describe('As it was sent.'),
    retention_strategy_class: z.string(),
    retention_strategy: strategyConfigSchema.describe('As it was sent.'),
    data_tiering: z.looseObject({ type: z.string() }).nullable().describe('As it was sent.'),
    use_legacy_rotation: z
      .boolean()
      .describe('Whether the strategies apply; false: the lifetimes of data_tiering.'),
    effective_rotation_strategy_class: z.string(),
    effective_rotation_strategy: strategyConfigSchema.describe(
      'What applies: also of data_tiering, and with the defaults of what was not sent.',
    ),
    effective_retention_strategy_class: z.string(),
    effective_retention_strategy: strategyConfigSchema.describe('The same.'),
    creation_date: timestampSchema,
    index_analyzer: z.string(),
    index_optimization_max_num_segments: z.int(),
    index_optimization_disabled: z.boolean(),
    field_type_refresh_interval: z.int().min(0).describe('Milliseconds.'),
    is_built_in: z.boolean().describe('Made by the program and cannot be deleted.'),
    revision: revisionSchema,
  })
  .meta({ id: 'IndexSet' });
export type IndexSetView = z.infer<typeof indexSetSchema>;

export const indexSetStatsSchema = z
  .object({
    indices: z.int().min(0),
    documents: z.int().min(0),
    size: z.int().min(0).describe('Bytes on disk.'),
  })
  .meta({ id: 'IndexSetStats' });
export type IndexSetStats = z.infer<typeof indexSetStatsSchema>;

export const INDEX_SET_SORT_FIELDS = ['title', 'index_prefix', 'documents', 'size'] as const;

/** `GET /system/indices/index_sets` */
export const indexSetsQuerySchema = z.object({
  skip: integerParameter({ min: 0 }).default(0),
  limit: integerParameter({ min: 0 }).default(0).describe('0: all'),
  stats: booleanParameter().default(false).describe('Include statistics of each index set.'),
  query: z.string().max(1000).default('').describe('Text to look for in titles, prefixes and descriptions.'),
  sort: z
    .enum(INDEX_SET_SORT_FIELDS)
    .optional()
    .describe('Field to sort by; without one they are in the order in which they were made.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the sort.'),
  ids: listParameter().optional().describe('Only the index sets with these ids.'),
  writable: booleanParameter().optional().describe('Only those that streams can use, or only the others.'),
  default: booleanParameter().optional().describe('Only the default one, or only the others.'),
});
export type IndexSetsQuery = z.infer<typeof indexSetsQuerySchema>;

export const indexSetListSchema = z
  .object({
    total: z.int().min(0),
    index_sets: z.array(indexSetSchema),
    stats: z.record(z.string(), indexSetStatsSchema).describe('By id; empty unless requested.'),
  })
  .meta({ id: 'IndexSetList' });
export type IndexSetList = z.infer<typeof indexSetListSchema>;

/** How a request names its strategies. */
export const strategiesShape = {
  rotation_strategy_class: z
    .string()
    .max(200)
    .nullable()
    .optional()
    .describe(
      'Class name or short id (message-count, size, time, lifetime); that of the configuration when left out.',
    ),
  rotation_strategy: z
    .looseObject({ type: z.string().max(200).optional() })
    .nullable()
    .optional(),
  retention_strategy_class: z
    .string()
    .max(200)
    .nullable()
    .optional()
    .describe('Class name or short id (delete, close, none); that of the configuration when left out.'),
  retention_strategy: z
    .looseObject({ type: z.string().max(200).optional() })
    .nullable()
    .optional(),
};

/** What people set about an index set, with the defaults of what they leave out. */
export const indexSetPropertiesShape = {
  title: z.string().trim().min(1).max(MAX_INDEX_SET_TITLE_LENGTH),
  description: z.string().max(MAX_INDEX_SET_DESCRIPTION_LENGTH).nullable().optional(),
  shards: z.int().min(1).max(1000).default(1),
  replicas: z.int().min(0).max(1000).default(0),
  ...strategiesShape,
  data_tiering: z
    .looseObject({ type: z.string().max(200) })
    .nullable()
    .optional()
    .describe(
      'Lifetimes instead of strategies: `{type: "hot_only", index_lifetime_min, index_lifetime_max}`.',
    ),
  use_legacy_rotation: z
    .boolean()
    .nullable()
    .optional()
    .describe('False applies data_tiering; when left out, it applies unless a strategy is named.'),
  writable: z.boolean().default(true),
  index_optimization_max_num_segments: z.int().min(1).max(1_000_000).default(1),
  index_optimization_disabled: z.boolean().default(false),
  field_type_refresh_interval: z.int().min(0).max(86_400_000).default(5000).describe('Milliseconds.'),
};

/** `POST /system/indices/index_sets`. Unknown keys of other versions are accepted. */
export const newIndexSetSchema = z
  .looseObject({
    ...indexSetPropertiesShape,
    index_prefix: z
      .string()
      .min(1)
      .max(MAX_INDEX_PREFIX_LENGTH)
      .regex(/^[a-z0-9][a-z0-9_+-]*$/, {
        error: (issue) =>
          `${JSON.stringify(issue.input)} is not a prefix: lower-case letters, digits, _, + and -, beginning with a letter or digit`,
      }),
    index_analyzer: z.string().min(1).max(200).default('standard'),
    index_set_template_id: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .describe(
        'The template that says how long messages are kept if the request does not; the default one when left out.',
      ),
  })
  .meta({ id: 'NewIndexSet' });
export type NewIndexSetRequest = z.infer<typeof newIndexSetSchema>;

/** `PUT /system/indices/index_sets/{id}`. Properties that cannot change are ignored, so a whole record can be sent. */
export const indexSetChangesSchema = z
  .looseObject({ ...indexSetPropertiesShape, revision: wantedRevisionSchema })
  .meta({ id: 'IndexSetChanges' });
export type IndexSetChanges = z.infer<typeof indexSetChangesSchema>;

export const strategySchema = z
  .object({
    type: z.string().describe('Class name.'),
    name: z.string(),
    description: z.string(),
    default_config: strategyConfigSchema,
    json_schema: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Strategy' });
export type StrategyView = z.infer<typeof strategySchema>;

/** `GET /system/indices/{rotation,retention}/strategies` */
export const strategyListSchema = z
  .object({ total: z.int().min(0), strategies: z.array(strategySchema) })
  .meta({ id: 'StrategyList' });

export const strategyParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Class name or short id of a strategy', example: 'time' });
