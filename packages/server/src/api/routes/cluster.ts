import {
  clusterOverviewSchema,
  type JournalSummary,
  journalSummarySchema,
  loadBalancerStatusSchema,
  nodeIdParameter,
  runtimeMemorySchema,
  systemOverviewSchema,
  threadDumpSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { NodeCalls } from '#cluster/service.ts';
import type { NodeControl, SystemInformation } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface ClusterRouteDeps {
  readonly nodeId: string;
  readonly nodeCalls: NodeCalls;
  readonly information: SystemInformation;
  readonly control: NodeControl;
  readonly journalSummary: () => JournalSummary | Promise<JournalSummary>;
}

const tag = 'Cluster';
const params = z.object({ nodeId: nodeIdParameter });

/** Information about all nodes, and about each of them through any node. */
export function clusterRoutes(deps: ClusterRouteDeps): Route[] {
  return [overviewRoute(deps), ...readRoutes(deps), ...processingRoutes(deps), ...changeRoutes(deps)];
}

function overviewRoute({ nodeId, nodeCalls, information }: ClusterRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/cluster',
    tag,
    summary: 'Get the overview of all nodes',
    description:
      'Includes every active node the caller may read; null for a node that does not answer within seconds.',
    permission: 'system:read',
    instance: () => nodeId,
    responses: { 200: clusterOverviewSchema },
    errors: [],
    handler: (request) =>
      nodeCalls.onAllNodes(
        { path: 'system', caller: request },
        systemOverviewSchema,
        () => information.overview(),
        (id) => request.principal.can('system:read', id),
      ),
  });
}

function readRoutes({ nodeCalls, information, journalSummary }: ClusterRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/cluster/:nodeId/jvm',
      tag,
      summary: 'Get the runtime memory of a node',
      permission: 'jvmstats:read',
      instance: ({ nodeId }) => nodeId,
      params,
      responses: { 200: runtimeMemorySchema },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { path: 'system/jvm', caller: request },
          runtimeMemorySchema,
          () => information.runtimeMemory(),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/:nodeId/threaddump',
      tag,
      summary: 'Get a thread dump of a node',
      permission: 'threads:dump',
      instance: ({ nodeId }) => nodeId,
      params,
      responses: { 200: threadDumpSchema },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { path: 'system/threaddump', caller: request },
          threadDumpSchema,
          () => ({ threaddump: information.threadDump() }),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/:nodeId/journal',
      tag,
      summary: 'Get the state of the message journal of a node',
      permission: 'journal:read',
      instance: ({ nodeId }) => nodeId,
      params,
      responses: { 200: journalSummarySchema },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { path: 'system/journal', caller: request },
          journalSummarySchema,
          journalSummary,
        ),
    }),
  ];
}

/** POST and PUT are equivalent: Graylog has POST here and PUT on the node itself. */
function processingRoutes({ nodeCalls, control }: ClusterRouteDeps): Route[] {
  const actions = [
    { verb: 'pause', summary: 'Pause message processing on a node', run: control.pauseProcessing },
    { verb: 'resume', summary: 'Resume message processing on a node', run: control.resumeProcessing },
  ] as const;
  return actions.flatMap(({ verb, summary, run }) =>
    (['POST', 'PUT'] as const).map((method) =>
      defineRoute({
        method,
        path: `/cluster/:nodeId/processing/${verb}`,
        tag,
        summary,
        permission: 'processing:changestate',
        instance: ({ nodeId }) => nodeId,
        params,
        responses: { 204: null },
        errors: ['not_found'],
        handler: (request) =>
          nodeCalls.onNode(
            request.params.nodeId,
            { method: 'PUT', path: `system/processing/${verb}`, caller: request },
            z.void(),
            () => run(request),
          ),
      }),
    ),
  );
}

function changeRoutes({ nodeCalls, control }: ClusterRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/cluster/:nodeId/lbstatus/override/:status',
      tag,
      summary: 'Override the load balancer status of a node',
      permission: 'lbstatus:change',
      instance: ({ nodeId }) => nodeId,
      params: z.object({ nodeId: nodeIdParameter, status: loadBalancerStatusSchema }),
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: (request) => {
        const { nodeId, status } = request.params;
        return nodeCalls.onNode(
          nodeId,
          { method: 'PUT', path: `system/lbstatus/override/${status}`, caller: request },
          z.void(),
          () => control.overrideLoadBalancer(request, status),
        );
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/cluster/:nodeId/lbstatus/override',
      tag,
      summary: 'Remove the override of the load balancer status of a node',
      permission: 'lbstatus:change',
      instance: ({ nodeId }) => nodeId,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { method: 'DELETE', path: 'system/lbstatus/override', caller: request },
          z.void(),
          () => control.clearLoadBalancerOverride(request),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/cluster/:nodeId/shutdown',
      tag,
      summary: 'Shut a node down gracefully',
      permission: 'node:shutdown',
      instance: ({ nodeId }) => nodeId,
      params,
      responses: { 202: null },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { method: 'POST', path: 'system/shutdown/shutdown', caller: request },
          z.void(),
          () => control.shutDown(request),
        ),
    }),
  ];
}
