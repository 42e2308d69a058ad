import { clusterStatsSchema, type StorageClusterStats, storageClusterStatsSchema } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { StorageService } from '#storage/service.ts';
import type { ClusterCounts } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface ClusterStatsRouteDeps {
  readonly clusterCounts: (principal: Principal) => Promise<ClusterCounts>;
  readonly storage: Pick<StorageService, 'indices'>;
  /** `clickhouse_database` */
  readonly indexerName: string;
}

const tag = 'System/Cluster';

/** What monitoring asks a cluster for: how much of everything there is, under Graylog's names. */
export function clusterStatsRoutes(deps: ClusterStatsRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/cluster/stats',
      tag,
      summary: 'Get figures about the whole cluster',
      permission: 'indexercluster:read',
      responses: { 200: clusterStatsSchema },
      errors: ['unavailable'],
      handler: async ({ principal }) => ({
        elasticsearch: await storageStats(deps, principal),
        mongo: null,
        ...(await deps.clusterCounts(principal)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/cluster/stats/elasticsearch',
      tag,
      summary: 'Get figures about the message storage',
      permission: 'indexercluster:read',
      responses: { 200: storageClusterStatsSchema },
      errors: ['unavailable'],
      handler: ({ principal }) => storageStats(deps, principal),
    }),
  ];
}

const CLUSTER_STATUS = { green: 'GREEN', yellow: 'YELLOW', red: 'RED' } as const;

async function storageStats(
  { storage: { indices }, indexerName }: ClusterStatsRouteDeps,
  principal: Principal,
): Promise<StorageClusterStats> {
  const { status, shards } = await indices.health();
  const isUp = status !== 'red';
  const sets = isUp ? [...(await indices.statsOfAll(principal)).values()] : [];
  const servers = shards.active;
  return {
    cluster_name: indexerName,
    cluster_version: isUp ? await indices.version() : 'ClickHouse',
    status: CLUSTER_STATUS[status],
    cluster_health: {
      number_of_nodes: servers,
      number_of_data_nodes: servers,
      active_shards: shards.active,
      relocating_shards: shards.relocating,
      active_primary_shards: shards.active,
      initializing_shards: shards.initializing,
      unassigned_shards: shards.unassigned,
      timed_out: false,
      pending_tasks: 0,
      pending_tasks_time_in_queue: [],
    },
    nodes_stats: { total: servers, master_only: 0, data_only: 0, master_data: servers, client: 0 },
    indices_stats: {
      index_count: sets.reduce((sum, set) => sum + set.indices, 0),
      store_size: sets.reduce((sum, set) => sum + set.size, 0),
      field_data_size: 0,
      id_cache_size: 0,
    },
  };
}
