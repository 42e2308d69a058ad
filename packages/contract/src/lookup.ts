import { z } from 'zod';
import { configurationFieldSchema } from './inputs.ts';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { booleanParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';

const MAX_DEFAULT_LENGTH = 10_000;
const MAX_NAMES = 1000;

const nameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'a name has letters, digits, - and _' })
  .describe('What rules call it.')
  .meta({ example: 'host-owners' });
const configSchema = z
  .looseObject({ type: z.string().max(100) })
  .describe('The type and its fields; those left out have their defaults. Secrets show as <password set>.');

const shown = {
  id: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  revision: revisionSchema,
};
const asked = {
  id: z.string().max(100).nullable().optional().describe('Ignored: the path names what is changed.'),
  name: nameSchema,
  title: z.string().trim().min(1).max(200),
  description: z.string().max(2000).nullable().optional(),
  revision: wantedRevisionSchema,
};

/** A data adapter or a cache. */
export const lookupPartSchema = z
  .object({ ...shown, config: z.record(z.string(), z.unknown()), content_pack: z.string().nullable() })
  .meta({ id: 'LookupPart' });
export type LookupPartView = z.infer<typeof lookupPartSchema>;

export const lookupPartRequestSchema = z
  .looseObject({ ...asked, config: configSchema })
  .meta({ id: 'LookupPartRequest' });
export type LookupPartRequest = z.infer<typeof lookupPartRequestSchema>;

export const LOOKUP_VALUE_TYPES = ['STRING', 'NUMBER', 'BOOLEAN', 'OBJECT', 'NULL'] as const;
const defaults = {
  default_single_value: z.string().max(MAX_DEFAULT_LENGTH),
  default_single_value_type: z.enum(LOOKUP_VALUE_TYPES),
  default_multi_value: z.string().max(MAX_DEFAULT_LENGTH),
  default_multi_value_type: z.enum(LOOKUP_VALUE_TYPES),
};

export const lookupTableSchema = z
  .object({
    ...shown,
    cache_id: z.string(),
    data_adapter_id: z.string(),
    content_pack: z.string().nullable(),
    ...defaults,
  })
  .meta({ id: 'LookupTable' });
export type LookupTableView = z.infer<typeof lookupTableSchema>;

export const lookupTableRequestSchema = z
  .looseObject({
    ...asked,
    cache_id: z.string().max(100),
    data_adapter_id: z.string().max(100),
    default_single_value: defaults.default_single_value.default('').describe('For keys without a value.'),
    default_single_value_type: defaults.default_single_value_type.default('NULL'),
    default_multi_value: defaults.default_multi_value.default('').describe('JSON, for keys without a value.'),
    default_multi_value_type: defaults.default_multi_value_type.default('NULL'),
  })
  .meta({ id: 'LookupTableRequest' });
export type LookupTableRequest = z.infer<typeof lookupTableRequestSchema>;

const page = { ...pagingResponseShape, query: z.string().nullable() };

/** `GET /system/lookup/tables` */
export const lookupTablePageSchema = z
  .object({
    ...page,
    lookup_tables: z.array(lookupTableSchema),
    caches: z.record(z.string(), lookupPartSchema).describe('By id, with `resolve`.'),
    data_adapters: z.record(z.string(), lookupPartSchema).describe('By id, with `resolve`.'),
  })
  .meta({ id: 'LookupTablePage' });
export type LookupTablePage = z.infer<typeof lookupTablePageSchema>;

export const lookupTableQuerySchema = z.object({
  ...pagingQueryShape,
  resolve: booleanParameter().default(false).describe('Whether to add adapters and caches.'),
});
export type LookupTableQuery = z.infer<typeof lookupTableQuerySchema>;
export const lookupResolveQuerySchema = lookupTableQuerySchema.pick({ resolve: true });

/** `GET /system/lookup/adapters` */
export const lookupAdapterPageSchema = z
  .object({ ...page, data_adapters: z.array(lookupPartSchema) })
  .meta({ id: 'LookupAdapterPage' });

/** `GET /system/lookup/caches` */
export const lookupCachePageSchema = z
  .object({ ...page, caches: z.array(lookupPartSchema) })
  .meta({ id: 'LookupCachePage' });

/** `POST /system/lookup/tables/validate` and the like */
export const lookupValidationSchema = z
  .object({
    failed: z.boolean(),
    errors: z.record(z.string(), z.array(z.string())).describe('By field.'),
  })
  .meta({ id: 'LookupValidation' });
export type LookupValidation = z.infer<typeof lookupValidationSchema>;

/** `GET /system/lookup/types/adapters` */
export const lookupTypesSchema = z
  .record(
    z.string(),
    z.object({
      type: z.string(),
      name: z.string(),
      description: z.string(),
      default_config: z.record(z.string(), z.unknown()),
      requested_configuration: z.record(z.string(), configurationFieldSchema),
    }),
  )
  .meta({ id: 'LookupTypes' });
export type LookupTypes = z.infer<typeof lookupTypesSchema>;

export const lookupKeyQuerySchema = z.object({
  key: z.string().min(1).max(10_000).describe('What to look up.'),
});
export const lookupPurgeQuerySchema = z.object({
  key: z
    .string()
    .max(10_000)
    .optional()
    .describe('Of a remote data adapter: only this key is forgotten. Without it, all are.'),
});

/** `GET /system/lookup/tables/{name}/query` */
export const lookupResultSchema = z
  .object({
    single_value: z.unknown(),
    multi_value: z.record(z.string(), z.unknown()).nullable(),
    string_list_value: z.array(z.string()).nullable(),
    has_error: z.boolean(),
    ttl: z.number().describe('Milliseconds.'),
  })
  .meta({ id: 'LookupResult' });
export type LookupResultView = z.infer<typeof lookupResultSchema>;

const names = z.array(z.string().max(100)).max(MAX_NAMES).nullable().optional();

/** `POST /system/lookup/errorstates` */
export const lookupErrorStatesRequestSchema = z
  .looseObject({ tables: names, data_adapters: names, caches: names })
  .meta({ id: 'LookupErrorStatesRequest' });
export type LookupErrorStatesRequest = z.infer<typeof lookupErrorStatesRequestSchema>;
const states = z.record(z.string(), z.string().nullable()).describe('What is wrong, by name; null: nothing.');
export const lookupErrorStatesSchema = z
  .object({ tables: states, data_adapters: states, caches: states })
  .meta({ id: 'LookupErrorStates' });
export type LookupErrorStates = z.infer<typeof lookupErrorStatesSchema>;
