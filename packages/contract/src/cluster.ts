import { z } from 'zod';
import { timestampSchema } from './time.ts';

export const LOAD_BALANCER_STATUSES = ['alive', 'dead', 'throttled'] as const;
export const loadBalancerStatusSchema = z.enum(LOAD_BALANCER_STATUSES);
export type LoadBalancerStatus = z.infer<typeof loadBalancerStatusSchema>;

export const nodeLifecycleSchema = z.enum([
  'uninitialized',
  'starting',
  'running',
  'paused',
  'throttled',
  'halting',
  'failed',
  'override lb:alive',
  'override lb:dead',
  'override lb:throttled',
]);
export type NodeLifecycle = z.infer<typeof nodeLifecycleSchema>;

/** `GET /system`, and a value of `GET /cluster`: one node. */
export const systemOverviewSchema = z
  .object({
    facility: z.string().describe('Server facility name.'),
    codename: z.string().describe('Release codename.'),
    node_id: z.guid(),
    cluster_id: z.guid().describe('The same for all nodes of a cluster.'),
    version: z.string().describe('Server version with build suffix.'),
    started_at: timestampSchema,
    hostname: z.string(),
    lifecycle: nodeLifecycleSchema,
    lb_status: loadBalancerStatusSchema.describe('The state for load balancers.'),
    timezone: z.string().describe('Time zone name.'),
    operating_system: z.string(),
    is_processing: z.boolean().describe('Whether messages are processed.'),
    is_leader: z.boolean().describe('Whether this node rotates, retains and evaluates for the cluster.'),
  })
  .meta({ id: 'SystemOverview' });
export type SystemOverview = z.infer<typeof systemOverviewSchema>;

/** `GET /cluster` */
export const clusterOverviewSchema = z
  .record(z.string(), systemOverviewSchema.nullable())
  .meta({ id: 'ClusterOverview', description: 'Nodes by id; null for one that did not answer in time.' });
export type ClusterOverview = z.infer<typeof clusterOverviewSchema>;

/** `GET /system/cluster/node` */
export const clusterNodeSchema = z
  .object({
    cluster_id: z.string(),
    node_id: z.string(),
    type: z.literal('server'),
    is_master: z.boolean().describe('The same as is_leader, under its old name.'),
    is_leader: z.boolean(),
    transport_address: z.string().describe("The root of the node's REST API."),
    last_seen: timestampSchema,
    short_node_id: z.string(),
    hostname: z.string(),
    clock_offset_ms: z
      .int()
      .nullable()
      .describe(
        'Milliseconds by which its clock is ahead of that of the metadata database; null if unknown.',
      ),
  })
  .meta({ id: 'ClusterNode' });
export type ClusterNodeSummary = z.infer<typeof clusterNodeSchema>;

/** `GET /system/cluster/nodes` */
export const clusterNodeListSchema = z
  .object({ nodes: z.array(clusterNodeSchema), total: z.int().min(0) })
  .meta({ id: 'ClusterNodeList' });
export type ClusterNodeList = z.infer<typeof clusterNodeListSchema>;

export const nodeIdParameter = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Node id', example: '28164cbe-4ad9-4c9c-a76e-088655aa78892' });
