import { z } from 'zod';

const count = z.int().min(0);

/** What stands here in the place of Elasticsearch: ClickHouse. */
export const storageClusterStatsSchema = z
  .object({
    cluster_name: z.string().describe('The name of the database.'),
    cluster_version: z.string().describe('The version of ClickHouse, with its name in front.'),
    status: z
      .enum(['GREEN', 'YELLOW', 'RED'])
      .describe('GREEN: ClickHouse answers. YELLOW: some of its servers do not. RED: none does.'),
    cluster_health: z.object({
      number_of_nodes: count,
      number_of_data_nodes: count,
      active_shards: count,
      relocating_shards: count,
      active_primary_shards: count,
      initializing_shards: count,
      unassigned_shards: count,
      timed_out: z.boolean(),
      pending_tasks: count,
      pending_tasks_time_in_queue: z.array(count),
    }),
    nodes_stats: z.object({
      total: count,
      master_only: count,
      data_only: count,
      master_data: count,
      client: count,
    }),
    indices_stats: z.object({
      index_count: count,
      store_size: count.describe('Bytes on disk.'),
      field_data_size: count,
      id_cache_size: count,
    }),
  })
  .meta({ id: 'StorageClusterStats' });
export type StorageClusterStats = z.infer<typeof storageClusterStatsSchema>;

/** `GET /system/cluster/stats` */
export const clusterStatsSchema = z
  .object({
    elasticsearch: storageClusterStatsSchema,
    mongo: z.null().describe('There is no MongoDB.'),
    stream_count: count,
    stream_rule_count: count,
    stream_rule_count_by_stream: z.record(z.string(), count).describe('By id, of those the user may read.'),
    user_count: count,
    output_count: count,
    output_count_by_type: z.record(z.string(), count),
    dashboard_count: count.describe('Always 0: there are no dashboards.'),
    input_count: count,
    global_input_count: count,
    input_count_by_type: z.record(z.string(), count),
    extractor_count: count,
    extractor_count_by_type: z.record(z.string(), count),
    alarm_stats: z.object({
      alert_count: count.describe('Alerts that are kept. Events of rules with `alert: false` do not count.'),
      alarmcallback_count_by_type: z.record(z.string(), count),
    }),
  })
  .meta({ id: 'ClusterStats' });
export type ClusterStats = z.infer<typeof clusterStatsSchema>;
