/** A node as a member of its cluster: what the composition root builds and what the API may use. */
export type { ClockOffset } from './clock-skew.ts';
export { greatestSkew } from './clock-skew.ts';
export type { Cluster, ClusterDeps, ClusterSettings } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { CallerRequest, FanOut, FanOutSettings, Peer, PeerAnswer, PeerRequest } from './fan-out.ts';
export { createFanOut } from './fan-out.ts';
export type { Lease, LeaseDeps, LeaseSettings } from './lease.ts';
export { createLease } from './lease.ts';
export type { NodeCalls } from './node-calls.ts';
export { createNodeCalls } from './node-calls.ts';
export type { NodeStatus, NodeStatusListener, NodeStatusSettings, NodeStatusView } from './node-status.ts';
export { createNodeStatus } from './node-status.ts';
export type { ClusterNode, NodeRegistry, RegistryDeps, RegistrySettings } from './registry.ts';
export { createNodeRegistry } from './registry.ts';
export type { TakeTurn, TurnSettings } from './turn.ts';
export { createTurn } from './turn.ts';
