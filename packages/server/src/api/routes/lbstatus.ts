import { type LoadBalancerStatus, loadBalancerStatusSchema } from '@millrace/contract';
import { z } from 'zod';
import type { NodeStatus } from '#cluster/service.ts';
import type { NodeControl } from '#system/service.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

export interface LoadBalancerRouteDeps {
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly control: NodeControl;
}

const tag = 'System/LoadBalancers';
const TEXT = 'text/plain; charset=utf-8';

/** Created once, because load balancers ask often. */
const ANSWERS = {
  alive: rawReply(200, TEXT, 'ALIVE'),
  dead: rawReply(503, TEXT, 'DEAD'),
  throttled: rawReply(429, TEXT, 'THROTTLED'),
} satisfies Record<LoadBalancerStatus, unknown>;

export function loadBalancerRoutes({ nodeId, status, control }: LoadBalancerRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/lbstatus',
      tag,
      summary: 'Get the load balancer status of this node',
      description: 'Needs no login.',
      permission: { kind: 'public' },
      responses: {
        200: { contentType: TEXT, description: '`ALIVE`: send traffic' },
        429: {
          contentType: TEXT,
          description: '`THROTTLED`: send no new traffic, the journal is nearly full',
        },
        503: { contentType: TEXT, description: '`DEAD`: send no traffic' },
      },
      errors: [],
      handler: () => ANSWERS[status.view().loadBalancerStatus],
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/lbstatus/override/:status',
      tag,
      summary: 'Override the load balancer status of this node',
      description:
        'Lasts until processing is paused or resumed, the node stops, or the override is changed or removed.',
      permission: 'lbstatus:change',
      instance: () => nodeId,
      params: z.object({ status: loadBalancerStatusSchema }),
      responses: { 204: null },
      errors: ['conflict'],
      handler: (request) => control.overrideLoadBalancer(request, request.params.status),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/lbstatus/override',
      tag,
      summary: 'Remove the override of the load balancer status',
      permission: 'lbstatus:change',
      instance: () => nodeId,
      responses: { 204: null },
      errors: [],
      handler: (request) => control.clearLoadBalancerOverride(request),
    }),
  ];
}
