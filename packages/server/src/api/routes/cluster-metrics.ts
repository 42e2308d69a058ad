import {
  clusterMetricsSchema,
  metricNameParameter,
  metricNamesSchema,
  metricsReadRequestSchema,
  metricsSummarySchema,
  nodeIdParameter,
} from '@millrace/contract';
import { z } from 'zod';
import type { NodeCalls } from '#cluster/service.ts';
import type { Metrics } from '#telemetry/index.ts';
import { defineRoute, type Route } from '../route.ts';
import { metricsOfNamespace, namedMetrics } from './system-metrics.ts';

export interface ClusterMetricRouteDeps {
  readonly nodeCalls: NodeCalls;
  readonly metrics: Metrics;
}

const tag = 'Cluster/Metrics';
const params = z.object({ nodeId: nodeIdParameter });

export function clusterMetricRoutes(deps: ClusterMetricRouteDeps): Route[] {
  return [...multipleRoutes(deps), ...namesRoutes(deps)];
}

function multipleRoutes({ nodeCalls, metrics }: ClusterMetricRouteDeps): Route[] {
  const description = 'Unknown names and names the caller may not read are left out.';
  return [
    defineRoute({
      method: 'POST',
      path: '/cluster/metrics/multiple',
      tag,
      summary: 'Get several metrics of all nodes by name',
      description,
      permission: { kind: 'authenticated' },
      body: metricsReadRequestSchema,
      responses: { 200: clusterMetricsSchema },
      errors: [],
      handler: (request) =>
        nodeCalls.onAllNodes(
          { method: 'POST', path: 'system/metrics/multiple', body: request.body, caller: request },
          metricsSummarySchema,
          () => namedMetrics(metrics, request.principal, request.body.metrics),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/cluster/:nodeId/metrics/multiple',
      tag,
      summary: 'Get several metrics of a node by name',
      description,
      permission: { kind: 'authenticated' },
      params,
      body: metricsReadRequestSchema,
      responses: { 200: metricsSummarySchema },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { method: 'POST', path: 'system/metrics/multiple', body: request.body, caller: request },
          metricsSummarySchema,
          () => namedMetrics(metrics, request.principal, request.body.metrics),
        ),
    }),
  ];
}

function namesRoutes({ nodeCalls, metrics }: ClusterMetricRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/cluster/:nodeId/metrics/names',
      tag,
      summary: 'List the names of all metrics of a node',
      permission: 'metrics:allkeys',
      params,
      responses: { 200: metricNamesSchema },
      errors: ['not_found'],
      handler: (request) =>
        nodeCalls.onNode(
          request.params.nodeId,
          { path: 'system/metrics/names', caller: request },
          metricNamesSchema,
          () => ({ names: metrics.names() }),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/:nodeId/metrics/namespace/:namespace',
      tag,
      summary: 'Get the metrics of a node whose names start with a namespace',
      permission: { kind: 'authenticated' },
      params: z.object({ nodeId: nodeIdParameter, namespace: metricNameParameter }),
      responses: { 200: metricsSummarySchema },
      errors: ['not_found'],
      handler: (request) => {
        const { nodeId, namespace } = request.params;
        const path = `system/metrics/namespace/${encodeURIComponent(namespace)}` as const;
        return nodeCalls.onNode(nodeId, { path, caller: request }, metricsSummarySchema, () =>
          metricsOfNamespace(metrics, request.principal, namespace),
        );
      },
    }),
  ];
}
