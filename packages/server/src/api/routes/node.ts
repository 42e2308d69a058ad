import type { Route } from '../route.ts';
import { type BufferRouteDeps, bufferRoutes } from './buffers.ts';
import { type ClusterRouteDeps, clusterRoutes } from './cluster.ts';
import { type ClusterMetricRouteDeps, clusterMetricRoutes } from './cluster-metrics.ts';
import { type ClusterOperationRouteDeps, clusterOperationRoutes } from './cluster-operations.ts';
import { type CountRouteDeps, countRoutes } from './count.ts';
import { type LoadBalancerRouteDeps, loadBalancerRoutes } from './lbstatus.ts';
import { type ProcessingRouteDeps, processingRoutes } from './processing.ts';
import { type SystemRouteDeps, systemRoutes } from './system.ts';
import { type SystemClusterRouteDeps, systemClusterRoutes } from './system-cluster.ts';
import { type JobRouteDeps, jobRoutes } from './system-jobs.ts';
import { type LoggerRouteDeps, loggerRoutes } from './system-loggers.ts';
import { type MetricRouteDeps, metricRoutes } from './system-metrics.ts';
import { type NotificationRouteDeps, notificationRoutes } from './system-notifications.ts';
import { type SystemStatsRouteDeps, systemStatsRoutes } from './system-stats.ts';

export type NodeRouteDeps = BufferRouteDeps &
  ClusterRouteDeps &
  ClusterMetricRouteDeps &
  ClusterOperationRouteDeps &
  CountRouteDeps &
  LoadBalancerRouteDeps &
  ProcessingRouteDeps &
  SystemRouteDeps &
  SystemClusterRouteDeps &
  JobRouteDeps &
  LoggerRouteDeps &
  MetricRouteDeps &
  NotificationRouteDeps &
  SystemStatsRouteDeps;

/** Everything about the node itself and the cluster it belongs to. */
export function nodeRoutes(deps: NodeRouteDeps): Route[] {
  return [
    ...bufferRoutes(deps),
    ...clusterRoutes(deps),
    ...clusterMetricRoutes(deps),
    ...clusterOperationRoutes(deps),
    ...systemRoutes(deps),
    ...systemClusterRoutes(deps),
    ...systemStatsRoutes(deps),
    ...loadBalancerRoutes(deps),
    ...processingRoutes(deps),
    ...metricRoutes(deps),
    ...notificationRoutes(deps),
    ...jobRoutes(deps),
    ...loggerRoutes(deps),
    ...countRoutes(deps),
  ];
}
