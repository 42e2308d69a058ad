import { type ClusterNode, greatestSkew, type NodeRegistry } from '#cluster/service.ts';
import { createPeriodicJob, type Startable } from '#core/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { Notifications } from './notifications.ts';

export interface ClockWatchDeps {
  readonly registry: Pick<NodeRegistry, 'activeNodes' | 'clock' | 'isLeader'>;
  readonly notifications: Pick<Notifications, 'publish' | 'fix'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface ClockWatch extends Startable {
  /** Looks at once. For tests. */
  runNow(): Promise<void>;
}

/** Rules that count by time, and searches for the last seconds, go wrong by as much. */
const MAX_DIFFERENCE_MS = 2000;
const INTERVAL_MS = 10_000;

/** Tells operators when the clocks of nodes differ. The leader does it. */
export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { registry, notifications } = deps;

  deps.metrics.gauge('millrace.cluster.clock-offset', () => registry.clock()?.offsetMs ?? null, {
    help: 'Milliseconds by which the clock of this node is ahead of that of the metadata database',
  });

  async function look(): Promise<void> {
    const skew = greatestSkew(registry.activeNodes());
    if (skew !== undefined && skew.differenceMs > MAX_DIFFERENCE_MS) {
      const { ahead, behind, differenceMs } = skew;
      await notifications.publish({
        type: 'check_server_clocks',
        details: {
          node_ahead: nameOf(ahead),
          node_behind: nameOf(behind),
          difference_seconds: Math.round(differenceMs / 100) / 10,
        },
      });
    } else {
      // Each time: another node may have reported it, or the database may have been away the last time.
      await notifications.fix('check_server_clocks');
    }
  }

  const job = createPeriodicJob(
    { run: look, logger: deps.logger, isLeader: registry.isLeader },
    { name: 'comparing the clocks of nodes', intervalMs: INTERVAL_MS },
  );
  return {
    name: 'clock watch',
    start: async () => job.start(),
    stop: () => job.stop(),
    runNow: () => job.runNow(),
  };
}

function nameOf({ hostname, nodeId }: ClusterNode): string {
  return `${hostname} (${nodeId})`;
}
