import type { NotificationType } from '@millrace/contract';
import { createPeriodicJob, type Startable } from '#core/index.ts';
import type { NodesRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { isAboutNode, type Notifications } from './notifications.ts';

export interface GoneNodesWatchDeps {
  readonly nodes: Pick<NodesRepository, 'list'>;
  readonly notifications: Pick<Notifications, 'list' | 'fix'>;
  readonly isLeader: () => boolean;
  readonly logger: Logger;
}

export interface GoneNodesWatch extends Startable {
  /** Looks at once. For tests. */
  runNow(): Promise<void>;
}

/**
 * What a node fixes itself, and publishes again after a start if it is still so. Losses are left to operators, and a plugin
 * that is switched off still is when its node comes back.
 */
const OF_RUNNING_NODES: ReadonlySet<NotificationType> = new Set([
  'no_input_running',
  'input_failed_to_start',
  'input_newline_delimited',
  'journal_utilization_too_high',
  'output_failing',
  'plugin_failed',
  'generic',
]);
const INTERVAL_MS = 60_000;

/**
 * Removes what nodes have published about themselves once they have left the cluster: nobody else would. The leader does
 * it, at the second look that does not find the node: one that starts may publish before the others see it.
 */
export function createGoneNodesWatch(deps: GoneNodesWatchDeps): GoneNodesWatch {
  let missing: ReadonlySet<string> = new Set();

  async function look(): Promise<void> {
    const known = new Set((await deps.nodes.list()).map(({ nodeId }) => nodeId));
    const left = (await deps.notifications.list()).filter(
      ({ type, key, node_id: nodeId }) =>
        OF_RUNNING_NODES.has(type) && isAboutNode(key, nodeId) && !known.has(nodeId),
    );
    for (const { type, key, node_id: nodeId } of left) {
      if (key !== null && missing.has(nodeId)) await deps.notifications.fix(type, key);
    }
    missing = new Set(left.map(({ node_id: nodeId }) => nodeId));
  }

  const job = createPeriodicJob(
    { run: look, logger: deps.logger, isLeader: deps.isLeader },
    { name: 'removing notifications of nodes that are gone', intervalMs: INTERVAL_MS },
  );
  return {
    name: 'gone nodes watch',
    start: async () => job.start(),
    stop: () => job.stop(),
    runNow: () => job.runNow(),
  };
}
