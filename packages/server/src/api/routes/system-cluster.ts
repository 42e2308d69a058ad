import {
  type ClusterNodeSummary,
  clusterNodeListSchema,
  clusterNodeSchema,
  nodeIdParameter,
  trafficQuerySchema,
  trafficSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { ClusterNode, NodeRegistry } from '#cluster/service.ts';
import { NotFoundError } from '#core/index.ts';
import type { Traffic } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface SystemClusterRouteDeps {
  readonly registry: NodeRegistry;
  readonly traffic: Traffic;
}

const tag = 'System/Cluster';
const SHORT_ID_LENGTH = 8;

/** The nodes of the cluster according to the registry; `/cluster` shows what they report themselves. */
export function systemClusterRoutes({ registry, traffic }: SystemClusterRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/cluster/nodes',
      tag,
      summary: 'List the active nodes',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterNodeListSchema },
      errors: [],
      handler: () => {
        const nodes = registry.activeNodes().map(nodeSummary);
        return { nodes, total: nodes.length };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/cluster/nodes/:nodeId',
      tag,
      summary: 'Get one active node',
      permission: { kind: 'authenticated' },
      params: z.object({ nodeId: nodeIdParameter }),
      responses: { 200: clusterNodeSchema },
      errors: ['not_found'],
      handler: ({ params }) => {
        const node = registry.findActive(params.nodeId);
        if (node === undefined) throw new NotFoundError(`Node ${params.nodeId} not found.`);
        return nodeSummary(node);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/cluster/node',
      tag,
      summary: 'Get the node that answers this request',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterNodeSchema },
      errors: ['not_found'],
      handler: () => {
        const node = registry.findActive(registry.nodeId);
        if (node === undefined) throw new NotFoundError(`Node ${registry.nodeId} not found.`);
        return nodeSummary(node);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/cluster/traffic',
      tag,
      summary: 'Get the traffic of the cluster',
      description: 'Bytes received, decoded and stored, per hour or per day, summed over all nodes.',
      permission: { kind: 'authenticated' },
      query: trafficQuerySchema,
      responses: { 200: trafficSchema },
      errors: [],
      handler: ({ query }) => traffic.history(query.days, query.daily),
    }),
  ];
}

function nodeSummary(node: ClusterNode): ClusterNodeSummary {
  return {
    cluster_id: node.clusterId,
    node_id: node.nodeId,
    type: 'server',
    is_master: node.isLeader,
    is_leader: node.isLeader,
    transport_address: node.transportAddress,
    last_seen: new Date(node.lastSeen).toISOString(),
    short_node_id: node.nodeId.slice(0, SHORT_ID_LENGTH),
    hostname: node.hostname,
    clock_offset_ms: node.clock?.offsetMs ?? null,
  };
}
