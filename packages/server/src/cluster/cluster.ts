import type { AuditLog, Clock, Component } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import {
  createMetricHistory,
  type Logger,
  type LogLevels,
  type MetricHistory,
  type Metrics,
  type RecentLogLines,
} from '#telemetry/index.ts';
import { createFanOut } from './fan-out.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createLogControl, type LogControl } from './log-control.ts';
import { createNodeCalls, type NodeCalls } from './node-calls.ts';
import { createNodeControl, type NodeControl } from './node-control.ts';
import { createNodeStatus, type NodeStatus } from './node-status.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createNodeRegistry, type NodeRegistry } from './registry.ts';
import { createSystemInformation, type SystemInformation } from './system-information.ts';
import { createSystemMessages, type SystemMessages } from './system-messages.ts';
import { createSystemStats, type SystemStatsSource } from './system-stats.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/**
 * A node as a member of its cluster: its state, its peers, and what both tell operators. Other parts take from here
 * what they need; the API takes all of it.
 */
export interface Cluster {
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly registry: NodeRegistry;
  readonly nodeCalls: NodeCalls;
  readonly control: NodeControl;
  readonly information: SystemInformation;
  readonly stats: SystemStatsSource;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly jobs: Jobs;
  readonly traffic: Traffic;
  readonly history: MetricHistory;
  readonly logControl: LogControl;
  readonly audit: AuditLog;
  /**
   * To be started in this order, when the API listens: with the registry other nodes begin to call this one. The last
   * one tells load balancers `dead` when it is stopped, which is the first thing that happens then.
   */
  readonly components: readonly Component[];
}

export interface ClusterDeps {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly levels: LogLevels;
  readonly recentLogLines: RecentLogLines;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Measures durations; see `monotonicClock`. */
  readonly monotonic: Clock;
  readonly audit: AuditLog;
  /** Ends this node in good order. */
  readonly stopNode: () => void;
}

export interface ClusterConfig {
  readonly nodeId: string;
  /** `http_publish_uri`: where others reach this node, with a slash at the end. Asked at start. */
  readonly publishUri: () => string;
  /** `x.y.z+build` */
  readonly version: string;
  readonly codename: string;
  /** `lb_throttle_threshold_percentage` */
  readonly throttleThresholdPercentage: number;
  /** Directories whose file systems are reported on. */
  readonly directories: readonly string[];
  readonly heartbeatMs?: number;
  readonly staleTimeoutMs?: number;
  readonly leaseMs?: number;
  /** How long another node may take to answer. */
  readonly peerTimeoutMs?: number;
}

export function createCluster(deps: ClusterDeps, config: ClusterConfig): Cluster {
  const { metadata, logger, metrics, clock } = deps;
  const { nodeId } = config;
  const { repositories } = metadata;

  const status = createNodeStatus({ clock }, config);
  const transportAddress = () => new URL('api/', config.publishUri()).href;
  const registry = createNodeRegistry(deps, {
    ...config,
    transportAddress,
    startedAt: status.view().startedAt,
  });
  const fanOut = createFanOut(
    { logger: logger.child({ component: 'cluster' }) },
    { nodeId, ...(config.peerTimeoutMs === undefined ? {} : { timeoutMs: config.peerTimeoutMs }) },
  );
  const systemMessages = createSystemMessages({ ...repositories, logger }, config);
  const jobs = createJobs({ clock, logger: logger.child({ component: 'jobs' }) }, config);
  const traffic = createTraffic({ traffic: repositories.traffic, metrics, clock, logger }, { nodeId });
  const history = createMetricHistory({ metrics, clock });
  return {
    nodeId,
    status,
    registry,
    nodeCalls: createNodeCalls({ registry, fanOut }),
    control: createNodeControl({ ...deps, status, systemMessages }, config),
    information: createSystemInformation({ status, registry }, config),
    stats: createSystemStats({ status }, config),
    notifications: createNotifications({ ...repositories, logger }, config),
    systemMessages,
    jobs,
    traffic,
    history,
    logControl: createLogControl({ levels: deps.levels, recent: deps.recentLogLines }),
    audit: deps.audit,
    components: [traffic, history, jobsComponent(jobs), registry, statusComponent(status)],
  };
}

function jobsComponent(jobs: Jobs): Component {
  return { name: 'jobs', start: async () => {}, stop: () => jobs.stop() };
}

function statusComponent(status: NodeStatus): Component {
  return { name: 'node status', start: async () => {}, stop: async () => status.halting() };
}
