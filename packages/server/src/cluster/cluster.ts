import type { Clock, Startable } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { createFanOut } from './fan-out.ts';
import { createNodeCalls, type NodeCalls } from './node-calls.ts';
import { createNodeStatus, type NodeStatus } from './node-status.ts';
import { createNodeRegistry, type NodeRegistry } from './registry.ts';

/** A node as a member of its cluster: its own state, its peers, and the calls between them. */
export interface Cluster {
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly registry: NodeRegistry;
  readonly nodeCalls: NodeCalls;
  /**
   * Start them in this order once the API listens: after the registry has started, other nodes call this one. The last
   * component stops first and then reports `dead` to load balancers.
   */
  readonly startables: readonly Startable[];
}

export interface ClusterDeps {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Measures durations; see `monotonicClock`. */
  readonly monotonic: Clock;
}

export interface ClusterSettings {
  readonly nodeId: string;
  /** `http_publish_uri`: where other nodes reach this one, with a trailing slash. Called when the registry starts. */
  readonly publishUri: () => string;
  /** `x.y.z+build` */
  readonly version: string;
  /** What the node tells the others about itself with every heartbeat. */
  readonly details?: () => Readonly<Record<string, unknown>>;
  /** `lb_throttle_threshold_percentage` */
  readonly throttleThresholdPercentage: number;
  readonly heartbeatMs?: number;
  readonly staleTimeoutMs?: number;
  readonly leaseMs?: number;
  /** How long to wait for another node's answer. */
  readonly peerTimeoutMs?: number;
}

export function createCluster(deps: ClusterDeps, settings: ClusterSettings): Cluster {
  const { nodeId, peerTimeoutMs } = settings;
  const status = createNodeStatus({ clock: deps.clock }, settings);
  const transportAddress = () => new URL('api/', settings.publishUri()).href;
  const { startedAt } = status.view();
  const registry = createNodeRegistry(deps, { ...settings, transportAddress, startedAt });
  const fanOut = createFanOut(
    { logger: deps.logger.child({ component: 'cluster' }) },
    { nodeId, ...(peerTimeoutMs !== undefined && { timeoutMs: peerTimeoutMs }) },
  );
  return {
    nodeId,
    status,
    registry,
    nodeCalls: createNodeCalls({ registry, fanOut }),
    startables: [registry, statusPart(status)],
  };
}

function statusPart(status: NodeStatus): Startable {
  return { name: 'node status', start: async () => {}, stop: async () => status.halting() };
}
