import { hostname } from 'node:os';
import { type Clock, type Component, errorMessage } from '#core/index.ts';
import type { DatabaseKind, Metadata, NodeBeat, SeenNode } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { createLease, type Lease } from './lease.ts';

export interface ClusterNode {
  readonly nodeId: string;
  readonly clusterId: string;
  readonly hostname: string;
  /** The root of its REST API, with a slash at the end. */
  readonly transportAddress: string;
  readonly version: string;
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly isLeader: boolean;
}

/**
 * Which nodes are alive, and which of them leads: rotates, retains, evaluates.
 *
 * Contract: all questions are answered from memory, at most one heartbeat old. `start` resolves when this node is
 * known to the others; `stop` takes it out of the list and hands the lead over. While the database is away the node
 * sees itself alone and does not lead.
 */
export interface NodeRegistry extends Component {
  readonly nodeId: string;
  /** Only after `start`. */
  clusterId(): string;
  /** This node first, then the others by id. */
  activeNodes(): readonly ClusterNode[];
  findActive(nodeId: string): ClusterNode | undefined;
  isLeader(): boolean;
  onLeadershipChange(listener: (isLeader: boolean) => void): () => void;
}

export interface RegistryDeps {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonic: Clock;
}

export interface RegistryConfig {
  readonly nodeId: string;
  /** Asked at `start`: a node that listens on any free port knows its address only then. */
  readonly transportAddress: () => string;
  readonly version: string;
  readonly startedAt: number;
  /** Every second with PostgreSQL, unless given. */
  readonly heartbeatMs?: number;
  /** A node not seen for so long is not active (`stale_master_timeout`); 2 s with PostgreSQL, unless given. */
  readonly staleTimeoutMs?: number;
  /** How long the leader may be silent before another node leads. */
  readonly leaseMs?: number;
  /** A node not seen for so long is taken out of the database. */
  readonly forgetAfterMs?: number;
}

const DEFAULTS = { leaseMs: 4000, forgetAfterMs: 24 * 3_600_000 } as const;

/**
 * Nodes of a cluster share PostgreSQL. Over SQLite a node is alone, and each heartbeat would cost it a forced write
 * to its disk, on the thread that answers requests, for nobody to read.
 */
const TIMES: Record<DatabaseKind, { readonly heartbeatMs: number; readonly staleTimeoutMs: number }> = {
  postgres: { heartbeatMs: 1000, staleTimeoutMs: 2000 },
  sqlite: { heartbeatMs: 30_000, staleTimeoutMs: 65_000 },
};

const LEADER_LEASE = 'leader';
const FORGET_EVERY_BEATS = 60;

interface Seen {
  readonly nodes: readonly SeenNode[];
  /** When, by the monotonic clock. */
  readonly at: number;
}

export function createNodeRegistry(deps: RegistryDeps, options: RegistryConfig): NodeRegistry {
  const config = { ...DEFAULTS, ...TIMES[deps.metadata.kind], ...options };
  const { nodes, clusterSettings, leases } = deps.metadata.repositories;
  const logger = deps.logger.child({ component: 'cluster' });
  const lease = createLease(
    { leases, monotonic: deps.monotonic },
    { name: LEADER_LEASE, holder: config.nodeId, durationMs: config.leaseMs },
  );
  const leadership = createLeadership(deps.metadata.kind === 'sqlite' ? undefined : lease);
  let clusterId: string | undefined;
  let seen: Seen = { nodes: [], at: Number.NEGATIVE_INFINITY };

  // Written down once: `activeNodes` is asked by requests, and these two ask the operating system.
  const ownHostname = hostname();
  let ownAddress = '';

  function ownBeat(): NodeBeat {
    const { nodeId, version, startedAt } = config;
    return {
      nodeId,
      hostname: ownHostname,
      transportAddress: ownAddress,
      version,
      startedAt,
      isLeader: leadership.isLeader(),
      details: {},
    };
  }

  const heartbeat = createHeartbeat(config.heartbeatMs, logger, async (count) => {
    await leadership.renew();
    await nodes.beat(ownBeat());
    const at = deps.monotonic.now();
    seen = { nodes: await nodes.listSeen(), at };
    if (count % FORGET_EVERY_BEATS === 0) await nodes.removeUnseenFor(config.forgetAfterMs);
  });

  const clusterIdOf = (): string => {
    if (clusterId === undefined) throw new Error('the node registry has not been started');
    return clusterId;
  };

  function activeNodes(): ClusterNode[] {
    const sinceSeen = deps.monotonic.now() - seen.at;
    const others = seen.nodes.filter(
      (node) => node.nodeId !== config.nodeId && node.ageMs + sinceSeen <= config.staleTimeoutMs,
    );
    const own = { ...ownBeat(), lastSeen: deps.clock.now() };
    return [own, ...others].map((node) => toClusterNode(node, clusterIdOf()));
  }

  return {
    name: 'node-registry',
    nodeId: config.nodeId,
    clusterId: clusterIdOf,
    activeNodes,
    findActive: (nodeId) => activeNodes().find((node) => node.nodeId === nodeId),
    isLeader: leadership.isLeader,
    onLeadershipChange: leadership.onChange,
    async start() {
      ownAddress = config.transportAddress();
      clusterId = await clusterSettings.clusterId();
      await heartbeat.start();
    },
    async stop() {
      await heartbeat.stop();
      await leadership.giveUp();
      if (clusterId !== undefined) await nodes.remove(config.nodeId);
    },
  };
}

function toClusterNode(node: NodeBeat & { readonly lastSeen: number }, clusterId: string): ClusterNode {
  const { nodeId, hostname: host, transportAddress, version, startedAt, lastSeen, isLeader } = node;
  return { nodeId, clusterId, hostname: host, transportAddress, version, startedAt, lastSeen, isLeader };
}

/** Without a lease there is nobody to share with: the node leads from start to end. */
function createLeadership(lease: Lease | undefined) {
  const listeners = new Set<(isLeader: boolean) => void>();
  let hasEnded = false;
  let lastTold = false;

  const isLeader = (): boolean => !hasEnded && (lease === undefined || lease.isHeld());

  function tell(): void {
    const now = isLeader();
    if (now === lastTold) return;
    lastTold = now;
    for (const listener of [...listeners]) listener(now);
  }

  return {
    isLeader,
    async renew() {
      try {
        await lease?.renew();
      } finally {
        tell();
      }
    },
    async giveUp() {
      hasEnded = true;
      tell();
      await lease?.release();
    },
    onChange(listener: (isLeader: boolean) => void) {
      const entry = (isLeader: boolean) => listener(isLeader);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

/** Runs `beat` again and again until it is stopped; a failing one is told once, not every second. */
function createHeartbeat(intervalMs: number, logger: Logger, beat: (count: number) => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let hasStopped = false;
  let isFailing = false;
  let count = 0;

  async function runSafely(): Promise<void> {
    try {
      await beat(++count);
      if (isFailing) logger.info('this node is in touch with the other nodes again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ reason: errorMessage(error) }, 'this node cannot tell that it is alive');
      isFailing = true;
    }
  }

  function schedule(): void {
    if (hasStopped) return;
    timer = setTimeout(() => {
      running = runSafely().then(schedule);
    }, intervalMs);
  }

  return {
    async start() {
      if (hasStopped) return;
      await beat(count);
      schedule();
    },
    async stop() {
      hasStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
