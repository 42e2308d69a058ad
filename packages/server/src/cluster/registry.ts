import { hostname } from 'node:os';
import { type Clock, createPeriodicJob, type Startable } from '#core/index.ts';
import type { DatabaseKind, Metadata, NodeBeat, SeenNode } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { CLOCK_DETAIL, type ClockOffset, clockOffset, readClockOffset } from './clock-skew.ts';
import { createLease, type Lease } from './lease.ts';

export interface ClusterNode {
  readonly nodeId: string;
  readonly clusterId: string;
  readonly hostname: string;
  /** The root of its REST API, with a trailing slash. */
  readonly transportAddress: string;
  readonly version: string;
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly isLeader: boolean;
  /** What the node tells the others about itself: for example how far it has stored its messages. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Undefined until it has compared its clock with that of the database. */
  readonly clock: ClockOffset | undefined;
}

/**
 * Which nodes are alive, and which of them is the leader. Only the leader rotates, retains and evaluates.
 *
 * Contract: all answers come from memory and are at most one heartbeat old. `start` resolves when the other nodes can
 * see this one; `stop` removes it from the list and hands over leadership. While the database is unavailable, the node
 * sees only itself and does not lead.
 */
export interface NodeRegistry extends Startable {
  readonly nodeId: string;
  /** Only after `start`. */
  clusterId(): string;
  /** This node first, then the others by id. */
  activeNodes(): readonly ClusterNode[];
  findActive(nodeId: string): ClusterNode | undefined;
  isLeader(): boolean;
  /** This node's clock; undefined until it was compared. */
  clock(): ClockOffset | undefined;
  onLeadershipChange(listener: (isLeader: boolean) => void): () => void;
}

export interface RegistryDeps {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonic: Clock;
}

export interface RegistrySettings {
  readonly nodeId: string;
  /** Called by `start`: a node that listens on any free port knows its address only then. */
  readonly transportAddress: () => string;
  readonly version: string;
  readonly startedAt: number;
  /** Called for every heartbeat. */
  readonly details?: () => Readonly<Record<string, unknown>>;
  /** Default: every second with PostgreSQL. */
  readonly heartbeatMs?: number;
  /** A node not seen for this long is not active (`stale_master_timeout`). Default: 2 s with PostgreSQL. */
  readonly staleTimeoutMs?: number;
  /** How long the leader may be silent before another node takes over. */
  readonly leaseMs?: number;
  /** A node not seen for this long is removed from the database. */
  readonly forgetAfterMs?: number;
}

const DEFAULTS = { leaseMs: 4000, forgetAfterMs: 24 * 3_600_000 } as const;

/**
 * The nodes of a cluster share PostgreSQL. With SQLite a node is alone: nobody reads its heartbeats, and each one
 * costs a synced disk write on the thread that answers requests.
 */
const DEFAULT_TIMES: Record<DatabaseKind, { readonly heartbeatMs: number; readonly staleTimeoutMs: number }> =
  {
    postgres: { heartbeatMs: 1000, staleTimeoutMs: 2000 },
    sqlite: { heartbeatMs: 30_000, staleTimeoutMs: 65_000 },
  };

const LEADER_LEASE = 'leader';
const FORGET_EVERY_BEATS = 60;

interface Seen {
  readonly nodes: readonly SeenNode[];
  /** By the monotonic clock. */
  readonly at: number;
}

