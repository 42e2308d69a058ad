import type { LoadBalancerStatus, LoggerLevel } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import { bytesOfMessage, NODES } from '../../lib/nodes/index.ts';

const REFRESH_MS = 10_000;
const TRAFFIC_MS = 60_000;
const LOG_LINES = 300;

const polled = { refetchInterval: REFRESH_MS, meta: { isBackground: true } };

export const storageHealthQuery = queryOptions({
  queryKey: ['storage', 'health'],
  queryFn: ({ signal }) => call('GET /system/indexer/cluster/health', { signal, isBackground: true }),
  select: ({ status }) => status,
  ...polled,
});

export const messageCountQuery = queryOptions({
  queryKey: ['storage', 'count'],
  queryFn: ({ signal }) => call('GET /count/total', { signal, isBackground: true }),
  select: ({ events }) => events,
  ...polled,
});

export const storageSizeQuery = queryOptions({
  queryKey: ['storage', 'size'],
  queryFn: ({ signal }) => call('GET /system/indices/index_sets/stats', { signal, isBackground: true }),
  ...polled,
});

export const openAlertsQuery = queryOptions({
  queryKey: ['alerts', 'open-count'],
  queryFn: ({ signal }) =>
    call('GET /streams/alerts/paginated', {
      query: { state: 'unresolved', limit: 1 },
      signal,
      isBackground: true,
    }),
  select: ({ total }) => total,
  ...polled,
});

/** Bytes received, by hour. */
export const trafficQuery = queryOptions({
  queryKey: ['traffic', 'hours'],
  queryFn: ({ signal }) =>
    call('GET /system/cluster/traffic', { query: { days: 2 }, signal, isBackground: true }),
  select: ({ input, to }) => lastDay(input, Date.parse(to)),
  refetchInterval: TRAFFIC_MS,
  meta: { isBackground: true },
});

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Hours without an entry were quiet. */
export function lastDay(input: Readonly<Record<string, number>>, until: number): number[] {
  const byHour = new Map(
    Object.entries(input).map(([start, bytes]) => [Math.floor(Date.parse(start) / HOUR_MS), bytes]),
  );
  const last = Math.floor(until / HOUR_MS);
  return Array.from({ length: HOURS }, (_, at) => byHour.get(last - HOURS + 1 + at) ?? 0);
}

export function journalQuery(nodeId: string) {
  return queryOptions({
    queryKey: [...NODES, 'journal', nodeId],
    queryFn: ({ signal }) =>
      call('GET /cluster/{nodeId}/journal', { path: { nodeId }, signal, isBackground: true }),
    ...polled,
  });
}

export function memoryQuery(nodeId: string) {
  return queryOptions({
    queryKey: [...NODES, 'memory', nodeId],
    queryFn: ({ signal }) =>
      call('GET /cluster/{nodeId}/jvm', { path: { nodeId }, signal, isBackground: true }),
    ...polled,
  });
}

/** What a message takes in the journal of the node. */
export function messageBytesQuery(nodeId: string) {
  return queryOptions({
    queryKey: [...NODES, 'message-bytes', nodeId],
    queryFn: ({ signal }) =>
      call('GET /cluster/{nodeId}/metrics/namespace/{namespace}', {
        path: { nodeId, namespace: 'millrace.component.journal.' },
        signal,
      }),
    select: bytesOfMessage,
    staleTime: REFRESH_MS,
    // A node on which nothing was received yet has no such metric.
    retry: false,
  });
}

export const logLevelsQuery = queryOptions({
  queryKey: [...NODES, 'levels'],
  queryFn: ({ signal }) => call('GET /cluster/system/loggers/subsystems', { signal }),
});

export function recentLogQuery(nodeId: string, level: LoggerLevel) {
  return queryOptions({
    queryKey: [...NODES, 'log', nodeId, level],
    queryFn: ({ signal }) =>
      call('GET /cluster/system/loggers/{nodeId}/messages/recent', {
        path: { nodeId },
        query: { limit: LOG_LINES, level },
        signal,
      }),
    select: ({ messages }) => messages,
  });
}

export function useThreadDump(nodeId: string) {
  return useMutation({
    mutationFn: async () => (await call('GET /cluster/{nodeId}/threaddump', { path: { nodeId } })).threaddump,
  });
}

function useNodeMutation<Given>(mutationFn: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: NODES }) });
}

/** What an operator does to a node. */
export type NodeAction = 'pause' | 'resume' | 'shut-down' | 'lb-auto' | `lb-${LoadBalancerStatus}`;

export function useNodeAction(nodeId: string) {
  const path = { nodeId };
  return useNodeMutation((action: NodeAction) => {
    switch (action) {
      case 'pause':
        return call('PUT /cluster/{nodeId}/processing/pause', { path });
      case 'resume':
        return call('PUT /cluster/{nodeId}/processing/resume', { path });
      case 'shut-down':
        return call('POST /cluster/{nodeId}/shutdown', { path });
      case 'lb-auto':
        return call('DELETE /cluster/{nodeId}/lbstatus/override', { path });
      case 'lb-alive':
      case 'lb-dead':
      case 'lb-throttled':
        return call('PUT /cluster/{nodeId}/lbstatus/override/{status}', {
          path: { ...path, status: action.slice('lb-'.length) },
        });
    }
  });
}

export function useSetLogLevel(nodeId: string) {
  return useNodeMutation(({ subsystem, level }: { subsystem: string; level: string }) =>
    call('PUT /cluster/system/loggers/{nodeId}/subsystems/{subsystem}/level/{level}', {
      path: { nodeId, subsystem, level },
    }),
  );
}
