import { z } from 'zod';
import { timestampSchema } from './time.ts';

/** `millrace_3` */
export const indexNameParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of an index: prefix of its set, underscore, number', example: 'millrace_3' });

export const indexRangeSchema = z
  .object({
    index_name: z.string(),
    begin: timestampSchema.describe('The time of the oldest message; 1970 if there is none.'),
    end: timestampSchema.describe('The time of the newest message.'),
    calculated_at: timestampSchema,
    took_ms: z.int().min(0),
  })
  .meta({ id: 'IndexRange' });
export type IndexRangeView = z.infer<typeof indexRangeSchema>;

/** `GET /system/indices/ranges` */
export const indexRangeListSchema = z
  .object({ total: z.int().min(0), ranges: z.array(indexRangeSchema) })
  .meta({ id: 'IndexRangeList' });
export type IndexRangeList = z.infer<typeof indexRangeListSchema>;

/** `GET /system/deflector/{indexSetId}` */
export const deflectorSchema = z
  .object({ is_up: z.boolean(), current_target: z.string().nullable().describe('The index written to.') })
  .meta({ id: 'Deflector' });
export type DeflectorView = z.infer<typeof deflectorSchema>;

const timesSchema = z.object({ total: z.int().min(0), time_seconds: z.int().min(0) });

const shardFiguresSchema = z
  .object({
    flush: timesSchema,
    get: timesSchema,
    index: timesSchema,
    merge: timesSchema,
    refresh: timesSchema,
    search_query: timesSchema,
    search_fetch: timesSchema,
    open_search_contexts: z.int().min(0),
    store_size_bytes: z.int().min(0),
    segments: z.int().min(0).describe('Parts on disk.'),
    documents: z.object({ count: z.int().min(0), deleted: z.int().min(0) }),
  })
  .meta({
    id: 'ShardFigures',
    description: 'In Graylog’s shape; values that ClickHouse does not have are 0.',
  });
export type ShardFigures = z.infer<typeof shardFiguresSchema>;

export const indexInfoSchema = z
  .object({
    primary_shards: shardFiguresSchema,
    all_shards: shardFiguresSchema,
    routing: z.array(z.unknown()).describe('Always empty: there are no shards.'),
    is_reopened: z.boolean(),
  })
  .meta({ id: 'IndexInfo' });
export type IndexInfo = z.infer<typeof indexInfoSchema>;

export const openIndicesSchema = z
  .object({ indices: z.record(z.string(), indexInfoSchema) })
  .meta({ id: 'OpenIndices', description: 'By name.' });
export type OpenIndices = z.infer<typeof openIndicesSchema>;

export const closedIndicesSchema = z
  .object({ indices: z.array(z.string()), total: z.int().min(0) })
  .meta({ id: 'ClosedIndices' });
export type ClosedIndices = z.infer<typeof closedIndicesSchema>;

/** `GET /system/indexer/indices` and `/{indexSetId}/list` */
export const allIndicesSchema = z
  .object({ closed: closedIndicesSchema, reopened: closedIndicesSchema, all: openIndicesSchema })
  .meta({ id: 'AllIndices' });
export type AllIndices = z.infer<typeof allIndicesSchema>;

/** `POST /system/indexer/indices/multiple` */
export const indexNamesSchema = z
  .strictObject({ indices: z.array(z.string().max(200)).max(10_000) })
  .meta({ id: 'IndexNames' });

export const indexerHealthSchema = z
  .object({
    status: z
      .enum(['green', 'yellow', 'red'])
      .describe('green: ClickHouse answers. yellow: some of its servers do not. red: none does.'),
    shards: z.object({
      active: z.int().min(0),
      initializing: z.int().min(0),
      relocating: z.int().min(0),
      unassigned: z.int().min(0),
    }),
  })
  .meta({ id: 'IndexerHealth' });
export type IndexerHealth = z.infer<typeof indexerHealthSchema>;

export const indexerNameSchema = z.object({ name: z.string() }).meta({ id: 'IndexerName' });

const indexSummarySchema = z
  .object({
    size: z
      .object({ events: z.int().min(0), deleted: z.int().min(0), bytes: z.int().min(0) })
      .nullable()
      .describe('Null for a closed index.'),
    range: indexRangeSchema.nullable(),
    is_deflector: z.boolean().describe('Whether it is the one written to.'),
    is_closed: z.boolean(),
    is_reopened: z.boolean(),
  })
  .meta({ id: 'IndexSummary' });
export type IndexSummary = z.infer<typeof indexSummarySchema>;

/** `GET /system/indexer/overview` */
export const indexerOverviewSchema = z
  .object({
    deflector: deflectorSchema,
    indexer_cluster: z.object({ health: indexerHealthSchema, name: z.string() }),
    counts: z.object({ events: z.int().min(0) }),
    indices: z.record(z.string(), indexSummarySchema).describe('By name, the newest first.'),
    total: z.int().min(0).describe('The number of indices, also of those that were not asked for.'),
  })
  .meta({ id: 'IndexerOverview' });
export type IndexerOverview = z.infer<typeof indexerOverviewSchema>;

export const indexerFailureSchema = z
  .object({
    id: z.string(),
    type: z.string().describe('The stage: decoding or storing.'),
    letter_id: z.string().describe('The message that failed; the same as `id`.'),
    index: z.string().describe('The index that contains the failure.'),
    message: z.string().describe('What went wrong.'),
    timestamp: timestampSchema,
  })
  .meta({ id: 'IndexerFailure' });
export type IndexerFailure = z.infer<typeof indexerFailureSchema>;

/** `GET /system/indexer/failures` */
export const indexerFailuresSchema = z
  .object({ failures: z.array(indexerFailureSchema), total: z.int().min(0) })
  .meta({ id: 'IndexerFailures' });
export type IndexerFailures = z.infer<typeof indexerFailuresSchema>;

export const failureCountSchema = z.object({ count: z.int().min(0) }).meta({ id: 'FailureCount' });
