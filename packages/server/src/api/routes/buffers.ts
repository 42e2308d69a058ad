import {
  type Buffers,
  buffersSchema,
  clusterProcessingStatusSchema,
  type ProcessingStatus,
  processingStatusSchema,
} from '@millrace/contract';
import type { NodeCalls } from '#cluster/service.ts';
import type { Metrics } from '#telemetry/index.ts';
import { defineRoute, type Route } from '../route.ts';

export interface BufferRouteDeps {
  readonly nodeId: string;
  readonly nodeCalls: NodeCalls;
  readonly metrics: Metrics;
  readonly processingStatus: () => ProcessingStatus;
}

/** What waits between the parts of a node, under Graylog's names. */
export function bufferRoutes(deps: BufferRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/buffers',
      tag: 'System/Buffers',
      summary: 'Get how many messages wait on this node',
      permission: 'buffers:read',
      instance: () => deps.nodeId,
      responses: { 200: buffersSchema },
      errors: [],
      handler: () => buffersOf(deps.metrics),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/processing/status',
      tag: 'System/Processing',
      summary: 'Get up to when messages of this node are processed and stored',
      permission: { kind: 'authenticated' },
      responses: { 200: processingStatusSchema },
      errors: [],
      handler: () => deps.processingStatus(),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/processing/status',
      tag: 'Cluster',
      summary: 'Get up to when messages of all nodes are processed and stored',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterProcessingStatusSchema },
      errors: [],
      handler: (request) =>
        deps.nodeCalls.onAllNodes(
          { path: 'system/processing/status', caller: request },
          processingStatusSchema,
          deps.processingStatus,
        ),
    }),
  ];
}

function gauge(metrics: Metrics, buffer: string, figure: 'usage' | 'size'): number {
  const metric = metrics.get(`org.graylog2.buffers.${buffer}.${figure}`)?.metric;
  return metric !== undefined && 'value' in metric && typeof metric.value === 'number' ? metric.value : 0;
}

function buffersOf(metrics: Metrics): Buffers {
  const buffer = (name: string) => {
    const usage = gauge(metrics, name, 'usage');
    const size = gauge(metrics, name, 'size');
    return { utilization_units: usage, utilization: size === 0 ? 0 : (usage / size) * 100 };
  };
  return { buffers: { input: buffer('input'), process: buffer('process'), output: buffer('output') } };
}
