import type { ClusterNodeSummary, SystemOverview } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** Everything that is known of nodes: asked again after a change. */
export const NODES = ['nodes'];
const REFRESH_MS = 5000;

/** What each node says of itself; null for one that does not answer. */
export const clusterQuery = queryOptions({
  queryKey: [...NODES, 'cluster'],
  queryFn: ({ signal }) => call('GET /cluster', { signal, isBackground: true }),
  refetchInterval: REFRESH_MS,
  meta: { isBackground: true },
});

/** What the database knows of them, also of one that does not answer. */
export const registeredNodesQuery = queryOptions({
  queryKey: [...NODES, 'registered'],
  queryFn: ({ signal }) => call('GET /system/cluster/nodes', { signal, isBackground: true }),
  select: ({ nodes }) => nodes,
  refetchInterval: REFRESH_MS,
  meta: { isBackground: true },
});

/** A node as lists show it. */
export interface ListedNode {
  readonly id: string;
  readonly shortId: string;
  readonly hostname: string;
  readonly isLeader: boolean;
  readonly lastSeen: string | undefined;
  /** Undefined while it does not answer. */
  readonly overview: SystemOverview | undefined;
}

/** Whether no other node would answer if one of them were gone. */
export const isOnlyOne = (nodes: readonly ListedNode[]) =>
  nodes.filter(({ overview }) => overview !== undefined).length === 1;

const SHORT_ID = 8;

/** The leader first, then by host. */
export function listedNodes(
  cluster: Readonly<Record<string, SystemOverview | null>>,
  registered: readonly ClusterNodeSummary[],
): ListedNode[] {
  const known = new Map(registered.map((node) => [node.node_id, node]));
  return Object.entries(cluster)
    .map(([id, overview]) => ({
      id,
      shortId: known.get(id)?.short_node_id ?? id.slice(0, SHORT_ID),
      hostname: overview?.hostname ?? known.get(id)?.hostname ?? '',
      isLeader: overview?.is_leader ?? known.get(id)?.is_leader ?? false,
      lastSeen: known.get(id)?.last_seen,
      overview: overview ?? undefined,
    }))
    .toSorted(
      (a, b) =>
        Number(b.isLeader) - Number(a.isLeader) ||
        a.hostname.localeCompare(b.hostname) ||
        a.id.localeCompare(b.id),
    );
}
