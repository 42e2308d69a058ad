/** A node as a member of its cluster: what the composition root builds and what the API may use. */
export type { Cluster, ClusterDeps, ClusterSettings } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { CallerRequest, FanOut, FanOutConfig, Peer, PeerAnswer, PeerRequest } from './fan-out.ts';
export { createFanOut } from './fan-out.ts';
export type { Lease, LeaseConfig, LeaseDeps } from './lease.ts';
export { createLease } from './lease.ts';
export type { NodeCalls } from './node-calls.ts';
export { createNodeCalls } from './node-calls.ts';
export type { NodeStatus, NodeStatusConfig, NodeStatusListener, NodeStatusView } from './node-status.ts';
export { createNodeStatus } from './node-status.ts';
export type { ClusterNode, NodeRegistry, RegistryConfig, RegistryDeps } from './registry.ts';
export { createNodeRegistry } from './registry.ts';