export function createNodeRegistry(deps: RegistryDeps, options: RegistrySettings): NodeRegistry {
  const settings = { ...DEFAULTS, ...DEFAULT_TIMES[deps.metadata.kind], ...options };
  const { nodes, clusterSettings, leases } = deps.metadata.repositories;
  const logger = deps.logger.child({ component: 'cluster' });
  const lease = createLease(
    { leases, monotonic: deps.monotonic, clock: deps.clock },
    { name: LEADER_LEASE, holder: settings.nodeId, durationMs: settings.leaseMs },
  );
  const leadership = createLeadership(deps.metadata.kind === 'sqlite' ? undefined : lease);
  let clusterId: string | undefined;
  let seen: Seen = { nodes: [], at: Number.NEGATIVE_INFINITY };
  let ownClock: ClockOffset | undefined;
  let beats = 0;
  let hasStopped = false;

  // Read once: requests call `activeNodes`, and these two values need system calls.
  const ownHostname = hostname();
  let ownAddress = '';

  function ownBeat(): NodeBeat {
    return {
      nodeId: settings.nodeId,
      hostname: ownHostname,
      transportAddress: ownAddress,
      version: settings.version,
      startedAt: settings.startedAt,
      isLeader: leadership.isLeader(),
      details: { ...settings.details?.(), ...(ownClock && { [CLOCK_DETAIL]: ownClock }) },
    };
  }

  async function beat(): Promise<void> {
    await leadership.renew();
    const asked = deps.clock.now();
    await nodes.beat(ownBeat());
    const answered = deps.clock.now();
    const at = deps.monotonic.now();
    seen = { nodes: await nodes.listSeen(), at };
    const own = seen.nodes.find(({ nodeId }) => nodeId === settings.nodeId);
    ownClock = own && clockOffset(asked, answered, own.lastSeen);
    if (beats++ % FORGET_EVERY_BEATS === 0) await nodes.removeUnseenFor(settings.forgetAfterMs);
  }

  const heartbeat = createPeriodicJob(
    { run: beat, logger },
    { name: 'cluster heartbeat', intervalMs: settings.heartbeatMs },
  );

  const clusterIdOf = () => requireStarted(clusterId);

  function activeNodes(): ClusterNode[] {
    const others = othersIn(seen, deps.monotonic.now(), settings);
    const own = { ...ownBeat(), lastSeen: deps.clock.now() };
    return [own, ...others].map((node) => toClusterNode(node, clusterIdOf()));
  }

  return {
    name: 'node-registry',
    nodeId: settings.nodeId,
    clusterId: clusterIdOf,
    activeNodes,
    findActive: (nodeId) => activeNodes().find((node) => node.nodeId === nodeId),
    isLeader: leadership.isLeader,
    clock: () => ownClock,
    onLeadershipChange: leadership.onChange,
    async start() {
      ownAddress = settings.transportAddress();
      clusterId = await clusterSettings.clusterId();
      if (hasStopped) return;
      await beat();
      heartbeat.start();
    },
    async stop() {
      hasStopped = true;
      await heartbeat.stop();
      await leadership.resign();
      if (clusterId !== undefined) await nodes.remove(settings.nodeId);
    },
  };
}

function requireStarted(clusterId: string | undefined): string {
  if (clusterId === undefined) throw new Error('the node registry has not been started');
  return clusterId;
}

/** The other nodes that have not been silent for too long. */
function othersIn(
  { nodes, at }: Seen,
  now: number,
  { nodeId, staleTimeoutMs }: { readonly nodeId: string; readonly staleTimeoutMs: number },
): SeenNode[] {
  return nodes.filter((node) => node.nodeId !== nodeId && node.ageMs + (now - at) <= staleTimeoutMs);
}

function toClusterNode(node: NodeBeat & { readonly lastSeen: number }, clusterId: string): ClusterNode {
  const { nodeId, hostname: host, transportAddress, version, startedAt, lastSeen, isLeader, details } = node;
  return {
    nodeId,
    clusterId,
    hostname: host,
    transportAddress,
    version,
    startedAt,
    lastSeen,
    isLeader,
    details,
    clock: readClockOffset(details),
  };
}

/** Without a lease there is no other node: this one leads from start to stop. */
function createLeadership(lease: Lease | undefined) {
  const listeners = new Set<(isLeader: boolean) => void>();
  let hasResigned = false;
  let lastNotified = false;

  const isLeader = (): boolean => !hasResigned && (lease === undefined || lease.isHeld());

  function notifyListeners(): void {
    const now = isLeader();
    if (now === lastNotified) return;
    lastNotified = now;
    for (const listener of [...listeners]) listener(now);
  }

  return {
    isLeader,
    async renew() {
      try {
        await lease?.renew();
      } finally {
        notifyListeners();
      }
    },
    async resign() {
      hasResigned = true;
      notifyListeners();
      await lease?.release();
    },
    onChange(listener: (isLeader: boolean) => void) {
      const entry = (isLeader: boolean) => listener(isLeader);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
