import type { NodeRegistry, NodeStatus } from '#cluster/service.ts';
import { type AuditLog, type Clock, createPeriodicJob, type Startable } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import {
  createMetricHistory,
  type Logger,
  type LogLevels,
  type MetricHistory,
  type Metrics,
  type RecentLogLines,
  registerLogMeters,
} from '#telemetry/index.ts';
import { createClockWatch } from './clock-watch.ts';
import { createGoneNodesWatch } from './gone-nodes.ts';
import { createSystemInformation, type SystemInformation } from './information.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createLogControl, type LogControl } from './log-control.ts';
import { createNodeControl, type NodeControl } from './node-control.ts';
import { createNotifications, type Notifications, type NotificationsOfNode } from './notifications.ts';
import { createSystemStats, type SystemStatsSource } from './statistics.ts';
import { createSystemMessages, type SystemMessages } from './system-messages.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** What operators see of a node and can do to it. Other parts report here; the API presents it. */
export interface System {
  readonly control: NodeControl;
  readonly information: SystemInformation;
  readonly stats: SystemStatsSource;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly jobs: Jobs;
  readonly traffic: Traffic;
  readonly history: MetricHistory;
  readonly logControl: LogControl;
  /** Start them in this order. */
  readonly startables: readonly Startable[];
}

export interface SystemDeps {
  readonly status: NodeStatus;
  readonly registry: NodeRegistry;
  readonly metadata: Metadata;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly levels: LogLevels;
  readonly recentLogLines: RecentLogLines;
  readonly clock: Clock;
  readonly audit: AuditLog;
  /** Shuts this node down gracefully. */
  readonly stopNode: () => void;
}

export interface SystemSettings {
  readonly nodeId: string;
  /** `x.y.z+build` */
  readonly version: string;
  readonly codename: string;
  /** Directories whose file systems are reported. */
  readonly directories: readonly string[];
}

export function createSystem(deps: SystemDeps, settings: SystemSettings): System {
  const { status, registry, metrics, logger, clock, audit, stopNode } = deps;
  const { repositories } = deps.metadata;
  const { nodeId } = settings;
  registerLogMeters(metrics, deps.recentLogLines);
  const systemMessages = createSystemMessages(
    { systemMessages: repositories.systemMessages, logger },
    { nodeId },
  );
  const jobs = createJobs({ clock, logger: logger.child({ component: 'jobs' }) }, { nodeId });
  const traffic = createTraffic({ traffic: repositories.traffic, metrics, clock, logger }, { nodeId });
  const history = createMetricHistory({
    metrics,
    clock,
    logger: logger.child({ component: 'metric-history' }),
  });
  const notifications = createNotifications(
    { notifications: repositories.notifications, logger },
    { nodeId },
  );
  const watches = [
    createClockWatch({ registry, notifications, metrics, logger }),
    createGoneNodesWatch({ nodes: repositories.nodes, notifications, isLeader: registry.isLeader, logger }),
  ];
  return {
    control: createNodeControl({ status, audit, systemMessages, stopNode }, { nodeId }),
    information: createSystemInformation({ status, registry }, settings),
    stats: createSystemStats({ status }, settings),
    notifications,
    systemMessages,
    jobs,
    traffic,
    history,
    logControl: createLogControl({ levels: deps.levels, recent: deps.recentLogLines }),
    startables: [traffic, history, jobsPart(jobs), ...watches, retryPart(notifications, logger)],
  };
}

function jobsPart(jobs: Jobs): Startable {
  return { name: 'jobs', start: async () => {}, stop: () => jobs.stop() };
}

const RETRY_INTERVAL_MS = 10_000;

function retryPart(notifications: NotificationsOfNode, logger: Logger): Startable {
  const job = createPeriodicJob(
    { run: () => notifications.retry(), logger },
    { name: 'storing notifications', intervalMs: RETRY_INTERVAL_MS },
  );
  return { name: 'notifications', start: async () => job.start(), stop: () => job.stop() };
}
